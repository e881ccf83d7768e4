package components

import (
	"slices"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// node is the beginning of words: a state of a prefix tree.
type node struct {
	parent uint32 // 0 for a root
	label  uint32
	tree   uint32 // its root
	ends   bool   // a word ends here
}

// prefixForest holds a prefix tree for every component. Node 0 stands for none.
// A map suffices here, unlike in package automata: names of events are few, and each word costs one lookup an event.
type prefixForest struct {
	nodes    []node
	children map[uint64]uint32 // by node and label: the child
}

// newForest returns a forest without trees; node 0 stands for none.
func newForest() *prefixForest {
	return &prefixForest{nodes: make([]node, 1), children: make(map[uint64]uint32)}
}

// addRoot adds a tree.
func (f *prefixForest) addRoot() uint32 {
	id := uint32(len(f.nodes))
	f.nodes = append(f.nodes, node{tree: id})
	return id
}

// child returns the child of a node along a label, a new one if there is none.
func (f *prefixForest) child(at, label uint32) uint32 {
	key := uint64(at)<<32 | uint64(label)
	child, known := f.children[key]
	if !known {
		child = uint32(len(f.nodes))
		f.nodes = append(f.nodes, node{parent: at, label: label, tree: f.nodes[at].tree})
		f.children[key] = child
	}
	return child
}

// toAutomata returns the trees of the given roots as automata with other labels. Branches on which no
// word ends remain; minimising removes them.
func (f *prefixForest) toAutomata(roots []uint32, relabel []uint32) []*language.Automaton {
	builders, at := make([]language.Builder, len(roots)), make([]int32, len(f.nodes))
	tree := make([]int32, len(f.nodes)) // by root: its position, plus one
	for i, root := range roots {
		tree[root] = int32(i) + 1
	}
	// Parents have lower numbers than their children, so that one ascending pass meets a parent's state before it is
	// needed.
	for id := 1; id < len(f.nodes); id++ {
		n := &f.nodes[id]
		if tree[n.tree] == 0 {
			continue
		}
		b := &builders[tree[n.tree]-1]
		if at[id] = b.State(n.ends); n.parent == 0 {
			b.Initial(at[id])
		} else {
			b.Transition(at[n.parent], relabel[n.label], at[id])
		}
	}
	out := make([]*language.Automaton, len(roots))
	for i := range builders {
		out[i] = builders[i].Automaton()
	}
	return out
}

// closeLoop accepts any number of words of a language, one after the other: an accepting state from which
// nothing follows becomes the initial one (CMI merges it); from an accepting state inside a longer word a
// silent step leads back. Where no word is the beginning of another, the loop of a minimal automaton is
// minimal.
func closeLoop(minimal *language.Automaton) *language.Automaton {
	if minimal.States() == 0 {
		return minimal
	}
	b, initial, state := new(language.Builder), minimal.Initial[0], make([]int32, minimal.States())
	// 1. Number the states. An accepting state that nothing leaves becomes the initial one.
	for s, accepting := range minimal.Accepting {
		state[s] = initial
		if labels, _ := minimal.Out(int32(s)); int32(s) == initial || !accepting || len(labels) > 0 {
			state[s] = b.State(accepting)
		}
		if int32(s) == initial {
			b.Initial(state[s])
			b.Accept(state[s])
		}
	}
	// 2. Copy the transitions.
	for t, s := range minimal.Source() {
		b.Transition(state[s], minimal.Label[t], state[minimal.Target[t]])
	}
	// 3. From an accepting state inside a longer word the next word may begin at once.
	for s, accepting := range minimal.Accepting {
		if labels, _ := minimal.Out(int32(s)); int32(s) != initial && accepting && len(labels) > 0 {
			b.Transition(state[s], language.Tau, state[initial])
		}
	}
	// 4. Silent steps are minimised away.
	a := b.Automaton()
	if slices.Contains(a.Label, language.Tau) {
		return language.Minimise(a)
	}
	return language.Determinise(a) // numbers its states anew
}
