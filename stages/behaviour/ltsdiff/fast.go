package ltsdiff

import (
	"cmp"
	"slices"
)

// Fast matches two automata in five steps: it pairs states whose surroundings look the same and unlike any other,
// from the widest surroundings to the narrowest; grows from these pairs to their neighbours; pairs what is left
// where transitions have equal labels; moves partners while that adds unchanged transitions; and lets LTSdiff match
// what is around the difference, and small automata as a whole. The matching that leaves the most transitions
// unchanged after rewriting wins.
//
// Pairs are in the order of the left states. The result depends neither on the numbers of states nor on which side
// is called left.
func Fast(left, right *Automaton) []Pair {
	// 1. Give both an order of their own. The lesser one becomes the left, so that sides do not matter.
	l, r := canonicalNumbering(left), canonicalNumbering(right)
	order := l.compareTo(r)
	if order > 0 {
		l, r = r, l
	}
	var found []Pair
	// 2. Equal automata are matched state by state, the rest by surroundings.
	if order == 0 {
		for s := range l.States() {
			found = append(found, Pair{s, s})
		}
	} else {
		found = matchDifferent(l, r)
	}
	// 3. Back to the numbers and sides of the caller.
	for i, p := range found {
		found[i] = Pair{l.old[p.Left], r.old[p.Right]}
		if order > 0 {
			found[i] = Pair{found[i].Right, found[i].Left}
		}
	}
	slices.SortFunc(found, func(a, b Pair) int { return cmp.Compare(a.Left, b.Left) })
	return found
}

// matchDifferent matches two automata that are not identical.
func matchDifferent(l, r *numbering) []Pair {
	c := newContest(matchUnscored(l, r))
	if !c.isOptimal() {
		c.matchResidue()
		c.matchWhole()
	}
	return c.best.pairsByLeft()
}

// matchUnscored matches without scores, in time almost linear in the transitions.
func matchUnscored(l, r *numbering) *matching {
	s := newPropagation(l, r)
	s.pairInitialStates()
	// From the widest surroundings, which are the most reliable, to the narrowest.
	for depth := len(depths) - 1; depth >= 0; depth-- {
		s.pairAnchors(depth)
		if depths[depth] <= anchorDepth {
			s.propagate()
		}
	}
	// Each round pairs at least one state, so that it ends.
	for s.pairUnmatchedTransitions() {
	}
	s.improve()
	return s.matching
}

// anchorDepth is the depth up to which pairs grow at once. Anchors of a greater depth are all made before any
// grows: they are the most reliable, and growth must not take their states.
const anchorDepth = 3

// singleton is a state without a partner, with its fingerprint at one depth.
type singleton struct {
	fingerprint uint64
	side        int8 // 0 left, 1 right
	state       int32
}

// pairAnchors pairs the states whose fingerprint at a depth is unique on both sides among the states without
// partners. O(n log n).
func (s *propagation) pairAnchors(depth int) {
	free := s.singletons[:0]
	for side, n := range []*numbering{s.l, s.r} {
		for x, partner := range s.partner[side] {
			if partner == None {
				free = append(free, singleton{n.fingerprints[depth][x], int8(side), int32(x)})
			}
		}
	}
	s.singletons = free
	slices.SortFunc(free, func(a, b singleton) int {
		return cmp.Or(cmp.Compare(a.fingerprint, b.fingerprint), cmp.Compare(a.side, b.side), cmp.Compare(a.state, b.state))
	})
	for from := 0; from < len(free); {
		to := from + 1
		for to < len(free) && free[to].fingerprint == free[from].fingerprint {
			to++
		}
		if to-from == 2 && free[from].side != free[to-1].side {
			s.makePair(free[from].state, free[to-1].state)
		}
		from = to
	}
}

// pairInitialStates pairs the initial states if each side has exactly one. This needs no evidence: both are where
// every run begins.
func (s *propagation) pairInitialStates() {
	x, one := singleIndex(s.left.Initial)
	y, other := singleIndex(s.right.Initial)
	if one && other && s.areCombinable(x, y) {
		s.makePair(x, y)
	}
}

// singleIndex returns the position of the only flag that is set; ok is false if none or several are.
func singleIndex(flags []bool) (at int32, ok bool) {
	at = int32(slices.Index(flags, true))
	return at, at >= 0 && !slices.Contains(flags[at+1:], true)
}
