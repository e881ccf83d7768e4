package automata

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Builder collects the words of one partition, in memory linear in the distinct beginnings of words. Its
// components have no lifeline in another partition.
type Builder struct {
	names *schema.Names
	tree  prefixForest
	roots []uint32         // by component; 0: none yet
	words []callstack.Word // by lifeline: the word under way
}

// NewBuilder returns a builder for events whose codes are those of names.
func NewBuilder(names *schema.Names) *Builder {
	return &Builder{names: names, tree: prefixForest{nodes: make([]node, 1, 1024), table: make([]uint32, 1024)}}
}

// Add takes the next events of the trace. It counts words cut short as schema.OpenFragment, and exits
// that belong to no word as schema.StrayExit.
func (b *Builder) Add(ev *schema.Events, led *schema.Ledger) {
	b.words = schema.GrowTo(b.words, b.names.Lifelines.Len())
	b.roots = schema.GrowTo(b.roots, b.names.Components.Len())
	lifetimes := b.names.LifetimesIn(ev.ExecutionType)
	for i, kind := range ev.Kind {
		if lifetimes.Has(i) {
			continue
		}
		l := &b.words[ev.Lifeline[i]]
		switch kind {
		case schema.Enter:
			b.addEnter(l, ev, i, led)
		case schema.Exit:
			b.addExit(l, ev, i, led)
		}
	}
}

// addEnter follows an enter in the prefix tree. A root call that begins before the last one ended cuts
// that word short.
func (b *Builder) addEnter(l *callstack.Word, ev *schema.Events, i int, led *schema.Ledger) {
	// The word that was cut ended where its last event is: it counts, though its calls did not return.
	switch _, step := l.Enter(ev.Function[i]); step {
	case callstack.Cuts:
		b.tree.nodes[l.At].words++
		seq := l.Seq
		led.Add(schema.OpenFragment, func() string { return schema.EventPosition(seq) })
		b.startWord(l, ev, i)
	case callstack.Starts:
		b.startWord(l, ev, i)
	}
	l.At = b.tree.child(l.At, symbolAt(ev, i))
}

// startWord returns to the root of the event's component.
func (b *Builder) startWord(l *callstack.Word, ev *schema.Events, i int) {
	root := &b.roots[ev.Component[i]]
	if *root == 0 {
		*root = b.tree.addRoot()
	}
	l.At, l.Seq = *root, ev.Seq[i]
}

// addExit follows an exit; the exit of the root ends the word.
func (b *Builder) addExit(l *callstack.Word, ev *schema.Events, i int, led *schema.Ledger) {
	switch _, step := l.Exit(ev.Function[i]); step {
	case callstack.Stray: // the word stays as it is
		seq := ev.Seq[i]
		led.Add(schema.StrayExit, func() string { return schema.EventPosition(seq) })
	case callstack.Ends: // the word is complete
		l.At = b.tree.child(l.At, symbolAt(ev, i))
		b.tree.nodes[l.At].words++
	default:
		l.At = b.tree.child(l.At, symbolAt(ev, i))
	}
}

// symbolAt returns the letter that an event is in its word: function, kind, direction and peer.
func symbolAt(ev *schema.Events, i int) callstack.Symbol {
	return callstack.SymbolOf(ev.Function[i], ev.Kind[i], ev.Direction[i], ev.Peer[i])
}
