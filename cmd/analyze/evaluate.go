package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/evaluate"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/evaluation"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// evaluateFlags are the flags of analyze evaluate.
type evaluateFlags struct {
	cellBy        string        // label whose values are the cells; empty: all runs are one cell
	trace         string        // run whose trace gets faults; empty for the first one
	margin        string        // relative change that does not matter, as 5% or 0.05
	floor         time.Duration // change per root execution that does not matter
	only          []string      // parts to evaluate, of evaluateParts
	out           string        // folder for tables, figures and the summary; empty for none
	format        string        // text or json
	seeds, splits int           // faults of each kind and magnitude; divisions of each cell at most
}

// evaluateParts are the words of --only; by default all parts are evaluated.
var evaluateParts = []string{"aa", "faults", "power"}

const evaluateLong = `Measures how far the verdicts of analyze compare can be trusted on the runs of a lake, in comparison with the methods of
Hilbig 2023 and simpler tests. The runs of a cell, all that are selected or those with the same value of --cell-by,
must be repetitions of the same: every difference between them counts as a false alarm. A cell needs 6 runs.

  aa      runs of a cell are divided into two sides in many ways, and compared: how often is there an alarm?
          how often do intervals hold the truth? how often is a difference of the margin called unchanged?
  faults  timing faults are injected into a copy of one trace, and into independent runs (Hilbig 2023, section
          4.2): noise, spikes, chains of late events, and functions that take longer, always or every other time
  power   costs of some subjects are multiplied on one side: how often is it seen? how many of the verdicts on
          the other subjects are false?

Precision does not count what changed as a consequence of a fault; F1 is 2PR/(P+R), of which Hilbig 2023 prints the
reciprocal. A copy of a trace has no noise but the fault, which flatters precision: independent runs are what
releases are compared by.

With --out, writes the tables as CSV, the summary as Markdown and the figures as SVG. Results do not depend on --jobs.
Runs that are not analyzed yet are analyzed first. The traces of one cell are kept in memory. An evaluation that was
interrupted goes on where it was.`

// evaluateCommand measures how far verdicts can be trusted on repeated runs.
func (a *app) evaluateCommand() *cobra.Command {
	var f evaluateFlags
	v := verdicts.Defaults()
	c := &cobra.Command{
		Use:   "evaluate [RUN|KEY=VALUE]...",
		Short: "Measure how far verdicts can be trusted, on repeated runs",
		Long:  evaluateLong,
		Example: `  analyze evaluate version=8.14 --out evaluation
  analyze evaluate --cell-by cell --only aa --splits 20
  analyze evaluate set=quiet --cell-by cell --only faults --trace quiet-8.14-1 --seeds 3`,
		RunE: func(c *cobra.Command, args []string) error { return a.evaluate(c.Context(), args, f) },
	}
	p := c.Flags()
	p.StringVar(&f.cellBy, "cell-by", "", "label whose values are the cells (default: all runs are one cell)")
	p.StringVar(&f.trace, "trace", "", "the run into whose trace faults are injected; its cell has the independent runs (default: the first run)")
	p.IntVar(&f.seeds, "seeds", 12, "number of faults of every kind and magnitude")
	p.IntVar(&f.splits, "splits", 126, "maximum of divisions of every cell and number of runs; 10 runs have 126 into halves")
	p.StringVar(&f.margin, "margin", "5%", "relative change that does not matter")
	p.DurationVar(&f.floor, "floor", time.Duration(v.FloorNs), "change per root execution that does not matter")
	p.StringSliceVar(&f.only, "only", evaluateParts, "what to evaluate, with commas between")
	p.StringVar(&f.out, "out", "", "the folder for tables, summary and figures")
	a.Choice(p, &f.format, "format", "text", "text or json", "text", "json")
	return c
}

// job turns the flags into a job without runs.
// The verdicts are those that analyze compare gives with the same --margin and --floor.
func (f *evaluateFlags) job() (j evaluate.Job, err error) {
	of := compareFlags{margin: f.margin, floor: f.floor, fdr: verdicts.Defaults().FDR} // whose checks hold here, too
	if j.Verdicts, err = of.verdictOptions(); err != nil {
		return j, err
	}
	for _, part := range f.only {
		switch part {
		case "aa":
			j.Parts.AA = true
		case "faults":
			j.Parts.Faults = true
		case "power":
			j.Parts.Power = true
		default:
			return j, console.Usagef("--only %s: one of %s, or several with commas between", part, strings.Join(evaluateParts, ", "))
		}
	}
	switch {
	case f.seeds < 1 || f.splits < 1:
		return j, console.Usagef("--seeds and --splits are 1 or more")
	}
	j.Seeds, j.Splits, j.Thresholds = f.seeds, f.splits, sampletests.Defaults() // thresholds of the methods of the thesis
	return j, nil
}

// evaluate brings the runs up to date, evaluates them cell by cell and reports the result. Nothing is kept in the lake.
func (a *app) evaluate(ctx context.Context, selectors []string, f evaluateFlags) error {
	j, err := f.job()
	if err != nil {
		return err
	}
	l, err := a.openToWrite()
	if err != nil {
		return err
	}
	if j.Cells, err = f.cells(l, selectors); err != nil { // checked before anything is analyzed
		return err
	}
	// The cell of the traced run has the independent runs that get faults.
	if j.Trace, err = f.tracedRun(j.Cells); err != nil {
		return err
	}
	var names []string
	for _, c := range j.Cells {
		names = append(names, c.Runs...)
	}
	if _, err := a.bringUpToDate(ctx, l, names, keepStoredOptions()); err != nil { // summaries of all runs, as compare needs them
		return err
	}
	j.Engine = a.engine(l)
	var done func()
	j.Progress, done = a.Progress(a.stderr, "evaluate", false)
	result, err := evaluate.Run(ctx, j)
	done() // ends the progress bar
	if err != nil {
		return err
	}
	return a.reportEvaluation(&evaluation.Report{Result: result, Seeds: j.Seeds, Command: f.command(selectors)}, f)
}

// reportEvaluation writes the files of --out and prints the summary.
// Each file is written whole or not at all.
func (a *app) reportEvaluation(r *evaluation.Report, f evaluateFlags) error {
	if f.out != "" {
		if err := os.MkdirAll(f.out, 0o777); err != nil { // it may be there
			return err
		}
		for _, d := range r.Documents() {
			if err := a.writeOutput(filepath.Join(f.out, d.Name), d.Write); err != nil {
				return err
			}
		}
	}
	return inFormat(f.format, r.WriteText, r.WriteJSON)(a.stdout)
}

// minCellRuns is the minimum of runs in a cell: a verdict needs three per side.
const minCellRuns = 2 * verdicts.MinRuns

// cells divides the selected runs into cells by the label of --cell-by, in the order of their names.
// Every selected run must have the label of --cell-by. A cell of too few runs is wrong usage: its divisions would
// show nothing.
func (f *evaluateFlags) cells(l *lake.Lake, selectors []string) ([]evaluate.Cell, error) {
	names, err := runs.Select(l, selectors)
	if err != nil {
		return nil, err
	}
	described, err := runs.Described(l, names)
	if err != nil {
		return nil, err
	}
	byName := make(map[string][]string)
	for _, run := range names {
		name := "all" // without --cell-by
		if f.cellBy != "" {
			value, has := described[run].Labels[f.cellBy]
			if !has {
				return nil, console.Usagef("--cell-by %s: run %s has no such label", f.cellBy, run)
			}
			name = value
		}
		byName[name] = append(byName[name], run)
	}
	var cells []evaluate.Cell
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if n := len(byName[name]); n < minCellRuns { // fewer have no two sides that a verdict can be on
			return nil, console.Usagef("the cell %s has %s: an evaluation needs %d repetitions of the same", name, texttab.Plural(n, "run"), minCellRuns)
		}
		cells = append(cells, evaluate.Cell{Name: name, Runs: byName[name]})
	}
	return cells, nil
}

// tracedRun returns the run into whose trace faults are injected.
// By default it is the first run of the first cell.
func (f *evaluateFlags) tracedRun(cells []evaluate.Cell) (string, error) {
	if f.trace == "" {
		return cells[0].Runs[0], nil
	}
	for _, c := range cells {
		if slices.Contains(c.Runs, f.trace) {
			return f.trace, nil
		}
	}
	return "", console.Usagef("--trace %s: not one of the runs to evaluate", f.trace)
}

// command returns the command that makes the same again.
// It stands in the summary, with the flags that choose the runs and the number of trials.
func (f *evaluateFlags) command(selectors []string) string {
	words := append([]string{"analyze evaluate"}, selectors...)
	if f.cellBy != "" {
		words = append(words, "--cell-by", f.cellBy)
	}
	if f.trace != "" {
		words = append(words, "--trace", f.trace)
	}
	words = append(words, fmt.Sprintf("--seeds %d --splits %d", f.seeds, f.splits))
	return strings.Join(words, " ")
}
