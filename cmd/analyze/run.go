package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/tasks"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// runCommand analyzes runs.
func (a *app) runCommand() *cobra.Command {
	var f *optionFlags
	var elsewhere *tasks.Elsewhere
	c := &cobra.Command{
		Use:   "run [RUN|KEY=VALUE]...",
		Short: "Run every stage that is not up to date",
		Long: `Runs every stage whose tables are missing or were made from something else than what is there now.
Names a run or, as key=value, all runs with that label; without arguments, all runs.

A run that was interrupted goes on where it was: tasks that are done are not done again.

Which of the timing constraints into an event held it back is not in the trace: --bounds says how to decide. paper: the one
whose source is later, and both when both took less than --epsilon (Jonk et al. 2019, section IV-D). pps: as the time-bound
analysis of TNO's PPS does it. A run keeps these options until it is analyzed with others.`,
		Example: `  analyze run
  analyze run --memory 1GiB --jobs 2 nightly release=8.14.1
  analyze run --bounds paper --epsilon 10us --epsilon notify=50us nightly
  analyze run --bounds pps --default-bound 15us nightly
  analyze run --stage compositions --stage validate nightly
  analyze run --executor slurm --nodes 4 nightly
  analyze run --executor kubernetes --nodes 16 --pod pod.yaml nightly`,
		RunE: func(c *cobra.Command, args []string) error { return a.analyze(c.Context(), args, f, elsewhere) },
	}
	f = a.addOptionFlags(c)
	elsewhere = tasks.AddElsewhere(c, &a.Globals, a.stderr)
	return c
}

// analyze checks the flags before it locks the lake, so that a mistake does not wait for another process.
// Runs of other options are other jobs of the engine: see bringUpToDate.
func (a *app) analyze(ctx context.Context, args []string, f *optionFlags, elsewhere *tasks.Elsewhere) error {
	if _, err := f.options(); err != nil { // checked for all runs at once
		return err
	}
	if err := elsewhere.Check(); err != nil {
		return err
	}
	l, err := a.openToWrite()
	if err != nil {
		return err
	}
	names, err := runs.Select(l, args) // no arguments: all runs
	if err != nil {
		return err
	}
	all := names
	if names, err = runs.Whole(l, names); err != nil {
		return err
	}
	for _, name := range all { // which nothing can be made of any more
		if !slices.Contains(names, name) {
			a.Logger(a.stderr).Info("run " + name + ": only its summaries are left")
		}
	}
	if len(names) == 0 {
		return follow(ctx, l, false)
	}
	if names, err = elsewhere.Element(names); err != nil {
		return err
	}
	if did, err := elsewhere.Submit(ctx, names, func() ([]string, error) { return a.undone(l, names, f) }); did || err != nil {
		return err
	}
	a.executor = elsewhere.Executor
	outcomes, err := a.bringUpToDate(ctx, l, names, f) // the outcomes are logged also if some were made before
	failed, fault := runs.Failures(l, names)
	if err = cmp.Or(err, fault); err != nil {
		return err
	}
	a.logOutcomes(outcomes, failed) // one line for each run
	return follow(ctx, l, isNew(outcomes))
}

// undone lists those of some runs of which a stage is not up to date.
func (a *app) undone(l *lake.Lake, runs []string, f *optionFlags) (undone []string, err error) {
	for _, run := range runs {
		e, err := a.planEngine(l, run, f)
		if err != nil {
			return nil, err
		}
		stale, err := e.Stale(lake.Run(run))
		if err != nil {
			return nil, err
		}
		if len(stale) > 0 {
			undone = append(undone, run)
		}
	}
	return undone, nil
}

// bringUpToDate runs the plan over runs, each with its own options. Runs of equal options are one job of the engine.
// The outcomes are in the order of the runs. A run that is up to date costs only the comparison of its
// fingerprints.
func (a *app) bringUpToDate(ctx context.Context, l *lake.Lake, runs []string, f *optionFlags) ([]pipeline.Outcome, error) {
	wanted := make(map[string]plan.Options)    // by their text
	alike := make(map[string][]lake.Partition) // runs by their options as text
	for _, run := range runs {
		if err := checkIngested(l, run); err != nil {
			return nil, err
		}
		o, err := f.optionsOf(l, run)
		if err != nil {
			return nil, err
		}
		text := lake.OptionText(o.Constraints) + lake.OptionText(o.Models) + lake.OptionText(o.Gains) + lake.OptionText(o.Steps)
		wanted[text] = o
		alike[text] = append(alike[text], lake.Run(run))
	}
	// One bar shows the work of all runs.
	meter, done := a.Progress(a.stderr, "analyze", false)
	defer done()
	var outcomes []pipeline.Outcome
	// The order of the groups is fixed, so that logs are, too.
	for _, text := range slices.Sorted(maps.Keys(alike)) {
		stages, err := f.chosen(plan.Stages(wanted[text]))
		if err != nil {
			return nil, err
		}
		did, err := a.runPlan(ctx, l, alike[text], stages, meter) // one job of the engine
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, did...) // group by group
	}
	slices.SortStableFunc(outcomes, func(x, y pipeline.Outcome) int {
		return slices.Index(runs, x.Partition.Name) - slices.Index(runs, y.Partition.Name)
	})
	return outcomes, nil
}

// runPlan runs stages over partitions, and then collects the losses of their tasks in the table losses.
// Only tables that the lake lacks, or whose inputs changed, are made.
func (a *app) runPlan(ctx context.Context, l *lake.Lake, partitions []lake.Partition, stages []pipeline.Stage, meter *pipeline.Meter) ([]pipeline.Outcome, error) {
	stages, err := pipeline.Order(stages, plan.Given...)
	if err != nil {
		return nil, err
	}
	e := a.engine(l)
	e.Stages, e.Progress = stages, meter
	if a.executor != nil {
		if e.Executor, err = a.executor(e); err != nil {
			return nil, err
		}
	}
	if a.LogFormat == "json" { // text shows a summary at the end instead
		e.Log = a.Logger(a.stderr).Info
	}
	outcomes, err := e.Run(ctx, partitions)
	if err != nil {
		return nil, err
	}
	for _, p := range partitions { // losses of tasks are kept beside their tables
		if err := pipeline.WriteLosses(ctx, l, p); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// checkIngested checks that a run has all tables that an ingest of this program makes, for those of earlier versions made
// fewer.
func checkIngested(l *lake.Lake, run string) error {
	have, err := l.Inventory(lake.Run(run))
	if err != nil {
		return err
	}
	if reduced, err := runs.Reduced(l, run); err != nil || reduced {
		return cmp.Or(err, error(runs.ReducedError{Run: run}))
	}
	for _, table := range plan.Given {
		m := have.Table(table)
		if m != nil && m.Stage == ingest.StageName && m.Version < ingest.OldestVersion {
			return fmt.Errorf("run %s was ingested by an earlier version, whose tables have other columns: ingest it again", run)
		}
		if m == nil { // an ingest of an earlier version
			return fmt.Errorf("run %s has no table %s, which ingests of earlier versions did not make: ingest it again", run, table)
		}
	}
	return nil
}

// summarised are the tables whose numbers of rows are reported for a run.
var summarised = []string{"executions", "fragments", "transitions", "samples", "metrics", "constraints", "violations", "models", "derived_signals"}

// logOutcomes reports for each run the rows that were made, and how many executions failed as the trace says.
// A run appears once, whatever the number of its stages.
func (a *app) logOutcomes(outcomes []pipeline.Outcome, failed map[string]int64) {
	rows := make(map[string]map[string]int64) // by run and table
	var order []string
	for _, o := range outcomes {
		run := o.Partition.Name
		if rows[run] == nil {
			rows[run] = make(map[string]int64)
			order = append(order, run)
		}
		for table, n := range o.Rows {
			rows[run][table] += n // several stages may write one table
		}
	}
	log := a.Logger(a.stderr)
	for _, run := range order {
		r := rows[run]
		if len(r) == 0 { // no stage had anything to do
			log.Info("run " + run + ": up to date")
			continue
		}
		var made []string
		for _, table := range summarised {
			if n, has := r[table]; has {
				made = append(made, texttab.Plural(n, strings.ReplaceAll(strings.TrimSuffix(table, "s"), "_", " ")))
			}
		}
		if len(made) == 0 { // of --stage: tables that no summary counts
			for _, table := range slices.Sorted(maps.Keys(r)) {
				made = append(made, texttab.Plural(r[table], "row")+" of "+table)
			}
		}
		if n := failed[run]; n > 0 {
			made = append(made, texttab.Plural(n, "failed execution"))
		}
		log.Info("run " + run + ": " + strings.Join(made, ", "))
	}
}
