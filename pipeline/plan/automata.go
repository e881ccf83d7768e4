package plan

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/automata"
)

// automataStage holds the prefix trees of a bucket's words, which grow with the variety of behaviour and not with its
// amount; 16 bytes an event is the bound for traces that never repeat.
func automataStage() pipeline.Stage {
	return pipeline.Stage{
		Name: "automata", Version: 1, Doc: "infers the automaton of every service fragment (Constructive Model Inference)",
		Reads: []string{"events"}, Writes: []string{"fragments", "states", "transitions"},
		BytesPerRow: 16, Run: runAutomata,
	}
}

// symbolColumns are what the automata see of an event.
var symbolColumns = []string{"seq", "component", "lifeline", "function", "kind", "direction", "peer"}

// runAutomata infers the automata of a bucket's components.
func runAutomata(t *pipeline.Task) error {
	ev := schema.NewEvents()
	b := automata.NewBuilder(ev.Names)
	err := t.Scan("events", ev, func() error {
		b.Add(ev, &t.Ledger)
		return nil
	}, symbolColumns...)
	if err != nil {
		return err
	}
	m := b.Model(&t.Ledger)
	if err := pipeline.WriteRows(t, "fragments", m.Fragments); err != nil {
		return err
	}
	if err := pipeline.WriteRows(t, "states", m.States); err != nil {
		return err
	}
	return pipeline.WriteRows(t, "transitions", m.Transitions)
}
