package ltsdiff

import (
	"cmp"
	"math"
	"slices"
)

// neighbourWeight is the weight of the score of a pair of neighbours beside their common label, 0.6 in gLTSdiff. It
// makes the recurrence a contraction with a factor of at most 0.3.
const neighbourWeight = 0.6

// scoreTolerance ends the sweeps of the global scores: no score changed by more in the last sweep. A sweep shrinks
// the distance to the fixpoint to 0.3 of it or less, so that about 25 sweeps suffice.
const scoreTolerance = 1e-13

// Scores are the similarities of the states of two automata, Walkinshaw and Bogdanov 2013, section 5.1:
//
//	s(x,y) = ( sum over N of (1 + 0.6 s(p,q)) + a ) / ( 2 (U + |N| + b) )
//
// forwards over outgoing transitions and backwards over incoming ones, and then their mean. N are the pairs of
// transitions of x and y with equal labels, and (p,q) their other ends; U is the number of transitions without a
// partner; backwards a = 1 if both states are initial and b = 1 if one is, forwards they are 0. Pairs that differ
// in accepting hold -1 and cannot be combined.
type Scores struct {
	left, right       *Automaton
	forward, backward *scoreTable
}

// Local returns the scores after k refinements of 0; k is at least 1. A pair without a common label scores 0, even
// two initial states: gLTSdiff's local scorer returns early there, its global one does not.
func Local(left, right *Automaton, k int) *Scores {
	s := &Scores{left, right, newScoreTable(left, right, true, false), newScoreTable(left, right, false, false)}
	// The first refinement is in the blocks; each further one needs the values of the one before.
	for _, p := range []*scoreTable{s.forward, s.backward} {
		for i := 1; i < k; i++ {
			next := make([]float64, p.row[len(p.row)-1])
			p.refineAll(next)
			p.value = next
		}
	}
	return s
}

// Global returns the fixpoint of the recurrence, to 1e-12. gLTSdiff solves the same linear equations densely by LU,
// in O((|L||R|)^3); sweeps over the sparse table need O(pairs of equal labels) each.
func Global(left, right *Automaton) *Scores {
	s := &Scores{left, right, newScoreTable(left, right, true, true), newScoreTable(left, right, false, true)}
	for _, p := range []*scoreTable{s.forward, s.backward} {
		first := make([]float64, p.row[len(p.row)-1])
		p.refineAll(first)
		p.value = first
		for p.refineAll(p.value) > scoreTolerance {
		}
	}
	return s
}

// refineAll applies the recurrence to all pairs once and returns the greatest change. With next = p.value it uses
// new scores as soon as they exist (Gauss-Seidel), which converges faster.
func (p *scoreTable) refineAll(next []float64) float64 {
	change := 0.0
	// All pairs of a block share the denominator.
	for x := range int32(len(p.row) - 1) {
		at := p.row[x]
		for _, b := range p.blocksOf(x) {
			for _, y := range p.right.statesOf(b.right) {
				v := p.sumTerms(b.both, x, y) / b.parts
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

// term is one element of N: a pair of transitions, and what it adds to the sum.
type term struct {
	left, right int32 // numbers of the transitions
	value       float64
}

// sumTerms adds up the numerator of the recurrence: a, and the terms over N in the order of the transitions in
// their lists. Another order could round to another number, and so break ties differently from gLTSdiff.
func (p *scoreTable) sumTerms(a float64, x, y int32) float64 {
	p.terms = p.terms[:0]
	l, r := p.left.arcs, p.right.arcs
	// Written out instead of eachCommonRun: a closure for each pair would slow down the innermost loop.
	i, iEnd := l.Start[x], l.Start[x+1]
	j, jEnd := r.Start[y], r.Start[y+1]
	for i < iEnd && j < jEnd {
		switch {
		case l.Label[i] < r.Label[j]:
			i++
		case l.Label[i] > r.Label[j]:
			j++
		default:
			iTo, jTo := l.runEnd(i, iEnd), r.runEnd(j, jEnd)
			p.collectTerms(i, iTo, j, jTo)
			i, j = iTo, jTo
		}
	}
	// The order of the transitions, which is that of gLTSdiff.
	if len(p.terms) > 1 {
		slices.SortFunc(p.terms, func(a, b term) int { return cmp.Or(cmp.Compare(a.left, b.left), cmp.Compare(a.right, b.right)) })
	}
	for _, t := range p.terms {
		a += t.value
	}
	return a
}

// collectTerms makes the terms of the transitions i to iTo and j to jTo, which have the same label.
func (p *scoreTable) collectTerms(i, iTo, j, jTo int32) {
	l, r := p.left.arcs, p.right.arcs
	for ; i < iTo; i++ {
		for k := j; k < jTo; k++ {
			p.terms = append(p.terms, term{l.Number[i], r.Number[k], 1 + neighbourWeight*p.refinedScore(l.End[i], r.End[k])})
		}
	}
}

// refinedScore returns the score of any pair of states after at least one refinement.
func (p *scoreTable) refinedScore(x, y int32) float64 {
	if p.accepting[0][x] != p.accepting[1][y] {
		return -1
	}
	return p.scoreAt(x, y)
}

// At returns the combined score of a left and a right state, from 0 to 1, or -Inf if they cannot be combined.
func (s *Scores) At(x, y int32) float64 {
	if s.left.Accepting[x] != s.right.Accepting[y] {
		return math.Inf(-1)
	}
	return (s.forward.scoreAt(x, y) + s.backward.scoreAt(x, y)) / 2
}

// row holds the partners of one left state that score above 0.
type row struct {
	states []int32   // right states, in no useful order
	score  []float64 // by right state; 0 for all others
}

// fillRow replaces the content of a row. It clears only what the row held, so that a sweep over all rows costs the
// number of partners.
func (s *Scores) fillRow(r *row, x int32) {
	if r.score == nil {
		r.score = make([]float64, s.right.States())
	}
	for _, y := range r.states {
		r.score[y] = 0
	}
	r.states = r.states[:0]
	for _, p := range []*scoreTable{s.forward, s.backward} {
		p.addHalfScores(r, x)
	}
}

// addHalfScores adds half of the scores of one direction, for the mean of both.
func (p *scoreTable) addHalfScores(r *row, x int32) {
	for _, b := range p.blocksOf(x) {
		at := p.row[x] + int64(b.offset)
		for i, y := range p.right.statesOf(b.right) {
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

// sortedStates returns the partners in the order of their numbers: by sorting if they are few, otherwise by a scan
// of all right states.
func (r *row) sortedStates() []int32 {
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
