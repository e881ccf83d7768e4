package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/plantable"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
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
	c := &cobra.Command{
		Use: "plan RUN", Short: "Show the tasks of an analysis, and with --measured what they cost",
		Long: `Shows the stages of a run as the engine plans them: into how many tasks each is divided, what the tasks read, and the
memory that the largest is taken to need. A stage is ready to run when all tables that it reads are there. Nothing is run.

Every task notes what it costs; --measured shows it for the tables that the lake has: CPU seconds of all tasks and of the
longest, bytes read and written. With one job (analyze run --jobs 1) the notes are exact; tasks that ran at the same time
share what the process used in equal parts. Bytes are those of system calls, also where files were cached, and are known on
Linux. --format json has every task; benchmarks/scaling plays it on any number of cores.`,
		Example: `  analyze plan nightly
  analyze plan --measured nightly
  analyze plan --measured --format json nightly > tasks.json`,
		Args: exactly(1, "name one run"),
		RunE: func(_ *cobra.Command, args []string) error { return a.showPlan(args[0], f) },
	}
	c.Flags().BoolVar(&f.measured, "measured", false, "show what the tasks cost that made the tables")
	c.Flags().StringVar(&f.format, "format", "text", "text or json")
	return c
}

// showPlan plans the stages of a run with the options that it was analyzed with.
func (a *app) showPlan(run string, f planFlags) error {
	if f.format != "text" && f.format != "json" {
		return console.Usagef("--format %q: text or json", f.format)
	}
	l, err := a.open()
	if err != nil {
		return err
	}
	if _, err := l.Table("runs", lake.Run(run)); err != nil { // wrong usage where the run is not there
		return err
	}
	o, err := keepStoredOptions().optionsOf(l, run) // the options of its last analysis
	if err != nil {
		return err
	}
	e := a.engine(l)
	if e.Stages, err = pipeline.Order(plan.Stages(o), plan.Given...); err != nil { // edges follow from tables
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
