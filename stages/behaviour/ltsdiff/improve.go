package ltsdiff

import (
	"cmp"
	"slices"
)

// maxPartnersTried is how many other partners of a state are tried at a time, those with the most to gain first.
const maxPartnersTried = 16

// improver moves partners: a local search whose objective is the number of unchanged transitions before rewriting.
type improver struct {
	*matching
	waiting   []int32 // left states to look at, first in, first out
	isWaiting []bool  // by left state: whether it is in waiting
	partners  []int32 // scratch of partnersToTry
}

// improve gives left states other partners, and the displaced ones each other's, as long as more transitions become
// unchanged. Each accepted swap adds at least one, so it ends after at most as many swaps as there are transitions.
func (m *matching) improve() {
	i := &improver{matching: m, isWaiting: make([]bool, m.left.States())}
	i.improveAll()
}

// improveAll looks at every state with a changed transition, and again at the neighbours of what it moved.
func (m *improver) improveAll() {
	// States all of whose transitions are unchanged can gain nothing.
	for x := range m.left.States() {
		if m.keptAt(x, None) < m.degreeOf(x) {
			m.enqueueState(x)
		}
	}
	// The queue grows while it is read. A state may wait again, but only after a swap.
	for i := 0; i < len(m.waiting); i++ {
		x := m.waiting[i]
		m.isWaiting[x] = false
		for m.takeBetterPartner(x) {
		}
	}
}

// enqueueState lets a left state be looked at, once.
func (m *improver) enqueueState(x int32) {
	if !m.isWaiting[x] {
		m.isWaiting[x] = true
		m.waiting = append(m.waiting, x)
	}
}

// degreeOf returns the number of transitions at a left state, in and out.
func (m *improver) degreeOf(x int32) int {
	return int(m.left.Out.Start[x+1] - m.left.Out.Start[x] + m.left.In.Start[x+1] - m.left.In.Start[x])
}

// keptAt counts the unchanged transitions at a left state, without those to and from the state but. Loops count
// twice.
func (m *improver) keptAt(x, but int32) int {
	y := m.partner[0][x]
	if y == None {
		return 0
	}
	n := 0
	for _, arcs := range [2][2]*Arcs{{&m.left.Out, &m.right.Out}, {&m.left.In, &m.right.In}} {
		l := arcs[0]
		for i := l.Start[x]; i < l.Start[x+1]; i++ {
			if p := l.End[i]; p != but && m.partner[0][p] != None && arcs[1].findArc(y, l.Label[i], m.partner[0][p]) != None {
				n++
			}
		}
	}
	return n
}

// takeBetterPartner gives a left state a partner with which more transitions are unchanged, and reports whether
// there is one.
func (m *improver) takeBetterPartner(x int32) bool {
	return slices.ContainsFunc(m.partnersToTry(x), func(y int32) bool { return m.trySwap(x, y) })
}

// partnersToTry returns the right states that have a transition like one of x, those with the most such transitions
// first. A transition with more than maxNeighbourPairs like it does not count.
func (m *improver) partnersToTry(x int32) []int32 {
	m.partners = m.partners[:0]
	for _, arcs := range [2][2]*Arcs{{&m.left.Out, &m.right.In}, {&m.left.In, &m.right.Out}} {
		l := arcs[0]
		for i := l.Start[x]; i < l.Start[x+1]; i++ {
			if q := m.partner[0][l.End[i]]; q != None {
				for _, y := range arcs[1].endsByLabel(q, l.Label[i]) {
					if y != m.partner[0][x] && m.areCombinable(x, y) {
						m.partners = append(m.partners, y)
					}
				}
			}
		}
	}
	slices.Sort(m.partners)
	return mostFrequent(m.partners, maxPartnersTried)
}

// mostFrequent returns the values that a sorted list holds most often, at most n of them, the lower value first on
// ties.
func mostFrequent(list []int32, n int) []int32 {
	type counted struct {
		value int32
		times int
	}
	var counts []counted
	for i, v := range list {
		if i == 0 || list[i-1] != v {
			counts = append(counts, counted{value: v})
		}
		counts[len(counts)-1].times++
	}
	slices.SortStableFunc(counts, func(a, b counted) int { return cmp.Compare(b.times, a.times) })
	var values []int32
	for _, c := range counts[:min(n, len(counts))] {
		values = append(values, c.value)
	}
	return values
}

// trySwap gives x the partner y, and the former partner of x to the state that had y. It takes that back, and
// returns false, unless more transitions are unchanged than before.
func (m *improver) trySwap(x, y int32) bool {
	// 1. Count what the two states keep now. Only their transitions can change.
	was, rival := m.partner[0][x], m.partner[1][y]
	before := m.keptAtBoth(x, rival)
	// 2. Swap.
	m.setPartner(x, y)
	if rival != None {
		m.partner[0][rival] = None
	}
	if was != None {
		m.partner[1][was] = None
	}
	if rival != None && was != None && m.areCombinable(rival, was) {
		m.setPartner(rival, was)
	}
	// 3. Keep the swap only if it is worth it; neighbours may gain by it.
	if m.keptAtBoth(x, rival) > before {
		m.enqueueNeighbours(x)
		m.enqueueNeighbours(rival)
		return true
	}
	// 4. Undo it, in all four places.
	m.partner[0][x] = was
	if was != None {
		m.partner[1][was] = x
	}
	m.partner[1][y] = rival
	if rival != None {
		m.partner[0][rival] = y
	}
	return false
}

// setPartner makes x and y partners without a look at their former ones.
func (m *improver) setPartner(x, y int32) { m.partner[0][x], m.partner[1][y] = y, x }

// keptAtBoth counts the unchanged transitions at x and at the state it competes with, those between the two once.
func (m *improver) keptAtBoth(x, rival int32) int {
	n := m.keptAt(x, None)
	if rival != None {
		n += m.keptAt(rival, x)
	}
	return n
}

// enqueueNeighbours lets a left state and its neighbours look for partners again.
func (m *improver) enqueueNeighbours(x int32) {
	if x == None {
		return
	}
	m.enqueueState(x)
	for _, arcs := range []*Arcs{&m.left.Out, &m.left.In} {
		for i := arcs.Start[x]; i < arcs.Start[x+1]; i++ {
			m.enqueueState(arcs.End[i])
		}
	}
}

// pairsByLeft returns the pairs in the order of the left states.
func (m *matching) pairsByLeft() (pairs []Pair) {
	for x, y := range m.partner[0] {
		if y != None {
			pairs = append(pairs, Pair{int32(x), y})
		}
	}
	return pairs
}
