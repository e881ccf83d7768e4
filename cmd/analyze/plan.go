package main

import (
	"github.com/tracelake/tracelake/pipeline"
)

// plan lists the stages in reading order: the table of contents of an analysis. ingest made the tables
// events and messages; every stage here is a package of the same name under stages, and every table is
// described in schema.
var plan = []pipeline.Stage{
	{
		Name: "executions", Version: 1, Doc: "pairs enters and exits: nesting, self time, role, service fragment",
		Reads: []string{"events"}, Writes: []string{"executions"},
		BytesPerRow: 150, Streamed: true, Run: runExecutions,
	},
	{
		Name: "automata", Version: 1, Doc: "infers the automaton of every service fragment (Constructive Model Inference)",
		Reads: []string{"events"}, Writes: []string{"fragments", "states", "transitions"},
		BytesPerRow: 16, Run: runAutomata,
	},
	{
		Name: "samples", Version: 1, Doc: "replays the trace through the automata: time samples in four normalisations",
		Reads: []string{"events", "transitions"}, Writes: []string{"samples"},
		BytesPerRow: sampleBytes, Run: runSamples,
	},
	{
		Name: "metrics", Version: 1, Doc: "derives run times, down times and the times of communication patterns",
		Reads: []string{"executions", "messages"}, Writes: []string{"metrics"},
		BytesPerRow: 100, Run: runMetrics,
	},
}

// given are the tables that an ingest leaves.
var given = []string{"events", "messages"}
