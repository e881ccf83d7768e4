package plan

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/executions"
)

var _ = declare(executionsStage)

// executionsStage streams, so memory is one row group of events and the open calls of its lifelines.
func executionsStage(Options) pipeline.Stage {
	return pipeline.Stage{
		Name: "executions", Version: 2, Doc: "pairs enters and exits: nesting, self time, role, service fragment",
		Reads: []string{"events"}, Writes: []string{"executions"},
		ByLifeline: true, BytesPerRow: 150, Streamed: true, Prepare: prepareOrdinals, Run: runExecutions,
	}
}

// runExecutions streams the events of a bucket through the call stacks of its lifelines, all of which lie in one bucket. An
// execution is written when it ends, so rows come in the order of the exits.
func runExecutions(t *pipeline.Task) error {
	ev := schema.NewEvents()
	rows := schema.NewExecutions(ev.Names)
	out, err := t.Create("executions", rows)
	if err != nil {
		return err
	}
	given, err := openOrdinals(t)
	if err != nil {
		return err
	}
	defer given.close()
	b := executions.NewBuilder(ev.Names)
	err = t.Scan("events", ev, func() (err error) {
		if b.Given, _, err = given.reach(ev); err != nil {
			return err
		}
		b.Add(ev, rows, &t.Ledger)
		return out.WriteFull(rows)
	}, "seq", "time_ns", "component", "lifeline", "function", "kind", "direction", "peer", "execution_type", "synthetic")
	if err != nil {
		return err
	}
	return out.Close(rows)
}
