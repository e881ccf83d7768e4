package language

import (
	"cmp"
	"slices"
)

// Minimise returns the one smallest deterministic automaton of the language that has no silent steps and no sink, its states
// numbered breadth-first from the initial one, 0, along ascending labels. Automata of the same language give identical
// results; that of the empty language has no state.
//
// Time is that of Determinise, and n + m log m for what it returns, with n states and m transitions (Valmari 2012).
func Minimise(a *Automaton) *Automaton {
	d := Trim(Determinise(a))
	if d.States() == 0 {
		return new(Automaton)
	}
	blocks := coarsest(d)
	return breadthFirst(quotient(d, blocks))
}

// coarsest divides the states of a trim deterministic automaton into the fewest blocks that no continuation tells apart.
// Cords are classes of transitions with one label into one block. A cord splits the blocks that it does not leave from
// every state, and a new block splits the cords that do not lead into it with every transition.
func coarsest(a *Automaton) *partition {
	blocks := newPartition(a.States())
	for s, accepting := range a.Accepting {
		if accepting {
			blocks.mark(int32(s))
		}
	}
	blocks.split()
	source, cords := a.Source(), byLabel(a)
	first, into := incoming(a)
	for block, cord := 1, 0; cord < cords.classes(); cord++ {
		for _, t := range cords.of(cord) {
			blocks.mark(source[t])
		}
		blocks.split()
		for ; block < blocks.classes(); block++ {
			for _, s := range blocks.of(block) {
				for _, t := range into[first[s]:first[s+1]] {
					cords.mark(t)
				}
			}
			cords.split()
		}
	}
	return blocks
}

// byLabel divides the transitions into classes of one label.
func byLabel(a *Automaton) *partition {
	p := newPartition(len(a.Label))
	slices.SortFunc(p.elements, func(t, u int32) int { return cmp.Or(cmp.Compare(a.Label[t], a.Label[u]), cmp.Compare(t, u)) })
	p.from, p.to, p.marked = nil, nil, nil
	for i, t := range p.elements {
		p.place[t] = int32(i)
		if i == 0 || a.Label[p.elements[i-1]] != a.Label[t] {
			p.from, p.to, p.marked = append(p.from, int32(i)), append(p.to, int32(i)), append(p.marked, 0)
		}
		p.to[len(p.to)-1]++
		p.class[t] = int32(len(p.from) - 1)
	}
	return p
}

// incoming returns the transitions into every state: those of s stand in into from first[s] to first[s+1].
func incoming(a *Automaton) (first []uint32, into []int32) {
	first, into = make([]uint32, a.States()+2), make([]int32, len(a.Target))
	for _, s := range a.Target {
		first[s+2]++
	}
	for s := range a.States() {
		first[s+2] += first[s+1]
	}
	for t, s := range a.Target {
		into[first[s+1]] = int32(t)
		first[s+1]++
	}
	return first[:a.States()+1], into
}

// quotient makes one state of every block.
func quotient(a *Automaton, blocks *partition) *Automaton {
	q := &Automaton{First: []uint32{0}, Initial: []int32{blocks.class[a.Initial[0]]}}
	for b := range blocks.classes() {
		s := blocks.of(b)[0]
		labels, targets := a.Out(s)
		for i, t := range targets {
			q.Label, q.Target = append(q.Label, labels[i]), append(q.Target, blocks.class[t])
		}
		q.Accepting, q.First = append(q.Accepting, a.Accepting[s]), append(q.First, uint32(len(q.Label)))
	}
	return q
}
