package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/modelsets"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/change/functionchanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/detectable"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// detectableFlags are the flags of analyze detectable.
type detectableFlags struct {
	runs   int           // of each side of a comparison
	power  float64       // with which a change is found
	margin string        // a share such as 5% or 0.05
	floor  time.Duration // change per root execution that does not matter
	format string        // text or json
	top    int           // functions that are printed
}

// detectableCommand says what comparisons would find, before anything is changed.
func (a *app) detectableCommand() *cobra.Command {
	var f detectableFlags
	c := &cobra.Command{
		Use:   "detectable RUN|KEY=VALUE|@BASELINE...",
		Short: "Say which changes a comparison would find, from the runs of one release",
		Long: `Says what analyze compare can see before anybody changes anything: from repeated runs of one release,
the smallest change that a comparison finds in four of five cases, if each side has --runs runs like these.
Every initial fragment has a row, and so has every function, by its own time. Runs that are not analyzed
yet are analyzed first. How much runs differ shows from 3 runs on, and 10 show it better; nothing is
written but their tables.

The change is one of every call by the same factor, in one function alone. Noise is what the rule of
compare sees: what all functions of a run share is taken out, variances borrow from other functions, and
the level of a function goes by its share of the time. A change is limited by

  noise   the runs differ: more runs, a quiet machine, a pinned processor or pairs of runs would help
  margin  a smaller change is shown to lie within --margin
  floor   a smaller change costs less than --floor per root execution

With three runs of each side, functions that a run calls fewer than ten times are asked only where a root
execution is shown to have changed ("and root"): three such runs share a state by chance too often.`,
		Example: `  analyze detectable release=1
  analyze detectable @main --runs 3 --top 30
  analyze detectable release=1,scenario=upload --format json`,
		Args: atLeast(1, "name the runs of a release"),
		RunE: a.writing(f.check, func(ctx context.Context, l *lake.Lake, args []string) error { return a.detectable(ctx, l, args, f) }),
	}
	p := c.Flags()
	p.IntVar(&f.runs, "runs", 5, "runs of each side of a comparison")
	p.Float64Var(&f.power, "power", .8, "how often the change is found")
	p.StringVar(&f.margin, "margin", "5%", "relative change that does not matter, as 5% or 0.05")
	p.DurationVar(&f.floor, "floor", time.Duration(verdicts.Defaults().FloorNs), "change per root execution that does not matter")
	p.IntVar(&f.top, "top", 20, "how many functions to print; --format json has all")
	a.Choice(p, &f.format, "format", "text", "text or json", "text", "json")
	return c
}

// check refuses flags out of range. The comparisons are written so that NaN fails them.
func (f *detectableFlags) check() error {
	_, err := parseMargin(f.margin)
	switch {
	case f.runs < functionchanges.MinRuns:
		return console.Usagef("--runs %d: verdicts need %d runs of each side", f.runs, functionchanges.MinRuns)
	case !(f.power >= .5 && f.power < 1):
		return console.Usagef("--power %g: it lies between 0.5 and 1", f.power)
	case err != nil:
		return err
	case f.floor < 0 || f.top < 1:
		return console.Usagef("--floor is not negative, and --top is 1 or more")
	}
	return nil
}

// detectable brings the summaries of the runs up to date and reports. The flags have been checked.
func (a *app) detectable(ctx context.Context, l *lake.Lake, selectors []string, f detectableFlags) error {
	names, err := runs.Select(l, selectors)
	if err != nil {
		return err
	}
	if len(names) < 2 { // a single run has no spread
		return console.Usagef("one run shows nothing of how much runs differ: name three at least")
	}
	if err := warnPooled(a, l, "the baseline", []modelsets.Set{{Runs: names}}, runs.LabelKeys(selectors)); err != nil {
		return err
	}
	if _, err := a.bringUpToDate(ctx, l, names, keepStoredOptions()); err != nil { // summaries only, as far as they are missing
		return err
	}
	margin, _ := texttab.ParseShare(f.margin) // checked by check
	r := &detectable.Report{
		Runs: names, Top: f.top,
		Rules: functionchanges.Detection{Runs: f.runs, Power: f.power, Margin: margin, EffectNs: float64(f.floor)},
	}
	if err := compare.Detect(ctx, a.engine(l), r); err != nil { // fills the report
		return err
	}
	return inFormat(f.format, r.WriteText, r.WriteJSON)(a.stdout)
}
