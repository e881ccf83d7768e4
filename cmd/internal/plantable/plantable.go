// Package plantable makes the tables of the task graph of a run: what its stages are going to do, and what they cost.
package plantable

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/executors"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// DropCosts leaves the plan alone.
func DropCosts(graph []pipeline.Planned) {
	for _, s := range graph {
		for i := range s.Tasks {
			s.Tasks[i].Cost = nil // what they are expected to cost stays
		}
	}
}

// Tasks returns a table that has a row for every stage: what it is going to do.
func Tasks(graph []pipeline.Planned) *texttab.Table {
	g := texttab.New("lrrrrrl")
	g.Row("stage", "tasks", "rows", "MB", "MB of memory", "CPU s", "reads")
	for _, s := range graph {
		if len(s.Tasks) == 0 {
			g.Row(s.Stage, "", "", "", "", "", strings.Join(s.Reads, " "))
			continue
		}
		var rows, bytes, memory int64
		for _, t := range s.Tasks {
			rows, bytes, memory = rows+t.Rows, bytes+t.Bytes, max(memory, t.Memory)
		}
		g.Row(s.Stage, texttab.Count(len(s.Tasks)), texttab.Count(rows), megabytes(bytes), megabytes(memory), expected(s.Tasks), strings.Join(s.Reads, " "))
	}
	return g
}

// Costs returns a table that has a row for every stage, what it did, and one for all of them.
func Costs(graph []pipeline.Planned) *texttab.Table {
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

// expected is the CPU time that tasks are expected to take together, in whole seconds, as an estimate is no better; nothing where the lake has no costs to go by.
func expected(tasks []pipeline.PlannedTask) string {
	var ns int64
	for _, t := range tasks {
		ns += t.ExpectedNs
	}
	switch {
	case ns == 0:
		return ""
	case ns < 1e9:
		return "<1"
	}
	return texttab.Count((ns + 5e8) / 1e9)
}

// addCost adds what a task cost to what others did.
func addCost(sum, c *lake.Cost) {
	sum.CPUNs, sum.ReadBytes, sum.WrittenBytes = sum.CPUNs+c.CPUNs, sum.ReadBytes+c.ReadBytes, sum.WrittenBytes+c.WrittenBytes
}

func costRow(g *texttab.Table, name string, tasks int, c *lake.Cost, longestNs int64) {
	seconds := func(ns int64) string { return fmt.Sprintf("%.2f", float64(ns)/1e9) }
	g.Row(name, texttab.Count(tasks), seconds(c.CPUNs), seconds(longestNs), megabytes(c.ReadBytes), megabytes(c.WrittenBytes))
}

// WritePublished writes a table that has a row for every phase of a stage, whose plan lies in the lake.
func WritePublished(out io.Writer, p *pipeline.Published) error {
	if len(p.Tasks) == 0 {
		_, err := fmt.Fprintln(out, "up to date: nothing is to be done")
		return err
	}
	g := texttab.New("rlrrr")
	g.Row("phase", "tasks", "rows", "MB of memory", "CPU s")
	for i, tasks := range p.Phases {
		rows, memory := int64(0), int64(0)
		var of []pipeline.PlannedTask
		for _, t := range tasks {
			of = append(of, p.Tasks[t])
			rows, memory = rows+p.Tasks[t].Rows, max(memory, p.Tasks[t].Memory)
		}
		g.Row(texttab.Count(i+1), executors.FormatTasks(tasks), texttab.Count(rows), megabytes(memory), expected(of))
	}
	return g.Write(out)
}

// WritePublishedJSON writes the plan of a stage, without tasks where the stage is up to date.
func WritePublishedJSON(out io.Writer, p *pipeline.Published) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", " ")
	return encoder.Encode(p)
}

// megabytes writes a number of bytes in millions.
func megabytes(bytes int64) string { return fmt.Sprintf("%.1f", float64(bytes)/1e6) }
