package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/plantable"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/history"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/modelsets"
	"github.com/tracelake/tracelake/pipeline/plan"
)

// planFlags are the flags of plan.
type planFlags struct {
	measured bool   // show what the tasks cost
	format   string // text or json
}

// planCommand shows the task graph of a run.
func (a *app) planCommand() *cobra.Command {
	var f planFlags
	var o *optionFlags
	c := &cobra.Command{
		Use: "plan RUN [STAGE]", Short: "Show the tasks of an analysis, and with --measured what they cost",
		Long: `Shows the stages of a run as the engine plans them: into how many tasks each is divided, what the tasks read, and the
memory that the largest is taken to need. A stage is ready to run when all tables that it reads are there. Nothing is run.
CPU s is what all tasks are expected to take: what they took the last time, or by their rows what the stage took in a run of
a near name; nothing where the lake has no notes.

Every task notes what it costs; --measured shows it for the tables that the lake has: CPU seconds of all tasks and of the
longest, bytes read and written. With one job (analyze run --jobs 1) the notes are exact; tasks that ran at the same time
share what the process used in equal parts. Bytes are those of system calls, also where files were cached, and are known on
Linux. --format json has every task; benchmarks/scaling plays it on any number of cores.

With a STAGE its plan is left in the lake for other processes, which do its tasks with "analyze task" and make its tables exist
with "analyze commit": the table, or the JSON, says which tasks, in which phases. Where the stage is up to date, there are none.`,
		Example: `  analyze plan nightly
  analyze plan --measured nightly
  analyze plan --measured --format json nightly > tasks.json
  analyze plan nightly executions`,
		Args: cobra.MatchAll(atLeast(1, "name one run"), atMost(2, "name one run, and a stage")),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				return a.publishPlan(c.Context(), args[0], args[1], f, o)
			}
			return a.showPlan(args[0], f, o)
		},
	}
	o = a.addOptionFlags(c)
	c.Flags().BoolVar(&f.measured, "measured", false, "show what the tasks cost that made the tables")
	c.Flags().StringVar(&f.format, "format", "text", "text or json")
	return c
}

// planEngine returns an engine with the stages of a run, with the options that are asked for or that it was analyzed with.
func (a *app) planEngine(l *lake.Lake, run string, f *optionFlags) (*pipeline.Engine, error) {
	if _, err := l.Table("runs", lake.Run(run)); err != nil { // wrong usage where the run is not there
		return nil, err
	}
	o, err := f.optionsOf(l, run)
	if err != nil {
		return nil, err
	}
	stages, err := f.chosen(plan.Stages(o))
	if err != nil {
		return nil, err
	}
	e := a.engine(l)
	e.Stages, err = pipeline.Order(stages, plan.Given...) // edges follow from tables
	return e, err
}

// taskEngine returns an engine that can do the tasks of any stage of what a name means, a run or a comparison: a task has its options from the
// plan.
func (a *app) taskEngine(l *lake.Lake, name string) (*pipeline.Engine, lake.Partition, error) {
	if id, is := strings.CutPrefix(name, lake.Comparison("").String()); is {
		e, err := a.engine(l), error(nil)
		e.Stages, err = comparisons(l, id)
		return e, lake.Comparison(id), err
	}
	e, err := a.runTaskEngine(l, name)
	return e, lake.Run(name), err
}

// comparisons are the stages that make a comparison, of which those that are done have the options that they were asked for, so that they are
// up to date.
func comparisons(l *lake.Lake, id string) ([]pipeline.Stage, error) {
	v, err := l.Inventory(lake.Comparison(id))
	if err != nil {
		return nil, err
	}
	var pairs compare.Spec
	var series history.Spec
	var sets modelsets.Spec
	for stage, spec := range map[string]any{compare.Stage(pairs).Name: &pairs, history.Stage(series).Name: &series, modelsets.Stage(sets).Name: &sets} {
		for _, m := range v.Tables {
			if m.Stage == stage {
				err = json.Unmarshal([]byte(m.Options), spec)
				break
			}
		}
		if err != nil {
			return nil, fmt.Errorf("comparison %s: %w: compare again", id, err)
		}
	}
	return []pipeline.Stage{compare.Stage(pairs), history.Stage(series), modelsets.Stage(sets)}, nil
}

// runTaskEngine is taskEngine of a run.
func (a *app) runTaskEngine(l *lake.Lake, run string) (*pipeline.Engine, error) {
	f := keepStoredOptions()
	f.stages = []string{plan.GainsStage, plan.CriticalStepsStage, plan.SignalsStage, plan.ComponentsStage} // made only where they are asked for
	o, err := f.optionsOf(l, run)
	if err != nil {
		return nil, err
	}
	e := a.engine(l)
	e.Stages, err = pipeline.Order(plan.Stages(o), plan.Given...)
	return e, err
}

// publishPlan leaves the plan of a stage in the lake, and says what its tasks are.
func (a *app) publishPlan(ctx context.Context, run, stage string, f planFlags, options *optionFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	l, err := a.openToWrite()
	if err != nil {
		return err
	}
	options.stages = []string{stage}
	e, err := a.planEngine(l, run, options)
	if err != nil {
		return err
	}
	published, err := e.Publish(ctx, lake.Run(run), stage)
	if err != nil {
		return fmt.Errorf("%s of %s: %w", stage, run, err)
	}
	return inFormat(f.format, plantable.WritePublished, plantable.WritePublishedJSON)(a.stdout, published)
}

// planComparison brings runs up to date, leaves the plan of a comparison of them in the lake, and says what its tasks are.
func (a *app) planComparison(ctx context.Context, e *pipeline.Engine, runs []string, options *optionFlags, id string, stage pipeline.Stage, format string) error {
	if _, err := a.bringUpToDate(ctx, e.Lake, runs, options); err != nil {
		return err
	}
	e.Stages = []pipeline.Stage{stage}
	published, err := e.Publish(ctx, lake.Comparison(id), stage.Name)
	if err != nil {
		return fmt.Errorf("%s of %s: %w", stage.Name, id, err)
	}
	a.Logger(a.stderr).Info(fmt.Sprintf("comparison %s: the plan is in the lake; analyze task %s %s TASKS does its tasks", id, lake.Comparison(id), stage.Name))
	return inFormat(format, plantable.WritePublished, plantable.WritePublishedJSON)(a.stdout, published)
}

// check refuses flags that make no sense.
func (f planFlags) check() error {
	if f.format != "text" && f.format != "json" {
		return console.Usagef("--format %q: text or json", f.format)
	}
	return nil
}

// showPlan plans the stages of a run.
func (a *app) showPlan(run string, f planFlags, options *optionFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	l, err := a.open()
	if err != nil {
		return err
	}
	e, err := a.planEngine(l, run, options)
	if err != nil {
		return err
	}
	graph, err := e.Graph(lake.Run(run))
	if err != nil {
		return err
	}
	if f.format == "json" {
		if !f.measured {
			plantable.DropCosts(graph) // costs are there with --measured only
		}
		encoder := json.NewEncoder(a.stdout)
		encoder.SetIndent("", " ")
		return encoder.Encode(graph)
	}
	if f.measured {
		return plantable.Costs(graph).Write(a.stdout)
	}
	return plantable.Tasks(graph).Write(a.stdout)
}
