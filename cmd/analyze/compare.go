package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/verdict"
)

// compareCommand compares baseline runs with candidate runs.
func (a *app) compareCommand() *cobra.Command {
	var f compareFlags
	d, v := sampletests.Defaults(), verdicts.Defaults() // the defaults that the flags show
	c := &cobra.Command{
		Use:     "compare [RUN] --base RUN|KEY=VALUE|FROM..TO... --cand RUN|KEY=VALUE|FROM..TO...",
		Short:   "Say what changed between baseline runs and candidate runs",
		Long:    verdict.CommandHelp,
		Example: compareExamples,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.ContainsFunc(slices.Concat(f.base, f.cand), runs.IsMeantAsWindow) { // windows of one run are written as FROM..TO
				if err := noArguments(c, args); err != nil {
					return err
				}
			} else {
				f.base, f.cand = runs.Within(args[0], f.base), runs.Within(args[0], f.cand) // the run stands before each window
			}
			if err := f.elsewhere.Check(); err != nil {
				return err
			}
			f.given = c.Flags().Changed // which flags were given, beside what their values are
			return a.compare(c.Context(), f)
		},
	}
	p := c.Flags()
	p.StringArrayVar(&f.base, "base", nil, "a baseline run, or key=value, or those that start in a time of UTC, as 13:00..13:10 or 13:10.., of RUN in slices (ingest --split), with --rank requests of any RUN; with commas between, runs that have all of them; may be given often, for more runs")
	p.StringArrayVar(&f.cand, "cand", nil, "a candidate run, or key=value, as for --base")
	p.StringVar(&f.id, "id", "", "name of the comparison (default: BASE-vs-CAND)")
	p.StringVar(&f.method, "method", verdict.MethodRuns, "what decides: runs, compared with runs; thesis, which is dyn; or abs, rel, ks, mwu, shift")
	p.StringVar(&f.margin, "margin", "5%", "runs: relative change that does not matter, as 5% or 0.05")
	p.DurationVar(&f.floor, "floor", time.Duration(v.FloorNs), "runs: change per root execution that does not matter")
	p.Float64Var(&f.fdr, "fdr", v.FDR, "runs: rate of false discoveries among verdicts")
	p.StringArrayVar(&f.noise, "noise", nil, "runs: an older run of the baseline, or key=value: shows how much runs differ, where there are few")
	p.StringVar(&f.pairBy, "pair-by", "", "runs: label of runs that were recorded together: they are compared with each other")
	p.BoolVar(&f.pool, "pool", false, "runs: compare all runs with all, also where a label such as the scenario varies within the sides")
	p.StringVar(&f.matching, "matching", string(matching.ByDifference), "how steps are paired: ltsdiff pairs them behind a functional change, too; walk stops there")
	p.StringVar(&f.norm, "normalisation", schema.NormFragmentAbsolute, "samples: which times they are: "+strings.Join(normalisations, ", "))
	p.DurationVar(&f.abs, "abs", time.Duration(d.AbsNs), "samples: threshold of abs on the difference of the sums")
	p.DurationVar(&f.guard, "guard", time.Duration(d.GuardNs), "samples: difference of the sums below which dyn ignores ks, mwu and shift")
	p.Float64Var(&f.ratio, "rel", d.Rel, "samples: threshold of rel on the ratio of the sums")
	p.Float64Var(&f.p, "p", d.P, "samples: level of significance of ks and mwu")
	p.StringVar(&f.file, "definitions", "", "a file of own metrics, normalisations, detectors, and thresholds of components; see analyze help definitions")
	p.StringVar(&f.by, "by", "", "function: also say how the own time of every function changed, over all fragments")
	p.StringVar(&f.rank, "rank", "", "services: rank the services by how likely they are at fault, request by request, instead")
	p.BoolVar(&f.levels, "levels", false, "also say how the behaviour differs, on six levels; see analyze levels")
	p.StringVar(&f.failOn, "fail-on", "", "exit with code 3 when something is: regressed, improved, changed, errors, undetermined or candidate; several with commas between")
	p.StringVar(&f.format, "format", verdict.Text, "of the standard output: "+strings.Join(verdict.Formats, ", "))
	p.StringArrayVar(&f.reports, "report", nil, "also write FORMAT=FILE; may be given often")
	p.BoolVar(&f.details, "details", false, "also print critical paths, changes of behaviour, and how many subjects have which verdict")
	p.IntVar(&f.top, "top", 10, "how many findings or changes to print; the tables findings and changes have all")
	f.elsewhere = a.addWorkers(c, &f.plan)
	console.GroupFlags(c, compareFlagGroups...)
	return c
}

// compare brings the runs up to date, compares them, keeps the result in the lake, and writes the reports.
func (a *app) compare(ctx context.Context, f compareFlags) error {
	// (1) Refuse wrong flags before anything is opened or locked.
	j, err := f.check() // a job without runs
	if err != nil {
		return err
	}
	files, err := f.reportFiles() // checked now, opened at the end
	if err != nil {
		return err
	}
	// (2) Find the runs and name the comparison.
	l, err := a.openToWrite()
	if err != nil {
		return err
	}
	j.Engine = a.engine(l)
	if f.rank != "" { // its sides may be parts of one run
		return a.rankRequests(ctx, j, f)
	}
	if err := f.selectRuns(ctx, &j); err != nil {
		return err
	}
	if f.plan {
		return a.planComparison(ctx, j.Engine, j.Runs(), keepStoredOptions(), j.ID, compare.Stage(j.Spec), f.format)
	}
	if did, err := a.goElsewhere(ctx, j.Engine, f.elsewhere); did || err != nil {
		return err
	}
	// (3) Compare, unless the lake has the result already.
	result, err := a.compareRuns(ctx, j)
	if err != nil {
		return asUsage(f.file, err) // an error in definitions is one of the user's file
	}
	// (4) Report. The report gets everything that it shows and never looks into the lake.
	described, err := runs.Described(l, slices.Concat(j.Base, j.Cand, j.Noise))
	if err != nil {
		return err
	}
	c := f.comparison(j)
	c.Runs, c.Lake, c.Thresholds, c.Columns = described, a.Lake, j.Definitions.ThresholdTexts(), console.Columns(a.stdout)
	if common := result.Common(&j.Spec); common != nil { // what all functions of a run share
		c.Common = &verdict.Common{Ratio: math.Exp(common.Log), Lo: math.Exp(common.Lo), Hi: math.Exp(common.Hi), P: common.P}
	}
	c.Exchanges, c.Claims = result.Exchanged()
	c.Contributions, c.Factors, c.Errors, c.Details, c.By = result.Contributions, result.Factors, result.Errors, f.details, f.by
	if f.byRuns() {
		if c.Examples, err = runs.Examples(ctx, l, j.Base, j.Cand, result.Findings, j.Memory); err != nil {
			return err
		}
		return a.reportVerdict(ctx, j, f, verdict.New(c, result.Changes, result.Findings), files) // the report of runs compared with runs
	}
	report := verdict.NewPooled(c, result.Changes) // the report of tests on pooled samples
	if err := report.Write(a.stdout, f.format, f.top); err != nil {
		return err
	}
	return a.finishCompare(ctx, j, f, report.Failed(), "")
}

// garbagePercent is by how much the memory of a comparison grows before it is cleared. All subjects stay in memory until the end, so that
// clearing it at every doubling takes a tenth of the time. Where --memory leaves less room, its limit comes first.
const garbagePercent = 200

// compareRuns returns the result of a comparison, from the lake if the lake has it.
// All runs are brought up to date first, the older ones of --noise included.
func (a *app) compareRuns(ctx context.Context, j compare.Job) (*compare.Result, error) {
	debug.SetGCPercent(garbagePercent)
	names := j.Runs() // all must be analyzed
	return runJob(ctx, a, j.Lake, names, keepStoredOptions(), "compare", func(meter *pipeline.Meter) (*compare.Result, bool, error) {
		j.Progress = meter
		return compare.Run(ctx, j)
	})
}

// reportVerdict writes the files of --report, then the standard output.
// A file that cannot be written is an error before anything is printed.
func (a *app) reportVerdict(ctx context.Context, j compare.Job, f compareFlags, report *verdict.Report, files []reportFile) error {
	for _, file := range files { // each file is complete before the next begins
		write := func(out io.Writer) error { return report.WriteDocument(out, file.format, f.top) }
		if err := a.writeOutput(file.name, write); err != nil {
			return fmt.Errorf("--report %s: %w", file.format, err)
		}
	}
	if err := report.Write(a.stdout, f.format, f.top); err != nil {
		return err
	}
	footer := ""
	if f.format == verdict.Text {
		footer = report.Footer()
	}
	return a.finishCompare(ctx, j, f, report.Failed(), footer)
}

// finishCompare writes what --levels adds and the footer of a text, and returns the exit code of the gate.
// The exit code 3 is returned last, when all output is there.
func (a *app) finishCompare(ctx context.Context, j compare.Job, f compareFlags, failed bool, footer string) error {
	if f.levels {
		if err := a.levelsOfSides(ctx, j, f); err != nil {
			return err
		}
	}
	fmt.Fprint(a.stdout, footer)
	if failed {
		return console.Exit(console.Changed)
	}
	return nil
}
