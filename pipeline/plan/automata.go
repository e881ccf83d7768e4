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
		ByLifeline: true, BytesPerRow: 16, Run: runAutomata, Finish: mergeAutomata,
	}
}

// treesTable is the prefix trees that the buckets of a group hand to mergeAutomata.
const treesTable = "prefix_trees"

// symbolColumns are the columns from which the automata's alphabet is made: times do not matter to them.
var symbolColumns = []string{"seq", "component", "lifeline", "function", "kind", "direction", "peer", "execution_type"}

// runAutomata infers the automata of a bucket's components: one for every service fragment, whose words begin and end with
// an execution that a component starts anew. Losses are words that the trace cuts short.
func runAutomata(t *pipeline.Task) error {
	ev := schema.NewEvents()
	b := automata.NewBuilder(ev.Names)
	add := func(ev *schema.Events) { b.Add(ev, &t.Ledger) }
	if err := pipeline.Feed(t, "events", ev, add, symbolColumns...); err != nil {
		return err
	}
	if t.IsPart() {
		return t.Write(treesTable, b.Tree(&t.Ledger))
	}
	return writeAutomata(t, t.Bucket(), b.Model(&t.Ledger))
}

// writeAutomata writes the automata of a bucket's components.
func writeAutomata(t *pipeline.Task, bucket int, m *automata.Model) error {
	return cmp.Or(
		pipeline.WriteRowsOf(t, bucket, "fragments", m.Fragments),
		pipeline.WriteRowsOf(t, bucket, "states", m.States),
		pipeline.WriteRowsOf(t, bucket, "transitions", m.Transitions),
	)
}

// mergeAutomata infers the automata of components that are spread over buckets from the prefix trees of these.
func mergeAutomata(t *pipeline.Task) error {
	for _, group := range t.Groups() {
		trees := &automata.Tree{Names: new(schema.Names)}
		b := automata.NewBuilder(trees.Names)
		for _, bucket := range group {
			var nodes []uint32
			if err := t.ScanStagedOf(bucket, treesTable, trees, func() { nodes = b.Merge(trees, nodes) }); err != nil {
				return err
			}
		}
		if err := writeAutomata(t, group[0], b.Model(&t.Ledger)); err != nil {
			return err
		}
	}
	return nil
}
