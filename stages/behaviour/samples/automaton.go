package samples

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// none is the position of a transition that does not exist.
const none = ^uint32(0)

// transition is a row of schema.Transition in codes.
type transition struct {
	symbol callstack.Symbol
	source uint32 // states of all fragments are numbered together
	next   uint32 // most frequent transition of the target, or none
	target uint32
	group  uint32 // position of the fragment in network.fragments
}

// network holds the automata of a partition. Transitions are in the order of fragment and number. The
// initial states of the fragments of a component are one, and a transition back into it leads
// to a state without transitions: there the word must be over.
//
// The most frequent transition of a state is found by its source's next; the others in an
// open-addressing table keyed by state and symbol.
type network struct {
	transitions []transition
	number      []int64 // by transition: its number within the fragment
	offset      []int64 // by transition: rows of those before it; one entry more than there are transitions
	fragments   []schema.Code
	first       []uint32 // by component: the most frequent first transition, or none
	initial     []uint32 // by component: the state
	table       []uint32 // positions in transitions plus one; 0 is empty
}

// newNetwork encodes the rows of all fragments of a partition. Rows that ingest cannot have written are
// an error.
func newNetwork(names *schema.Names, rows []schema.Transition) (*network, error) {
	order := sortedRows(rows)
	n := &network{
		transitions: make([]transition, len(rows)),
		number:      make([]int64, len(rows)),
		offset:      make([]int64, 1, len(rows)+1),
	}
	e := encoder{network: n, names: names, states: make(map[int64]uint32)}
	for i, k := range order {
		if err := e.encodeRow(i, &rows[k]); err != nil {
			return nil, err
		}
	}
	n.linkTransitions(e.numbered)
	return n, nil
}

// sortedRows returns the order of the rows by fragment, component and number.
func sortedRows(rows []schema.Transition) []uint32 {
	order := make([]uint32, len(rows))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int {
		a, b := &rows[i], &rows[j]
		return cmp.Or(cmp.Compare(a.Fragment, b.Fragment), cmp.Compare(a.Component, b.Component),
			cmp.Compare(a.Transition, b.Transition))
	})
	return order
}

// encoder fills the network row by row.
type encoder struct {
	*network
	names    *schema.Names
	states   map[int64]uint32   // by number in the fragment being encoded: the state
	numbered uint32             // states so far; state 0 is the one where words are over
	last     *schema.Transition // the row before
}

// encodeRow encodes the i-th row in order.
func (e *encoder) encodeRow(i int, r *schema.Transition) error {
	kind, direction := slices.Index(schema.KindWords, r.Kind), slices.Index(schema.DirectionWords, r.Direction)
	if kind < 0 || kind > int(schema.Exit) || direction < 0 || r.Count < 0 {
		return fmt.Errorf("samples: transition %d of fragment %q has kind %q, direction %q and count %d",
			r.Transition, r.Fragment, r.Kind, r.Direction, r.Count)
	}
	component := e.names.Components.Code(r.Component)
	if e.last == nil || e.last.Fragment != r.Fragment || e.last.Component != r.Component {
		e.startFragment(r.Fragment, component)
	}
	e.last = r
	peer := schema.NoCode
	if r.Peer != "" {
		peer = e.names.Components.Code(r.Peer)
	}
	t := transition{
		symbol: callstack.SymbolOf(e.names.Functions.Code(r.Function), schema.Kind(kind), schema.Direction(direction), peer),
		source: e.stateOf(r.Source),
		group:  uint32(len(e.fragments) - 1),
	}
	if r.Source == 0 {
		t.source = e.initial[component]
	}
	if r.Target != 0 {
		t.target = e.stateOf(r.Target)
	}
	e.transitions[i], e.number[i] = t, r.Transition
	e.offset = append(e.offset, e.offset[i]+r.Count)
	return nil
}

// startFragment begins a fragment. All fragments of a component share the initial state.
func (e *encoder) startFragment(name string, component schema.Code) {
	clear(e.states)
	e.fragments = append(e.fragments, e.names.Fragments.Code(name))
	e.initial = schema.GrowTo(e.initial, int(component)+1)
	if e.initial[component] == 0 {
		e.numbered++
		e.initial[component] = e.numbered
	}
}

// stateOf returns the state of a number in the current fragment.
func (e *encoder) stateOf(of int64) uint32 {
	s, ok := e.states[of]
	if !ok {
		e.numbered++
		s = e.numbered
		e.states[of] = s
	}
	return s
}

// linkTransitions finds the most frequent transition of every state and puts the others into the table:
// most events need one comparison and no lookup.
func (n *network) linkTransitions(states uint32) {
	best := make([]uint32, states+1)
	for i := range best {
		best[i] = none
	}
	for i := range n.transitions {
		b := &best[n.transitions[i].source]
		if *b == none || n.countOf(uint32(i)) > n.countOf(*b) {
			*b = uint32(i)
		}
	}
	n.table = make([]uint32, 1<<bits.Len(uint(2*len(n.transitions))))
	for i := range n.transitions {
		t := &n.transitions[i]
		t.next = best[t.target]
		if best[t.source] != uint32(i) {
			n.insertTransition(uint32(i), t)
		}
	}
	n.first = make([]uint32, len(n.initial))
	for c, s := range n.initial {
		n.first[c] = best[s]
	}
}

// countOf returns how often a transition was taken, which is its number of rows.
func (n *network) countOf(t uint32) int64 { return n.offset[t+1] - n.offset[t] }

// insertTransition puts a transition into the table.
func (n *network) insertTransition(id uint32, t *transition) {
	mask := uint32(len(n.table) - 1)
	i := t.symbol.Hash(uint64(t.source)) & mask
	for n.table[i] != 0 {
		i = (i + 1) & mask
	}
	n.table[i] = id + 1
}

// findTransition returns the transition of a state by a symbol, or none. likely is the state's most
// frequent one.
func (n *network) findTransition(likely, state uint32, s callstack.Symbol) uint32 {
	if likely == none || n.transitions[likely].symbol == s {
		return likely
	}
	return n.findInTable(state, s)
}

// findInTable looks the transition up among the less frequent ones.
func (n *network) findInTable(state uint32, s callstack.Symbol) uint32 {
	mask := uint32(len(n.table) - 1)
	for i := s.Hash(uint64(state)) & mask; n.table[i] != 0; i = (i + 1) & mask {
		id := n.table[i] - 1
		if t := &n.transitions[id]; t.source == state && t.symbol == s {
			return id
		}
	}
	return none
}

// startTransition returns the transition by the first symbol of a word, or none.
func (n *network) startTransition(component schema.Code, s callstack.Symbol) uint32 {
	if int(component) >= len(n.first) {
		return none
	}
	return n.findTransition(n.first[component], n.initial[component], s)
}
