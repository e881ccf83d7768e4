package automata

import (
	"cmp"
	"slices"
	"sort"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Model is the automata of a partition: fragments sorted by component and name, the states and
// transitions of a fragment together and by number.
type Model struct {
	Fragments   []schema.Fragment
	States      []schema.State
	Transitions []schema.Transition
}

// Model returns the automata of all words so far. It counts words under way as schema.OpenFragment and
// words that are the beginning of others as schema.PrefixWord.
//
// States are numbered breadth-first from the initial state, 0, and transitions in the order in which
// that search meets them; the transitions of a state are in the order of the names in their symbols.
// So the numbers depend on nothing but the set of words.
func (b *Builder) Model(led *schema.Ledger) *Model {
	b.unfinished(led)
	w := writer{
		minimiser: minimise(&b.tree, widen(b.roots, b.names.Components.Len())),
		names:     b.names,
		order:     newOrder(b.names),
		led:       led,
	}
	w.reserve()
	for _, g := range w.sorted() {
		w.fragment(g)
	}
	return w.model
}

// writer turns minimal automata into rows.
type writer struct {
	*minimiser
	names  *schema.Names
	order  order
	led    *schema.Ledger
	model  *Model
	number []uint32 // of a state within its fragment; 0: none yet, or final and so initial
	queue  []uint32 // the states of the fragment by number
}

// reserve makes room for all rows.
func (w *writer) reserve() {
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

func (w *writer) row(g *group) schema.Fragment {
	f := schema.Fragment{
		Component: w.names.Components.Name(g.component),
		Function:  w.names.Functions.Name(g.first.Function()),
		Peer:      w.names.Components.Name(g.first.FragmentPeer()),
		Words:     g.words,
	}
	f.Fragment = schema.FragmentName(f.Component, f.Function, g.first.Direction(), f.Peer)
	return f
}

// sorted returns the groups in the order of their components and names.
func (w *writer) sorted() []uint32 {
	ids := make([]uint32, len(w.groups))
	rows := make([]schema.Fragment, len(w.groups))
	for i := range ids {
		ids[i], rows[i] = uint32(i), w.row(&w.groups[i])
	}
	sort.Slice(ids, func(i, j int) bool {
		a, b := &rows[ids[i]], &rows[ids[j]]
		return cmp.Or(cmp.Compare(a.Component, b.Component), cmp.Compare(a.Fragment, b.Fragment),
			cmp.Compare(a.Function, b.Function)) < 0
	})
	return ids
}

func (w *writer) fragment(final uint32) {
	g := &w.groups[final]
	f := w.row(g)
	first := len(w.model.Transitions)
	w.queue = append(w.queue[:0], final)
	w.state(&f, 0, g.start)
	for n := 1; n < len(w.queue); n++ {
		s := w.states[w.queue[n]]
		w.state(&f, n, w.edges[s.from:s.to])
	}
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

// state writes a state and its transitions, and numbers the states that they reach first. The final
// state has the number of the initial one.
func (w *writer) state(f *schema.Fragment, number int, out []edge) {
	w.model.States = append(w.model.States, schema.State{
		Fragment:  f.Fragment,
		State:     int64(number),
		Initial:   number == 0,
		Accepting: number == 0 || w.states[w.queue[number]].accepting,
	})
	w.order.sort(out)
	for _, e := range out {
		if w.number[e.target] == 0 && e.target != w.queue[0] {
			w.number[e.target] = uint32(len(w.queue))
			w.queue = append(w.queue, e.target)
		}
		w.transition(f, number, e)
		f.Transitions++
	}
}

func (w *writer) transition(f *schema.Fragment, source int, e edge) {
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

// order compares symbols by the names in them: function, kind, direction, peer.
type order struct {
	functions, components []uint32 // codes to ranks
	directions            [4]uint32
}

func newOrder(names *schema.Names) order {
	o := order{functions: ranks(&names.Functions), components: ranks(&names.Components)}
	o.directions[schema.Receive], o.directions[schema.Send] = 1, 2 // as words: "", receive, send
	return o
}

func ranks(d *schema.Dictionary) []uint32 {
	codes := make([]schema.Code, d.Len())
	for i := range codes {
		codes[i] = schema.Code(i)
	}
	sort.Slice(codes, func(i, j int) bool { return d.Name(codes[i]) < d.Name(codes[j]) })
	rank := make([]uint32, len(codes))
	for i, c := range codes {
		rank[c] = uint32(i)
	}
	return rank
}

func (o *order) key(s callstack.Symbol) (function, rest uint64) {
	rest = uint64(s.Kind())<<62 | uint64(o.directions[s.Direction()])<<60
	if s.Peer() != schema.NoCode {
		rest |= uint64(o.components[s.Peer()]) + 1
	}
	return uint64(o.functions[s.Function()]), rest
}

func (o *order) sort(edges []edge) {
	if len(edges) < 2 {
		return
	}
	slices.SortFunc(edges, func(a, b edge) int {
		af, ar := o.key(a.symbol)
		bf, br := o.key(b.symbol)
		return cmp.Or(cmp.Compare(af, bf), cmp.Compare(ar, br))
	})
}
