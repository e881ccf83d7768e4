package main

import "github.com/tracelake/tracelake/pipeline"

// plan lists the stages in reading order: the table of contents of an analysis. ingest made the tables
// given; every stage here is a package of the same name under stages, and every table is described in
// schema.
func plan(o options) []pipeline.Stage {
	stages := []pipeline.Stage{{
		Name: "executions", Version: 2, Doc: "pairs enters and exits: nesting, self time, role, service fragment",
		Reads: []string{"events"}, Writes: []string{"executions"},
		BytesPerRow: 150, Streamed: true, Run: runExecutions,
	}, {
		Name: "automata", Version: 1, Doc: "infers the automaton of every service fragment (Constructive Model Inference)",
		Reads: []string{"events"}, Writes: []string{"fragments", "states", "transitions"},
		BytesPerRow: 16, Run: runAutomata,
	}, {
		Name: "samples", Version: 1, Doc: "replays the trace through the automata: time samples in four normalisations",
		Reads: []string{"events", "transitions"}, Writes: []string{"samples"},
		BytesPerRow: sampleBytes, Run: runSamples,
	}, {
		Name: "metrics", Version: 1, Doc: "derives run times, down times and the times of communication patterns",
		Reads: []string{"executions", "messages"}, Writes: []string{"metrics"},
		BytesPerRow: 100, Run: runMetrics,
	}, {
		Name: "constraints", Version: 1, Doc: "derives the timing constraints of the TMSC and which of them are critical",
		Options: o.constraints, Reads: []string{"events", "messages", "annotations"}, Writes: []string{"constraints"},
		BytesPerRow: 24, Group: 4, Run: runConstraints(o.constraints),
	}, {
		Name: "validate", Version: 1, Doc: "checks the six conditions of a TMSC",
		Reads: []string{"events", "constraints"}, Writes: []string{"violations"},
		BytesPerRow: 200, Streamed: true, Run: runValidate,
	}, {
		Name: "slack", Version: 1, Doc: "how late every event could be, and how early",
		Reads: []string{"constraints"}, Writes: []string{"slack"},
		Whole: true, BytesPerRow: walkBytes, Streamed: true, Run: runSlack,
	}, {
		Name: "compositions", Version: 1, Doc: "follows the critical path of every root execution: where its time goes",
		Reads: []string{"constraints", "executions"}, Writes: []string{"compositions"},
		Whole: true, BytesPerRow: walkBytes, Streamed: true, Run: runCompositions,
	}, {
		Name: "summaries", Version: 2, Doc: "reduces samples, metrics and messages to the figures with which runs are compared",
		Reads: []string{"samples", "fragments", "metrics", "constraints"}, Writes: []string{"summaries"},
		BytesPerRow: summaryBytes, Run: runSummaries,
	}}
	if o.models != nil {
		stages = append(stages, pipeline.Stage{
			Name: componentsStage, Version: 1, Doc: "learns the model of every component from its service fragments (only with --components)",
			Options: *o.models, Reads: []string{"events", "messages", "annotations"}, Writes: []string{"models", "model_states", "model_transitions"},
			Whole: true, BytesPerRow: 100, Run: runComponents(o.models),
		})
	}
	return stages
}

// componentsStage is in the plan where it is asked for, as it takes as long as all others together.
const componentsStage = "components"

// walkBytes is what a walk over windows of the chart takes, as if every row of a task that streams held so much.
const walkBytes = 1024

// given are the tables that an ingest leaves.
var given = []string{"events", "messages", "annotations"}
