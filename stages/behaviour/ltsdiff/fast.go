package ltsdiff

import (
	"cmp"
	"slices"
)

// Fast matches states that look the same in their surroundings, from the widest to the narrowest that
// tell a state from all others on both sides; grows from these pairs to their neighbours; pairs what is left
// where transitions have equal labels; and moves partners while that adds unchanged transitions. Then LTSDiff
// has a try at what is around the difference, and at small automata as a whole, and what leaves the most
// transitions unchanged after rewriting is taken.
//
// Pairs are in the order of the left states. The result does not depend on the numbers of states, and with the
// sides swapped it is the same the other way round.
func Fast(left, right *Automaton) []Pair {
	l, r := number(left), number(right)
	order := l.compare(r)
	if order > 0 {
		l, r = r, l
	}
	var found []Pair
	if order == 0 {
		for s := range l.States() {
			found = append(found, Pair{s, s})
		}
	} else {
		found = fast(l, r)
	}
	for i, p := range found {
		found[i] = Pair{l.old[p.Left], r.old[p.Right]}
		if order > 0 {
			found[i] = Pair{found[i].Right, found[i].Left}
		}
	}
	slices.SortFunc(found, func(a, b Pair) int { return cmp.Compare(a.Left, b.Left) })
	return found
}

// fast matches two automata that differ.
func fast(l, r *numbering) []Pair {
	c := newContest(quick(l, r))
	if !c.won() {
		c.around()
		c.whole()
	}
	return c.best.found()
}

// quick matches without scores.
func quick(l, r *numbering) *matching {
	s := newSpread(l, r)
	s.start()
	for depth := len(depths) - 1; depth >= 0; depth-- {
		s.anchors(depth)
		if depths[depth] <= anchorDepth {
			s.run()
		}
	}
	for s.leftovers() {
	}
	s.improve()
	return s.matching
}

// anchorDepth is how many transitions states have to look alike to be paired at once. Others wait until the
// pairs so far have grown.
const anchorDepth = 3
