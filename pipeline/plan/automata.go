package plan

import (
	"cmp"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/automata"
)

var _ = declare(automataStage)

// automataStage holds the prefix trees of a bucket's words, which grow with the variety of behaviour and not with its
// amount; 16 bytes an event is the bound for traces that never repeat.
func automataStage(Options) pipeline.Stage {
	return pipeline.Stage{
		Name: "automata", Version: 1, Doc: "infers the automaton of every service fragment (Constructive Model Inference)",
		Reads: []string{"events"}, Writes: []string{"fragments", "states", "transitions"},
		BytesPerRow: 16, Run: runAutomata,
	}
}

// symbolColumns are the columns from which the automata's alphabet is made: times do not matter to them.
var symbolColumns = []string{"seq", "component", "lifeline", "function", "kind", "direction", "peer"}

// runAutomata infers the automata of a bucket's components: one for every service fragment, whose words begin and end with
// an execution that a component starts anew. Losses are words that the trace cuts short.
func runAutomata(t *pipeline.Task) error {
	ev := schema.NewEvents()
	b := automata.NewBuilder(ev.Names)
	add := func(ev *schema.Events) { b.Add(ev, &t.Ledger) }
	if err := pipeline.Feed(t, "events", ev, add, symbolColumns...); err != nil {
		return err
	}
	m := b.Model(&t.Ledger)
	return cmp.Or(
		pipeline.WriteRows(t, "fragments", m.Fragments),
		pipeline.WriteRows(t, "states", m.States),
		pipeline.WriteRows(t, "transitions", m.Transitions),
	)
}
