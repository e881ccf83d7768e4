package language

import (
	"slices"
)

// Union accepts the words that at least one automaton accepts. It adds up states and transitions; only
// Determinise combines them.
// The result has the initial states of all, so that it is nondeterministic in general.
func Union(automata ...*Automaton) *Automaton {
	b := new(Builder)
	for _, a := range automata {
		b.appendAutomaton(a)
	}
	return b.Automaton()
}

// Intersect accepts the words that both automata accept.
func Intersect(a, b *Automaton) *Automaton {
	return productOf(a, b, func(l uint32) bool { return l != Tau })
}

// Product is the synchronous composition of two automata: both take a step with a shared label together, and either takes
// steps with other labels, silent ones among them, alone. A word ends where both accept.
func Product(a, b *Automaton, shared []uint32) *Automaton {
	shared = without(sortedDistinct(shared), Tau)
	return productOf(a, b, func(l uint32) bool { _, found := slices.BinarySearch(shared, l); return found })
}

// Shared returns the labels that occur in both automata, ascending, without Tau.
func Shared(a, b *Automaton) []uint32 {
	other := b.Alphabet()
	return slices.DeleteFunc(a.Alphabet(), func(l uint32) bool { _, found := slices.BinarySearch(other, l); return !found })
}

// productOf builds the reachable pairs of states; together says which labels both sides take at once.
func productOf(a, b *Automaton, together func(label uint32) bool) *Automaton {
	p := newPairNumbering()
	// A breadth-first search: pairs are numbered when they are reached, and expanded in that order.
	for _, s := range a.Initial {
		for _, t := range b.Initial {
			p.build.Initial(p.numberOf(s, t))
		}
	}
	for n := int32(0); int(n) < len(p.pairs); n++ {
		s, t := p.pairs[n][0], p.pairs[n][1]
		// A word ends only where both may end.
		if a.Accepting[s] && b.Accepting[t] {
			p.build.Accept(n)
		}
		p.addAlone(n, a, s, together, func(target int32) int32 { return p.numberOf(target, t) })
		p.addAlone(n, b, t, together, func(target int32) int32 { return p.numberOf(s, target) })
		p.addJoint(n, a, b, together)
	}
	return p.build.Automaton()
}

// pairNumbering numbers pairs of states in the order in which they are reached.
type pairNumbering struct {
	build Builder // the automaton of the pairs
	known map[[2]int32]int32
	pairs [][2]int32
}

// newPairNumbering returns a numbering without pairs.
func newPairNumbering() *pairNumbering { return &pairNumbering{known: make(map[[2]int32]int32)} }

// numberOf returns the number of a pair, a new one if it was not reached before.
func (p *pairNumbering) numberOf(s, t int32) int32 {
	pair := [2]int32{s, t}
	n, found := p.known[pair]
	if !found {
		n = p.build.State(false)
		p.known[pair] = n
		p.pairs = append(p.pairs, pair)
	}
	return n
}

// addAlone adds to pair n the transitions of one side that the other side does not take part in.
func (p *pairNumbering) addAlone(n int32, of *Automaton, s int32, together func(uint32) bool, number func(target int32) int32) {
	labels, targets := of.Out(s)
	for i, l := range labels {
		if !together(l) {
			p.build.Transition(n, l, number(targets[i]))
		}
	}
}

// addJoint adds to pair n the transitions that both sides take.
func (p *pairNumbering) addJoint(n int32, a, b *Automaton, together func(uint32) bool) {
	al, at := a.Out(p.pairs[n][0])
	bl, bt := b.Out(p.pairs[n][1])
	// A merge of two lists sorted by label. Several transitions of one label pair up in all ways.
	for i, j := 0, 0; i < len(al) && j < len(bl); i++ {
		for j < len(bl) && bl[j] < al[i] {
			j++
		}
		for k := j; k < len(bl) && bl[k] == al[i] && together(al[i]); k++ {
			p.build.Transition(n, al[i], p.numberOf(at[i], bt[k]))
		}
	}
}

// Difference accepts the words that a accepts and b does not. Its states are pairs of a state of a and a set of states of b.
func Difference(a, b *Automaton) *Automaton {
	p, right := newPairNumbering(), newSubsetAutomaton(b)
	// The right side is a set of states, so that "not accepted" is decided by one look at it.
	for _, s := range a.Initial {
		p.build.Initial(p.numberOf(s, right.startState()))
	}
	for n := int32(0); int(n) < len(p.pairs); n++ {
		s, t := p.pairs[n][0], p.pairs[n][1]
		if a.Accepting[s] && (t == noState || !right.isAccepting(t)) {
			p.build.Accept(n)
		}
		labels, targets := a.Out(s)
		for i, l := range labels {
			to := t
			// A silent step of a leaves the word, and so the set of b, as it is.
			if l != Tau {
				to = right.follow(t, l)
			}
			p.build.Transition(n, l, p.numberOf(targets[i], to))
		}
	}
	return p.build.Automaton()
}
