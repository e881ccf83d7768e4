// Package plan is the table of contents of an analysis: one file a stage, with its declaration and the glue between the
// tables of the lake and the package of the same name under stages, which knows neither lake nor tasks.
//
// A stage's options stand in its declaration and reach its tasks as the text that stands in the manifest, so that a task
// needs nothing but the lake and the plan.
package plan

import (
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/constraints"
)

// Options are what an analysis of a run can be asked for.
type Options struct {
	Constraints constraints.Options // how events are taken to depend on each other in time
	Models      *Models             // nil: no component models
	Gains       bool                // what faster functions would gain
	Steps       bool                // the steps of critical paths
	Signals     bool                // usage of resources and root executions under way
}

// Given are the tables that an ingest leaves.
var Given = []string{"events", "messages", "arrivals", "annotations"}

// declared are the stages by the file that declares them: a new stage is its file, and no list names it again.
var declared []func(Options) pipeline.Stage

// declare adds a stage to the plan. The function returns a stage without a name where the options do not ask for it.
func declare(stage func(Options) pipeline.Stage) bool {
	declared = append(declared, stage)
	return true
}

// Stages lists the stages of a run in reading order, which is that of the tables that they write.
func Stages(o Options) []pipeline.Stage {
	position := make(map[string]int)
	for i, t := range schema.Tables() {
		position[t.Name] = i
	}
	var stages []pipeline.Stage
	for _, stage := range declared {
		if s := stage(o); s.Name != "" {
			stages = append(stages, s)
		}
	}
	slices.SortStableFunc(stages, func(a, b pipeline.Stage) int { return position[a.Writes[0]] - position[b.Writes[0]] })
	return stages
}

// Needed returns the stages with some names and those that write what they read, in the order of the plan.
func Needed(all []pipeline.Stage, names []string) []pipeline.Stage {
	wanted := make(map[string]bool)
	for _, name := range names {
		wanted[name] = true
	}
	// Each round adds the stages that write what a wanted one reads. There are few stages, so the rounds cost
	// nothing.
	for grown := true; grown; {
		grown = false
		for _, s := range all {
			needed := slices.ContainsFunc(all, func(user pipeline.Stage) bool { return wanted[user.Name] && reads(user, s) })
			if needed && !wanted[s.Name] {
				wanted[s.Name], grown = true, true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(s pipeline.Stage) bool { return !wanted[s.Name] })
}

// reads says whether a stage reads a table of another.
// A stage depends on another by nothing else.
func reads(user, writer pipeline.Stage) bool {
	return slices.ContainsFunc(writer.Writes, func(table string) bool { return slices.Contains(user.Reads, table) })
}

// walkBytes is what a walk over windows of the chart takes, as if every row of a task that streams held so much.
const walkBytes = 1024
