package main

import (
	"slices"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
)

// check checks the flags and makes them a job without runs.
func (f *compareFlags) check() (j compare.Job, err error) {
	method, err := f.detection()
	switch {
	case err != nil:
		return j, console.Usagef("--method %q: one of runs, thesis, dyn, abs, rel, ks, mwu, shift", f.method)
	case len(f.base) == 0 || len(f.cand) == 0:
		return j, console.Usagef("name both sides with --base and --cand; see analyze compare --help")
	case !slices.Contains(normalisations, f.norm):
		return j, console.Usagef("--normalisation %q: one of %s", f.norm, strings.Join(normalisations, ", "))
	case f.p <= 0 || f.p >= 1 || f.ratio < 1 || f.abs < 0 || f.guard < 0 || f.top < 1:
		return j, console.Usagef("--p lies between 0 and 1, --rel is 1 or more, --top 1 or more, --abs and --guard are not negative")
	}
	j = compare.Job{ID: f.id, Spec: compare.Spec{ByRuns: f.byRuns(), Options: samplechanges.Options{
		Method: method, Normalisation: f.norm,
		Thresholds: sampletests.Options{AbsNs: int64(f.abs), GuardNs: int64(f.guard), Rel: f.ratio, P: f.p},
	}}}
	if j.Matching, err = matching.ParseMethod(f.matching); err != nil {
		return j, console.Usagef("--matching: %w", err)
	}
	if j.Verdicts, err = f.verdictOptions(); err != nil {
		return j, err
	}
	return j, f.checkUse()
}

// checkUse refuses the options of runs compared with runs where samples decide. Those of samples are good for columns
// whatever decides.
func (f *compareFlags) checkUse() error {
	if f.byRuns() {
		return nil
	}
	for _, flag := range []string{"margin", "floor", "fdr", "noise", "pair-by", "report"} {
		if f.given(flag) {
			return console.Usagef("--%s is for --method runs; --method %s does not use it", flag, f.method)
		}
	}
	return nil
}

// choose finds the runs of both sides, the older ones, and which were recorded together, and names the comparison.
func (f *compareFlags) choose(l *lake.Lake, j *compare.Job) (err error) {
	if j.Base, err = runs.Select(l, f.base); err != nil {
		return err
	}
	if j.Cand, err = runs.Select(l, f.cand); err != nil {
		return err
	}
	if err := f.name(j); err != nil {
		return err
	}
	if err := f.older(l, j); err != nil || f.pairBy == "" {
		return err
	}
	return f.pair(l, j)
}

// name names the comparison and sees that no run is on both sides.
func (f *compareFlags) name(j *compare.Job) error {
	for _, run := range j.Base {
		if slices.Contains(j.Cand, run) {
			return console.Usagef("run %s is on both sides", run)
		}
	}
	if j.ID == "" {
		j.ID = label(f.base) + "-vs-" + label(f.cand)
	}
	if err := lake.CheckName(j.ID); err != nil {
		return console.Usagef("name the comparison with --id: %w", err)
	}
	return nil
}

// label makes a name of selectors: release=1 becomes 1, several are joined. What a name cannot hold
// becomes a hyphen.
func label(selectors []string) string {
	var parts []string
	for _, s := range selectors {
		value := strings.TrimPrefix(s[strings.LastIndexByte(s, '=')+1:], "@")
		parts = append(parts, strings.Map(func(r rune) rune {
			if lake.CheckName("x"+string(r)) != nil {
				return '-'
			}
			return r
		}, value))
	}
	if len(parts) > 3 {
		parts = append(parts[:2], "and-more")
	}
	return strings.Join(parts, "+")
}
