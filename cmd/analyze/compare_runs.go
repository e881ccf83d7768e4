package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// The methods beside those of package detect: runs compared with runs, and the combination of Hilbig 2023.
const (
	methodRuns   = "runs"
	methodThesis = "thesis"
)

func (f *compareFlags) byRuns() bool { return f.method == methodRuns }

// detection is the test on pooled samples whose findings stand in the columns, and decide unless runs do.
func (f *compareFlags) detection() (sampletests.Method, error) {
	if f.byRuns() || f.method == methodThesis {
		return sampletests.DYN, nil
	}
	return sampletests.ParseMethod(f.method)
}

// verdictOptions are how runs are compared with runs.
func (f *compareFlags) verdictOptions() (verdicts.Options, error) {
	o := verdicts.Defaults()
	margin, err := share(f.margin)
	switch {
	case err != nil || !(margin >= 0) || math.IsInf(margin, 1):
		return o, console.Usagef("--margin %q: a share such as 5%% or 0.05", f.margin)
	case !(f.fdr > 0 && f.fdr < 1):
		return o, console.Usagef("--fdr %g: lies between 0 and 1", f.fdr)
	case f.floor < 0:
		return o, console.Usagef("--floor %s: is not negative", f.floor)
	case margin == 0 && f.floor == 0:
		return o, console.Usagef("--margin and --floor are both 0: nothing could be shown to be unchanged")
	}
	o.Margin, o.FloorNs, o.FDR = margin, float64(f.floor), f.fdr
	return o, nil
}

// share reads 5% or 0.05.
func share(text string) (float64, error) {
	digits, percent := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if percent {
		x /= 100
	}
	return x, err
}

// older finds the older runs. Those that are on a side are left out, so that a label may name all of a release.
func (f *compareFlags) older(l *lake.Lake, j *compare.Job) error {
	if len(f.noise) == 0 {
		return nil
	}
	all, err := runs.Select(l, f.noise)
	if err != nil {
		return err
	}
	for _, run := range all {
		if !slices.Contains(j.Base, run) && !slices.Contains(j.Cand, run) {
			j.Noise = append(j.Noise, run)
		}
	}
	if len(j.Noise) == 0 {
		return console.Usagef("--noise %s: all of these runs are on a side", strings.Join(f.noise, ", "))
	}
	return nil
}

// pair numbers the blocks by the values of a label.
func (f *compareFlags) pair(l *lake.Lake, j *compare.Job) error {
	described, _, err := runs.Described(l)
	if err != nil {
		return err
	}
	numbers := make(map[string]int)
	for _, run := range slices.Concat(j.Base, j.Cand, j.Noise) {
		value, has := described[run].Labels[f.pairBy]
		if !has {
			return console.Usagef("--pair-by %s: run %s has no such label", f.pairBy, run)
		}
		if _, known := numbers[value]; !known {
			numbers[value] = len(numbers)
		}
		j.Blocks = append(j.Blocks, numbers[value])
	}
	if least(*j) == 0 {
		return console.Usagef("--pair-by %s: no value of this label is on both sides", f.pairBy)
	}
	return nil
}
