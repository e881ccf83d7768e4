package ltsdiff

import (
	"cmp"
	"math/bits"
	"slices"
)

// numbering is an automaton with its states in an order that does not depend on the numbers they came with.
type numbering struct {
	*Automaton
	*fingerprints
	old []int32 // by state here: its number in the automaton that the caller passed
}

// canonicalNumbering orders the states of an automaton breadth-first from the initial ones along sorted labels, and
// then the unreachable ones. Fingerprints break ties. Where they are equal too, the states look alike to a depth of
// 16 transitions, and the given order stays.
func canonicalNumbering(a *Automaton) *numbering {
	// 1. Fingerprints depend on the structure alone, and so does an order by them.
	c := newFingerprints(a)
	deepest := c[len(depths)-1]
	w := &breadthFirst{Automaton: a, colour: deepest, position: filledWithNone(int(a.States()))}
	roots := make([]int32, a.States())
	for s := range roots {
		roots[s] = int32(s)
	}
	// 2. Initial states first, then by fingerprint.
	slices.SortStableFunc(roots, func(x, y int32) int {
		return cmp.Or(intOf(a.Initial[y])-intOf(a.Initial[x]), cmp.Compare(deepest[x], deepest[y]))
	})
	// 3. All initial states are visited before any is expanded.
	for i, s := range roots {
		w.visitState(s)
		if i+1 == len(roots) || !a.Initial[roots[i+1]] {
			w.walkReachable()
		}
	}
	return w.renumber(c)
}

// breadthFirst is a breadth-first walk over all states.
type breadthFirst struct {
	*Automaton
	colour   []uint64 // by state: its fingerprint at the greatest depth
	order    []int32  // states in the order of the walk
	position []int32  // by state: its position in order, or None
	next     int      // position in order of the next state to expand
	arcs     []int32  // scratch: the arcs of the state being expanded
}

// visitState appends a state to the walk unless it is there already.
func (w *breadthFirst) visitState(s int32) {
	if w.position[s] == None {
		w.position[s] = int32(len(w.order))
		w.order = append(w.order, s)
	}
}

// walkReachable expands states until no unvisited one can be reached from those visited.
func (w *breadthFirst) walkReachable() {
	for ; w.next < len(w.order); w.next++ {
		s := w.order[w.next]
		w.arcs = w.arcs[:0]
		for i := w.Out.Start[s]; i < w.Out.Start[s+1]; i++ {
			w.arcs = append(w.arcs, i)
		}
		// Labels are codes that both sides share, so that the order is the same on both.
		slices.SortStableFunc(w.arcs, func(i, j int32) int {
			return cmp.Or(cmp.Compare(w.Out.Label[i], w.Out.Label[j]), cmp.Compare(w.colour[w.Out.End[i]], w.colour[w.Out.End[j]]))
		})
		for _, i := range w.arcs {
			w.visitState(w.Out.End[i])
		}
	}
}

// renumber makes the automaton, and its fingerprints, in the order of the walk.
func (w *breadthFirst) renumber(c *fingerprints) *numbering {
	n := &numbering{Automaton: &Automaton{}, fingerprints: &fingerprints{}, old: w.order}
	transitions := make([]Transition, 0, len(w.Out.End))
	// States get their positions in the walk as numbers.
	for place, s := range w.order {
		n.Initial, n.Accepting = append(n.Initial, w.Initial[s]), append(n.Accepting, w.Accepting[s])
		for i := w.Out.Start[s]; i < w.Out.Start[s+1]; i++ {
			transitions = append(transitions, Transition{int32(place), w.Out.Label[i], w.position[w.Out.End[i]]})
		}
	}
	slices.SortFunc(transitions, Transition.compare)
	n.Out = sortArcs(len(w.order), transitions, func(t Transition) (int32, int32) { return t.Source, t.Target })
	n.In = sortArcs(len(w.order), transitions, func(t Transition) (int32, int32) { return t.Target, t.Source })
	for i := range depths {
		n.fingerprints[i] = make([]uint64, len(w.order))
		for place, s := range w.order {
			n.fingerprints[i][place] = c[i][s]
		}
	}
	return n
}

// compareTo orders numbered automata. Only identical ones compare as equal, so Fast can sort its two arguments and
// need not care which side was called left.
func (n *numbering) compareTo(o *numbering) int {
	flags := func(a, b bool) int { return intOf(a) - intOf(b) }
	return cmp.Or(
		slices.Compare(n.Out.Start, o.Out.Start), slices.Compare(n.Out.Label, o.Out.Label), slices.Compare(n.Out.End, o.Out.End),
		slices.CompareFunc(n.Initial, o.Initial, flags), slices.CompareFunc(n.Accepting, o.Accepting, flags))
}

// depths are the radii at which surroundings are compared, in transitions. The widest are tried first, because what
// looks the same over 16 transitions is almost certainly the same.
var depths = [...]int{1, 2, 3, 4, 6, 8, 12, 16}

// fingerprints describe the surroundings of every state of an automaton, by index into depths and state. A state's
// fingerprint at depth k covers whether it is initial or accepting, its transitions in and out, and the
// fingerprints at depth k-1 of the states at their other ends (colour refinement, Weisfeiler and Leman 1968).
// States with the same past and future up to k transitions have the same fingerprint; two different ones collide
// with a chance of 1 in 2^64.
type fingerprints [len(depths)][]uint64

// newFingerprints takes O(transitions) time per depth, 16 rounds in all, and keeps 8 bytes per state for each of
// the depths.
func newFingerprints(a *Automaton) *fingerprints {
	var c fingerprints
	now := make([]uint64, a.States())
	for s := range now {
		now[s] = mixBits(uint64(1 + intOf(a.Initial[s]) + 2*intOf(a.Accepting[s])))
	}
	depth := 0
	for i, upTo := range depths {
		for ; depth < upTo; depth++ {
			now = a.deepenFingerprints(now)
		}
		c[i] = now
	}
	return &c
}

// deepenFingerprints extends every fingerprint by one transition. The two directions are seeded with different
// constants, because a step in is not a step out.
func (a *Automaton) deepenFingerprints(now []uint64) []uint64 {
	next := make([]uint64, len(now))
	for s := range next {
		// The two sums are independent of the order of the arcs.
		h := mixBits(now[s])
		h += a.Out.hashArcs(int32(s), now, 0x9e3779b97f4a7c15)
		h += a.In.hashArcs(int32(s), now, 0xc2b2ae3d27d4eb4f)
		next[s] = mixBits(h)
	}
	return next
}

// hashArcs adds up the hashes of a state's arcs, so the result does not depend on their order.
func (a *Arcs) hashArcs(s int32, now []uint64, direction uint64) (h uint64) {
	for i := a.Start[s]; i < a.Start[s+1]; i++ {
		h += mixBits(now[a.End[i]] + mixBits(uint64(a.Label[i])+direction))
	}
	return h
}

// mixBits spreads a number over 64 bits: two rounds of the multiply-and-fold of wyhash.
func mixBits(x uint64) uint64 {
	high, low := bits.Mul64(x^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	x = high ^ low
	high, low = bits.Mul64(x^0x8ebc6af09c88c6e3, 0x589965cc75374cc3)
	return high ^ low ^ x
}
