package language

import "slices"

// Determinise returns a deterministic automaton of the same language without silent steps: the reachable sets of
// states, numbered breadth-first from the initial one, 0, along ascending labels. Of n states there are at most 2 to the n sets;
// of automata that are deterministic but for a few states, about n.
func Determinise(a *Automaton) *Automaton {
	d := newSubsetAutomaton(a)
	// Nothing to combine: only the numbers change.
	if d.deterministic {
		return breadthFirst(a)
	}
	start := d.startState()
	if start == noState {
		return new(Automaton)
	}
	out := &Automaton{Initial: []int32{start}, First: []uint32{0}}
	// Expanding a set may find new ones behind it: the loop ends when none is left.
	for s := int32(0); int(s) < len(d.known); s++ {
		labels, targets := d.transitionsOf(s)
		out.Accepting = append(out.Accepting, d.isAccepting(s))
		out.Label = append(out.Label, labels...)
		out.Target = append(out.Target, targets...)
		out.First = append(out.First, uint32(len(out.Label)))
	}
	return out
}

// breadthFirst numbers the reachable states of a deterministic automaton breadth-first along ascending labels.
func breadthFirst(a *Automaton) *Automaton {
	if len(a.Initial) == 0 {
		return new(Automaton)
	}
	// Labels of a state ascend, so that the numbers depend on the language's words only.
	number := make([]int32, a.States()) // plus one; 0: none yet
	queue := []int32{a.Initial[0]}
	number[queue[0]] = 1
	out := &Automaton{Initial: []int32{0}, First: []uint32{0}}
	for i := 0; i < len(queue); i++ {
		labels, targets := a.Out(queue[i])
		for _, t := range targets {
			if number[t] == 0 {
				queue = append(queue, t)
				number[t] = int32(len(queue))
			}
			out.Target = append(out.Target, number[t]-1)
		}
		out.Label = append(out.Label, labels...)
		out.Accepting = append(out.Accepting, a.Accepting[queue[i]])
		out.First = append(out.First, uint32(len(out.Label)))
	}
	return out
}

// Identical reports whether two automata are the same, state by state. Of minimal automata that is to say that they accept
// the same language.
func Identical(a, b *Automaton) bool {
	return slices.Equal(a.Accepting, b.Accepting) && slices.Equal(a.Initial, b.Initial) && slices.Equal(a.First, b.First) &&
		slices.Equal(a.Label, b.Label) && slices.Equal(a.Target, b.Target)
}

// Hash returns a number that identical automata share.
// Different automata share a hash with a chance of about 1 in 2^64; callers compare with Identical.
func (a *Automaton) Hash() uint64 {
	h := uint64(a.States())
	for _, s := range a.Initial {
		h = mixHash(h, uint64(uint32(s)))
	}
	for s, accepting := range a.Accepting {
		bit := uint64(0)
		if accepting {
			bit = 1
		}
		h = mixHash(h, uint64(a.First[s+1])<<1|bit)
	}
	for t, l := range a.Label {
		h = mixHash(h, uint64(l)<<32|uint64(uint32(a.Target[t])))
	}
	return h
}

// mixHash adds a number to a hash: Fibonacci hashing (Knuth 1998, volume 3, section 6.4), and a shift, so
// that the high bits of a product reach the low ones.
func mixHash(h, v uint64) uint64 {
	h = (h ^ v) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}
