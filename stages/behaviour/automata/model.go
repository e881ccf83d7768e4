package automata

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Model is the automata of a partition: fragments sorted by component and name, the states and
// transitions of a fragment together and by number.
type Model struct {
	Fragments   []schema.Fragment   // by component and name
	States      []schema.State      // by fragment and number
	Transitions []schema.Transition // by fragment and number
}

// Model returns the automata of all words so far. It counts words under way as schema.OpenFragment and
// words that are the beginning of others as schema.PrefixWord.
//
// States are numbered breadth-first from the initial state, 0, and transitions in the order in which
// that search meets them; the transitions of a state are in the order of the names in their symbols.
// So the numbers depend on nothing but the set of words.
func (b *Builder) Model(led *schema.Ledger) *Model {
	callstack.CountOpen(b.words, led)
	w := rowWriter{
		minimiser: minimiseForest(&b.tree, schema.GrowTo(b.roots, b.names.Components.Len())),
		names:     b.names,
		order:     newSymbolOrder(b.names),
		led:       led,
	}
	// Fragments are written in the order of their names, which fixes the order of all three tables.
	w.reserveRows()
	for _, g := range w.sortedGroups() {
		w.writeFragment(g)
	}
	return w.model
}

// rowWriter turns minimal automata into rows.
type rowWriter struct {
	*minimiser
	names  *schema.Names
	order  symbolOrder
	led    *schema.Ledger
	model  *Model
	number []uint32 // by state: its number within the fragment; 0: none yet, or final and so initial
	queue  []uint32 // states of the fragment by number
}

// reserveRows makes room for all rows, so that they are never copied.
func (w *rowWriter) reserveRows() {
	transitions := len(w.edges)
	for i := range w.groups {
		transitions += len(w.groups[i].start)
	}
	w.number = make([]uint32, len(w.states))
	w.model = &Model{
		Fragments:   make([]schema.Fragment, 0, len(w.groups)),
		States:      make([]schema.State, 0, len(w.states)),
		Transitions: make([]schema.Transition, 0, transitions),
	}
}

// fragmentRow returns the row of a group, as far as its first symbol says it.
func (w *rowWriter) fragmentRow(g *fragmentGroup) schema.Fragment {
	f := schema.Fragment{
		Component: w.names.Components.Name(g.component),
		Function:  w.names.Functions.Name(g.first.Function()),
		Peer:      w.names.Components.Name(g.first.FragmentPeer()),
		Words:     g.words,
	}
	f.Fragment = schema.FragmentName(f.Component, f.Function, g.first.Direction(), f.Peer)
	return f
}

// sortedGroups returns the groups in the order of their components and names.
func (w *rowWriter) sortedGroups() []uint32 {
	ids := make([]uint32, len(w.groups))
	rows := make([]schema.Fragment, len(w.groups))
	for i := range ids {
		ids[i], rows[i] = uint32(i), w.fragmentRow(&w.groups[i])
	}
	slices.SortFunc(ids, func(i, j uint32) int {
		a, b := &rows[i], &rows[j]
		return cmp.Or(cmp.Compare(a.Component, b.Component), cmp.Compare(a.Fragment, b.Fragment), cmp.Compare(a.Function, b.Function))
	})
	return ids
}

// writeFragment writes a fragment with its states and transitions, breadth-first. Occurrences are the
// passes out of the initial state.
func (w *rowWriter) writeFragment(final uint32) {
	g := &w.groups[final]
	f := w.fragmentRow(g)
	first := len(w.model.Transitions)
	w.queue = append(w.queue[:0], final)
	w.writeState(&f, 0, g.start)
	// The queue grows while states are written: breadth-first order.
	for n := 1; n < len(w.queue); n++ {
		s := w.states[w.queue[n]]
		w.writeState(&f, n, w.edges[s.from:s.to])
	}
	// Every occurrence leaves the initial state once.
	for _, t := range w.model.Transitions[first:] {
		f.Events += t.Count
		if t.Source == 0 {
			f.Occurrences += t.Count
		}
	}
	f.States = int64(len(w.queue))
	w.model.Fragments = append(w.model.Fragments, f)
	for range g.prefixWords {
		w.led.Add(schema.PrefixWord, func() string { return "fragment " + f.Fragment })
	}
}

// writeState writes a state and its transitions, and numbers the states that they reach first. The final
// state has the number of the initial one: CMI merges the two into a loop.
func (w *rowWriter) writeState(f *schema.Fragment, number int, out []transition) {
	w.model.States = append(w.model.States, schema.State{
		Fragment:  f.Fragment,
		State:     int64(number),
		Initial:   number == 0,
		Accepting: number == 0 || w.states[w.queue[number]].accepting,
	})
	w.order.sortTransitions(out)
	for _, e := range out {
		// 0 also stands for the final state, which is the initial one.
		if w.number[e.target] == 0 && e.target != w.queue[0] {
			w.number[e.target] = uint32(len(w.queue))
			w.queue = append(w.queue, e.target)
		}
		w.writeTransition(f, number, e)
		f.Transitions++
	}
}

// writeTransition writes a row of transitions.
func (w *rowWriter) writeTransition(f *schema.Fragment, source int, e transition) {
	w.model.Transitions = append(w.model.Transitions, schema.Transition{
		Fragment:   f.Fragment,
		Transition: f.Transitions,
		Component:  f.Component,
		Source:     int64(source),
		Target:     int64(w.number[e.target]),
		Function:   w.names.Functions.Name(e.symbol.Function()),
		Kind:       schema.KindWords[e.symbol.Kind()],
		Direction:  schema.DirectionWords[e.symbol.Direction()],
		Peer:       w.names.Components.Name(e.symbol.Peer()),
		Count:      int64(e.count),
	})
}

// symbolOrder compares symbols by the names in them: function, kind, direction, peer. Codes depend on the
// order of the trace, names do not.
type symbolOrder struct {
	functions, components []uint32  // by code: the rank of the name
	directions            [4]uint32 // by direction: the rank of its word
}

// newSymbolOrder ranks all names once, so that comparing symbols needs no strings.
func newSymbolOrder(names *schema.Names) symbolOrder {
	o := symbolOrder{functions: rankNames(&names.Functions), components: rankNames(&names.Components)}
	o.directions[schema.Receive], o.directions[schema.Send] = 1, 2 // as words: "", receive, send
	return o
}

// rankNames returns, by code, the rank of the name.
func rankNames(d *schema.Dictionary) []uint32 {
	rank := make([]uint32, d.Len())
	for i, c := range d.Sorted() {
		rank[c] = uint32(i)
	}
	return rank
}

// sortKeys packs the ranks of a symbol into two numbers that compare as the names do.
func (o *symbolOrder) sortKeys(s callstack.Symbol) (function, rest uint64) {
	// The kind first, then the direction, then the peer; no peer is the lowest.
	rest = uint64(s.Kind())<<62 | uint64(o.directions[s.Direction()])<<60
	if s.Peer() != schema.NoCode {
		rest |= uint64(o.components[s.Peer()]) + 1
	}
	return uint64(o.functions[s.Function()]), rest
}

// sortTransitions sorts transitions by the names in their symbols.
func (o *symbolOrder) sortTransitions(edges []transition) {
	if len(edges) < 2 {
		return
	}
	slices.SortFunc(edges, func(a, b transition) int {
		af, ar := o.sortKeys(a.symbol)
		bf, br := o.sortKeys(b.symbol)
		return cmp.Or(cmp.Compare(af, bf), cmp.Compare(ar, br))
	})
}
