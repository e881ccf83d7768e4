package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// planFlags are the flags of plan.
type planFlags struct {
	measured bool
	format   string
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
	if _, err := l.Table("runs", lake.Run(run)); err != nil {
		return err
	}
	o, err := keepStoredOptions().optionsOf(l, run)
	if err != nil {
		return err
	}
	e := a.engine(l)
	if e.Stages, err = pipeline.Order(plan.Stages(o), plan.Given...); err != nil {
		return err
	}
	graph, err := e.Graph(lake.Run(run))
	if err != nil {
		return err
	}
	if f.format == "json" {
		if !f.measured {
			dropCosts(graph)
		}
		encoder := json.NewEncoder(a.stdout)
		encoder.SetIndent("", " ")
		return encoder.Encode(graph)
	}
	if f.measured {
		return costTable(graph).Write(a.stdout)
	}
	return taskTable(graph).Write(a.stdout)
}

// dropCosts leaves the plan alone.
func dropCosts(graph []pipeline.Planned) {
	for _, s := range graph {
		for i := range s.Tasks {
			s.Tasks[i].Cost = nil
		}
	}
}

// taskTable has a row for every stage: what it is going to do.
func taskTable(graph []pipeline.Planned) *texttab.Table {
	g := texttab.New("lrrrrl")
	g.Row("stage", "tasks", "rows", "MB", "MB of memory", "reads")
	for _, s := range graph {
		if len(s.Tasks) == 0 {
			g.Row(s.Stage, "", "", "", "", strings.Join(s.Reads, " "))
			continue
		}
		var rows, bytes, memory int64
		for _, t := range s.Tasks {
			rows, bytes, memory = rows+t.Rows, bytes+t.Bytes, max(memory, t.Memory)
		}
		g.Row(s.Stage, texttab.Count(len(s.Tasks)), texttab.Count(rows), megabytes(bytes), megabytes(memory), strings.Join(s.Reads, " "))
	}
	return g
}

// costTable has a row for every stage, what it did, and one for all of them.
func costTable(graph []pipeline.Planned) *texttab.Table {
	g := texttab.New("lrrrrr")
	g.Row("stage", "tasks", "CPU s", "longest CPU s", "MB read", "MB written")
	var all lake.Cost
	tasks, longest := 0, int64(0)
	for _, s := range graph {
		var sum lake.Cost
		most, known := int64(0), false
		for _, t := range s.Tasks {
			if t.Cost != nil {
				known = true
				addCost(&sum, t.Cost)
				most = max(most, t.Cost.CPUNs)
			}
		}
		if !known {
			g.Row(s.Stage, "", "", "", "", "")
			continue
		}
		costRow(g, s.Stage, len(s.Tasks), &sum, most)
		addCost(&all, &sum)
		tasks, longest = tasks+len(s.Tasks), max(longest, most)
	}
	if tasks > 0 {
		costRow(g, "all", tasks, &all, longest)
	}
	return g
}

// addCost adds what a task cost to what others did.
func addCost(sum, c *lake.Cost) {
	sum.CPUNs, sum.ReadBytes, sum.WrittenBytes = sum.CPUNs+c.CPUNs, sum.ReadBytes+c.ReadBytes, sum.WrittenBytes+c.WrittenBytes
}

func costRow(g *texttab.Table, name string, tasks int, c *lake.Cost, longestNs int64) {
	seconds := func(ns int64) string { return fmt.Sprintf("%.2f", float64(ns)/1e9) }
	g.Row(name, texttab.Count(tasks), seconds(c.CPUNs), seconds(longestNs), megabytes(c.ReadBytes), megabytes(c.WrittenBytes))
}

// megabytes writes a number of bytes in millions.
func megabytes(bytes int64) string { return fmt.Sprintf("%.1f", float64(bytes)/1e6) }
