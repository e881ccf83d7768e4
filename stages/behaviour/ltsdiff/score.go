package ltsdiff

import (
	"cmp"
	"math"
	"slices"
)

// attenuation is how much the score of a pair of neighbours counts beside their common label.
const attenuation = 0.6

// accuracy ends the sweeps of the global scores: no score changed by more. A sweep shrinks the distance
// to the fixpoint to 0.3 of it or less.
const accuracy = 1e-13

// Scores are the similarities of the states of two automata:
//
//	s(x,y) = ( sum over N of (1 + 0.6 s(p,q)) + a ) / ( 2 (U + |N| + b) )
//
// forwards over outgoing transitions and backwards over incoming ones, and then their mean. N are the pairs of
// transitions of x and y with equal labels and (p,q) their other ends; U is the number of transitions
// without a partner; backwards a = 1 if both states are initial and b = 1 if one is, forwards they are 0. Pairs that
// differ in accepting hold -1 and cannot be combined.
type Scores struct {
	left, right       *Automaton
	forward, backward *pairs
}

// Local are the scores after k refinements of 0; k is at least 1. A pair without a common label scores 0,
// also for two initial states.
func Local(left, right *Automaton, k int) *Scores {
	s := &Scores{left, right, newPairs(left, right, true, false), newPairs(left, right, false, false)}
	for _, p := range []*pairs{s.forward, s.backward} {
		for i := 1; i < k; i++ {
			next := make([]float64, p.row[len(p.row)-1])
			p.refine(next)
			p.value = next
		}
	}
	return s
}

// Global are the scores that the recurrence does not change any more, to 1e-12.
func Global(left, right *Automaton) *Scores {
	s := &Scores{left, right, newPairs(left, right, true, true), newPairs(left, right, false, true)}
	for _, p := range []*pairs{s.forward, s.backward} {
		first := make([]float64, p.row[len(p.row)-1])
		p.refine(first)
		p.value = first
		for p.refine(p.value) > accuracy {
		}
	}
	return s
}

// refine applies the recurrence to all pairs once and returns the greatest change. With next = p.value it
// uses new scores as soon as it has them.
func (p *pairs) refine(next []float64) float64 {
	change := 0.0
	for x := range int32(len(p.row) - 1) {
		at := p.row[x]
		for _, b := range p.of(x) {
			for _, y := range p.right.states(b.right) {
				v := p.sum(b.both, x, y) / b.parts
				if p.value != nil {
					change = max(change, math.Abs(v-p.value[at]))
				}
				next[at] = v
				at++
			}
		}
	}
	return change
}

// term is a pair of N: its transitions and what it adds to the sum.
type term struct {
	left, right int32
	value       float64
}

// sum adds up the numerator of the recurrence: a and, over N in the order of the transitions in their lists,
// the terms. Another order could round to another number and so break ties otherwise than gLTSdiff does.
func (p *pairs) sum(a float64, x, y int32) float64 {
	p.terms = p.terms[:0]
	l, r := p.left.arcs, p.right.arcs
	i, iEnd := l.Start[x], l.Start[x+1]
	j, jEnd := r.Start[y], r.Start[y+1]
	for i < iEnd && j < jEnd {
		switch {
		case l.Label[i] < r.Label[j]:
			i++
		case l.Label[i] > r.Label[j]:
			j++
		default:
			iTo, jTo := l.run(i, iEnd), r.run(j, jEnd)
			p.collect(i, iTo, j, jTo)
			i, j = iTo, jTo
		}
	}
	if len(p.terms) > 1 {
		slices.SortFunc(p.terms, func(a, b term) int { return cmp.Or(cmp.Compare(a.left, b.left), cmp.Compare(a.right, b.right)) })
	}
	for _, t := range p.terms {
		a += t.value
	}
	return a
}

// collect makes the terms of the transitions i to iTo and j to jTo, which have the same label.
func (p *pairs) collect(i, iTo, j, jTo int32) {
	l, r := p.left.arcs, p.right.arcs
	for ; i < iTo; i++ {
		for k := j; k < jTo; k++ {
			p.terms = append(p.terms, term{l.Number[i], r.Number[k], 1 + attenuation*p.refined(l.End[i], r.End[k])})
		}
	}
}

// refined is the score of any pair of states after at least one refinement.
func (p *pairs) refined(x, y int32) float64 {
	if p.accepting[0][x] != p.accepting[1][y] {
		return -1
	}
	return p.at(x, y)
}

// At is the combined score of a left and a right state, from 0 to 1, or -Inf if they cannot be combined.
func (s *Scores) At(x, y int32) float64 {
	if s.left.Accepting[x] != s.right.Accepting[y] {
		return math.Inf(-1)
	}
	return (s.forward.at(x, y) + s.backward.at(x, y)) / 2
}

// row is a left state's partners with scores above 0.
type row struct {
	states []int32   // in no useful order
	score  []float64 // by right state; 0 where there is none
}

// fill replaces the content of a row.
func (s *Scores) fill(r *row, x int32) {
	if r.score == nil {
		r.score = make([]float64, s.right.States())
	}
	for _, y := range r.states {
		r.score[y] = 0
	}
	r.states = r.states[:0]
	for _, p := range []*pairs{s.forward, s.backward} {
		p.add(r, x)
	}
}

// add adds half of the scores of one direction.
func (p *pairs) add(r *row, x int32) {
	for _, b := range p.of(x) {
		at := p.row[x] + int64(b.offset)
		for i, y := range p.right.states(b.right) {
			v := b.whole
			if p.value != nil {
				v = p.value[at+int64(i)]
			}
			if r.score[y] == 0 {
				r.states = append(r.states, y)
			}
			r.score[y] += v / 2
		}
	}
}

// sorted puts the partners in the order of their numbers.
func (r *row) sorted() []int32 {
	if 8*len(r.states) < len(r.score) {
		slices.Sort(r.states)
		return r.states
	}
	r.states = r.states[:0]
	for y, v := range r.score {
		if v > 0 {
			r.states = append(r.states, int32(y))
		}
	}
	return r.states
}
