package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// compareFlags are those of analyze compare.
type compareFlags struct {
	base, cand, noise []string
	id, pairBy        string
	method, matching  string
	margin            string
	floor             time.Duration
	fdr               float64
	norm              string
	abs, guard        time.Duration
	ratio, p          float64
	levels            bool
	failOn, format    string
	reports           []string
	top               int
	given             func(flag string) bool
}

// normalisations are the words of --normalisation.
var normalisations = []string{schema.NormAbsolute, schema.NormRelative, schema.NormStackBased, schema.NormFragmentAbsolute}

func (a *app) compareCommand() *cobra.Command {
	var f compareFlags
	d, v := sampletests.Defaults(), verdicts.Defaults()
	c := &cobra.Command{
		Use:     "compare --base RUN|KEY=VALUE... --cand RUN|KEY=VALUE...",
		Short:   "Say what changed between baseline runs and candidate runs",
		Long:    compareHelp,
		Example: compareExamples,
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			f.given = c.Flags().Changed
			return a.compare(c.Context(), f)
		},
	}
	p := c.Flags()
	p.StringArrayVar(&f.base, "base", nil, "a baseline run, or key=value; may be given often")
	p.StringArrayVar(&f.cand, "cand", nil, "a candidate run, or key=value; may be given often")
	p.StringVar(&f.id, "id", "", "name of the comparison (default: BASE-vs-CAND)")
	p.StringVar(&f.method, "method", methodRuns, "what decides: runs, compared with runs; thesis, which is dyn; or abs, rel, ks, mwu, shift")
	p.StringVar(&f.margin, "margin", "5%", "runs: relative change that does not matter, as 5% or 0.05")
	p.DurationVar(&f.floor, "floor", time.Duration(v.FloorNs), "runs: change per root execution that does not matter")
	p.Float64Var(&f.fdr, "fdr", v.FDR, "runs: rate of false discoveries among verdicts")
	p.StringArrayVar(&f.noise, "noise", nil, "runs: an older run of the baseline, or key=value: tells how much runs differ, where there are few")
	p.StringVar(&f.pairBy, "pair-by", "", "runs: label of runs that were recorded together: they are compared with each other")
	p.StringVar(&f.matching, "matching", string(matching.ByDifference), "how steps are paired: ltsdiff, also behind a functional change, or walk, up to it")
	p.StringVar(&f.norm, "normalisation", schema.NormFragmentAbsolute, "samples: how they are counted: "+strings.Join(normalisations, ", "))
	p.DurationVar(&f.abs, "abs", time.Duration(d.AbsNs), "samples: threshold of abs on the difference of the sums")
	p.DurationVar(&f.guard, "guard", time.Duration(d.GuardNs), "samples: difference of the sums below which dyn does not listen to ks, mwu and shift")
	p.Float64Var(&f.ratio, "rel", d.Rel, "samples: threshold of rel on the ratio of the sums")
	p.Float64Var(&f.p, "p", d.P, "samples: level of significance of ks and mwu")
	p.BoolVar(&f.levels, "levels", false, "also say how the behaviour differs, on six levels; see analyze levels")
	p.StringVar(&f.failOn, "fail-on", "", "exit with code 3 when something is: regressed, improved, changed, undetermined or candidate; several with commas between")
	p.StringVar(&f.format, "format", formatText, "of the standard output: "+strings.Join(compareFormats, ", "))
	p.StringArrayVar(&f.reports, "report", nil, "also write FORMAT=FILE; may be given often")
	p.IntVar(&f.top, "top", 10, "how many findings or changes to print; the tables findings and changes have all")
	return c
}

// compare compares, keeps the result and tells it.
func (a *app) compare(ctx context.Context, f compareFlags) error {
	j, err := f.check()
	if err != nil {
		return err
	}
	tell, err := f.tellings()
	if err != nil {
		return err
	}
	l, release, err := a.openToWrite()
	if err != nil {
		return err
	}
	defer release()
	if err := f.choose(l, &j); err != nil {
		return err
	}
	j.Engine = a.engine(l)
	r, err := a.resultOf(ctx, j)
	if err != nil {
		return err
	}
	failed, last, err := a.tell(l, j, f, tell, r)
	if err == nil && f.levels {
		err = a.levelsOfSides(ctx, j, f)
	}
	if err != nil {
		return err
	}
	fmt.Fprint(a.stdout, last)
	if failed {
		return console.Exit(console.Changed)
	}
	return nil
}

// resultOf compares runs that are brought up to date first.
func (a *app) resultOf(ctx context.Context, j compare.Job) (*compare.Result, error) {
	if _, err := a.bringUpToDate(ctx, j.Lake, slices.Concat(j.Base, j.Cand, j.Noise), asBefore()); err != nil {
		return nil, err
	}
	var done func()
	j.Progress, done = a.Progress(a.stderr, "compare", false)
	r, fresh, err := compare.Run(ctx, j)
	done()
	if err == nil && !fresh {
		err = a.writeDatabase(ctx, j.Lake)
	}
	return r, err
}
