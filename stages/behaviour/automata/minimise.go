package automata

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// transition is a transition of a minimal automaton.
type transition struct {
	symbol callstack.Symbol
	target uint32 // state
	count  uint32 // how often it was taken
}

// state is a state of a minimal automaton: a class of nodes that no continuation distinguishes.
// Twelve bytes and not a slice: there are millions of states.
type state struct {
	from, to  uint32 // its transitions are minimiser.edges[from:to]
	accepting bool
}

// fragmentGroup is a service fragment under construction. Its final state is the state with the group's
// number.
type fragmentGroup struct {
	component   schema.Code
	first       callstack.Symbol // a first symbol; all of them name the same fragment
	start       []transition     // the transitions of the initial state
	words       int64            // distinct words
	prefixWords int64            // distinct words that are the beginning of another
}

// minimiser merges the nodes of the prefix trees that accept the same continuations, fragment by
// fragment: the final states of different fragments differ, and so does everything before them.
type minimiser struct {
	tree   *prefixForest
	passes []uint32 // by node: words that pass or end there
	class  []uint32 // by node: its group, and once it is merged its state
	groups []fragmentGroup
	states []state
	edges  []transition
	table  []uint32 // states by their transitions; 0 is empty, because state 0 is final
}

// minimiseForest merges from the leaves up. Children have larger numbers than their parents, so one pass
// in descending order meets every node after its children: linear time in the trees (Revuz 1992).
func minimiseForest(t *prefixForest, roots []uint32) *minimiser {
	m := &minimiser{tree: t, passes: t.countPasses(), class: make([]uint32, len(t.nodes)), table: make([]uint32, 1024)}
	// 1. Each fragment is a group; its number is that of its final state.
	for component, root := range roots {
		m.groupFragments(schema.Code(component), root)
	}
	// 2. All nodes below the first one of a word belong to its group.
	for i := range t.nodes {
		if p := t.nodes[i].parent; p != 0 && t.nodes[p].parent != 0 {
			m.class[i] = m.class[p]
		}
	}
	// 3. Merge, children before parents.
	m.states = make([]state, len(m.groups))
	for i := len(t.nodes) - 1; i > 0; i-- {
		if m.passes[i] > 0 && t.nodes[i].parent != 0 {
			m.mergeNode(uint32(i))
		}
	}
	return m
}

// groupFragments makes a group of every fragment of a component: of the words with one first symbol.
func (m *minimiser) groupFragments(component schema.Code, root uint32) {
	for c := m.tree.nodes[root].child; c != 0; c = m.tree.nodes[c].sibling {
		if m.passes[c] == 0 {
			continue
		}
		m.class[c] = uint32(len(m.groups))
		m.groups = append(m.groups, fragmentGroup{component: component, first: m.tree.nodes[c].symbol})
	}
}

// mergeNode finds the state of a node whose children have theirs.
func (m *minimiser) mergeNode(id uint32) {
	n := &m.tree.nodes[id]
	g := &m.groups[m.class[id]]
	accepting := n.words > 0
	from := len(m.edges)
	m.appendTransitions(n)
	if accepting {
		g.words++
	}
	// Two states with equal transitions of different groups cannot be mixed up: their paths end in different final
	// states.
	if len(m.edges) > from { // else it is final, and its state has the number of its group already
		if accepting {
			g.prefixWords++
		}
		m.class[id] = m.internState(from, accepting)
	}
	if m.tree.nodes[n.parent].parent == 0 {
		g.start = append(g.start, transition{n.symbol, m.class[id], m.passes[id]})
	}
}

// appendTransitions appends the transitions of a node, sorted by symbol, so that equal states have equal
// lists.
func (m *minimiser) appendTransitions(n *node) {
	from := len(m.edges)
	for c := n.child; c != 0; c = m.tree.nodes[c].sibling {
		if m.passes[c] > 0 {
			m.edges = append(m.edges, transition{m.tree.nodes[c].symbol, m.class[c], m.passes[c]})
		}
	}
	if len(m.edges) > from+1 {
		slices.SortFunc(m.edges[from:], func(a, b transition) int { return cmp.Compare(a.symbol, b.symbol) })
	}
}

// internState returns the state with the transitions from the given position on: a known one, which takes
// over their counts, or a new one, which keeps them.
func (m *minimiser) internState(from int, accepting bool) uint32 {
	// The new transitions lie at the end of the list, so that dropping them costs nothing.
	own := m.edges[from:]
	mask := uint32(len(m.table) - 1)
	i := hashState(own, accepting) & mask
	for ; m.table[i] != 0; i = (i + 1) & mask {
		s := m.states[m.table[i]]
		if known := m.edges[s.from:s.to]; s.accepting == accepting && sameEdges(known, own) {
			for k := range own {
				known[k].count += own[k].count
			}
			m.edges = m.edges[:from]
			return m.table[i]
		}
	}
	id := uint32(len(m.states))
	m.states = append(m.states, state{uint32(from), uint32(len(m.edges)), accepting})
	m.table[i] = id
	// At most half full, so that probing stays short.
	if 2*len(m.states) > len(m.table) {
		m.growTable()
	}
	return id
}

// growTable doubles the table. Final states are not in it.
func (m *minimiser) growTable() {
	m.table = make([]uint32, 2*len(m.table))
	mask := uint32(len(m.table) - 1)
	for id := len(m.groups); id < len(m.states); id++ {
		s := m.states[id]
		i := hashState(m.edges[s.from:s.to], s.accepting) & mask
		for m.table[i] != 0 {
			i = (i + 1) & mask
		}
		m.table[i] = uint32(id)
	}
}

// hashState hashes what makes two states equal: acceptance, symbols and targets.
func hashState(edges []transition, accepting bool) uint32 {
	h := uint32(0)
	if accepting {
		h = 1
	}
	for _, e := range edges {
		h = e.symbol.Hash(uint64(h)<<32 | uint64(e.target))
	}
	return h
}

// sameEdges reports whether two states have the same transitions, counts aside.
func sameEdges(a, b []transition) bool {
	return slices.EqualFunc(a, b, func(x, y transition) bool { return x.symbol == y.symbol && x.target == y.target })
}
