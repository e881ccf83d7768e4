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
	blocks := coarsestPartition(d)
	return breadthFirst(quotient(d, blocks))
}

// coarsestPartition divides the states of a trim deterministic automaton into the fewest blocks that no
// continuation distinguishes (Valmari 2012). Cords are classes of transitions with one label into one
// block. A cord splits the blocks that it does not leave from every state, and a new block splits the
// cords that do not lead into it with every transition.
func coarsestPartition(a *Automaton) *partition {
	blocks := newPartition(a.States())
	// 1. Accepting states differ from the others.
	for s, accepting := range a.Accepting {
		if accepting {
			blocks.markElement(int32(s))
		}
	}
	blocks.splitMarked()
	// 2. Transitions differ by label.
	source, cords := a.Source(), byLabel(a)
	first, into := incoming(a)
	// 3. Every cord and every new block splits the other kind, once each, until nothing splits.
	for block, cord := 1, 0; cord < cords.count(); cord++ {
		for _, t := range cords.elementsOf(cord) {
			blocks.markElement(source[t])
		}
		blocks.splitMarked()
		for ; block < blocks.count(); block++ {
			for _, s := range blocks.elementsOf(block) {
				for _, t := range into[first[s]:first[s+1]] {
					cords.markElement(t)
				}
			}
			cords.splitMarked()
		}
	}
	return blocks
}

// byLabel divides the transitions into classes of one label.
func byLabel(a *Automaton) *partition {
	p := newPartition(len(a.Label))
	slices.SortFunc(p.elements, func(t, u int32) int { return cmp.Or(cmp.Compare(a.Label[t], a.Label[u]), cmp.Compare(t, u)) })
	p.from, p.to, p.marks = nil, nil, nil
	for i, t := range p.elements {
		p.position[t] = int32(i)
		if i == 0 || a.Label[p.elements[i-1]] != a.Label[t] {
			p.from, p.to, p.marks = append(p.from, int32(i)), append(p.to, int32(i)), append(p.marks, 0)
		}
		p.to[len(p.to)-1]++
		p.class[t] = int32(len(p.from) - 1)
	}
	return p
}

// incoming returns the transitions into every state: those of s stand in into from first[s] to first[s+1].
func incoming(a *Automaton) (first []uint32, into []int32) {
	first, into = make([]uint32, a.States()+2), make([]int32, len(a.Target))
	// A counting sort: count, sum up, fill in. The shift by two leaves first as it must be at the end.
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
	for b := range blocks.count() {
		s := blocks.elementsOf(b)[0]
		labels, targets := a.Out(s)
		for i, t := range targets {
			q.Label, q.Target = append(q.Label, labels[i]), append(q.Target, blocks.class[t])
		}
		q.Accepting, q.First = append(q.Accepting, a.Accepting[s]), append(q.First, uint32(len(q.Label)))
	}
	return q
}

// partition divides the numbers from 0 to n-1 into classes that can be split into marked and unmarked
// elements. Splitting takes time in the marked ones only (Valmari 2012, section 3), which gives the O(m
// log n) of the algorithm.
type partition struct {
	elements  []int32 // class after class; the marked ones of a class first
	position  []int32 // by element: its position in elements
	class     []int32 // by element
	from, to  []int32 // by class: its elements are elements[from:to]
	marks     []int32 // by class: number of marked elements
	withMarks []int32 // classes that have marked elements
}

// newPartition has one class of all n, or none where n is 0.
func newPartition(n int) *partition {
	p := &partition{elements: make([]int32, n), position: make([]int32, n), class: make([]int32, n)}
	for i := range p.elements {
		p.elements[i], p.position[i] = int32(i), int32(i)
	}
	if n > 0 {
		p.from, p.to, p.marks = []int32{0}, []int32{int32(n)}, []int32{0}
	}
	return p
}

// count returns the number of classes.
func (p *partition) count() int { return len(p.from) }

// elementsOf returns the elements of a class. Marking must wait until they are no longer needed.
func (p *partition) elementsOf(class int) []int32 { return p.elements[p.from[class]:p.to[class]] }

// markElement marks an element that may be marked already.
func (p *partition) markElement(e int32) {
	c := p.class[e]
	i, j := p.position[e], p.from[c]+p.marks[c]
	if i < j {
		return
	}
	if p.marks[c] == 0 {
		p.withMarks = append(p.withMarks, c)
	}
	other := p.elements[j]
	p.elements[i], p.position[other] = other, i
	p.elements[j], p.position[e] = e, j
	p.marks[c]++
}

// splitMarked separates the marked elements of every class from the others. The smaller part becomes the
// new class.
func (p *partition) splitMarked() {
	for _, c := range p.withMarks {
		from, to := p.from[c], p.to[c]
		middle := from + p.marks[c]
		p.marks[c] = 0
		if middle == to {
			continue
		}
		// An element changes its class at most log n times, because its class is then at most half as large.
		if middle-from <= to-middle {
			p.from[c], to = middle, middle
		} else {
			p.to[c], from = middle, middle
		}
		for _, e := range p.elements[from:to] {
			p.class[e] = int32(len(p.from))
		}
		p.from, p.to, p.marks = append(p.from, from), append(p.to, to), append(p.marks, 0)
	}
	p.withMarks = p.withMarks[:0]
}
