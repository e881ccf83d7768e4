package ltsdiff

import (
	"cmp"
	"slices"
)

// trials is how many other partners of a state are tried at a time, those with the most to gain.
const trials = 16

// improver moves partners.
type improver struct {
	*matching
	waiting []int32 // left states to look at
	listed  []bool  // by left state: it waits
	offers  []int32
}

// improve gives left states other partners, who swap theirs, as long as more transitions get unchanged.
func (m *matching) improve() {
	i := &improver{matching: m, listed: make([]bool, m.left.States())}
	i.run()
}

func (m *improver) run() {
	for x := range m.left.States() {
		if m.kept(x, None) < m.degree(x) {
			m.wait(x)
		}
	}
	for i := 0; i < len(m.waiting); i++ {
		x := m.waiting[i]
		m.listed[x] = false
		for m.move(x) {
		}
	}
}

func (m *improver) wait(x int32) {
	if !m.listed[x] {
		m.listed[x] = true
		m.waiting = append(m.waiting, x)
	}
}

func (m *improver) degree(x int32) int {
	return int(m.left.Out.Start[x+1] - m.left.Out.Start[x] + m.left.In.Start[x+1] - m.left.In.Start[x])
}

// kept is how many transitions at a left state are unchanged, those at another state not counted. Loops
// count twice.
func (m *improver) kept(x, but int32) int {
	y := m.partner[0][x]
	if y == None {
		return 0
	}
	n := 0
	for _, arcs := range [2][2]*Arcs{{&m.left.Out, &m.right.Out}, {&m.left.In, &m.right.In}} {
		l := arcs[0]
		for i := l.Start[x]; i < l.Start[x+1]; i++ {
			if p := l.End[i]; p != but && m.partner[0][p] != None && arcs[1].find(y, l.Label[i], m.partner[0][p]) != None {
				n++
			}
		}
	}
	return n
}

// move gives a left state a partner with which more transitions are unchanged, if there is one.
func (m *improver) move(x int32) bool {
	for _, y := range m.others(x) {
		if m.swap(x, y) {
			return true
		}
	}
	return false
}

// others are right states that have a transition like one of x, the most such first. Transitions like more
// than crowd others do not count.
func (m *improver) others(x int32) []int32 {
	m.offers = m.offers[:0]
	for _, arcs := range [2][2]*Arcs{{&m.left.Out, &m.right.In}, {&m.left.In, &m.right.Out}} {
		l := arcs[0]
		for i := l.Start[x]; i < l.Start[x+1]; i++ {
			if q := m.partner[0][l.End[i]]; q != None {
				for _, y := range arcs[1].with(q, l.Label[i]) {
					if y != m.partner[0][x] && m.combinable(x, y) {
						m.offers = append(m.offers, y)
					}
				}
			}
		}
	}
	slices.Sort(m.offers)
	return mostFrequent(m.offers, trials)
}

// mostFrequent are the values that a sorted list has the most often, at most n of them.
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

// swap gives x the partner y and the partner of x to the state that had y, and takes that back unless it
// adds unchanged transitions.
func (m *improver) swap(x, y int32) bool {
	was, rival := m.partner[0][x], m.partner[1][y]
	before := m.keptBy(x, rival)
	m.set(x, y)
	if rival != None {
		m.partner[0][rival] = None
	}
	if was != None {
		m.partner[1][was] = None
	}
	if rival != None && was != None && m.combinable(rival, was) {
		m.set(rival, was)
	}
	if m.keptBy(x, rival) > before {
		m.disturb(x)
		m.disturb(rival)
		return true
	}
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

func (m *improver) set(x, y int32) { m.partner[0][x], m.partner[1][y] = y, x }

func (m *improver) keptBy(x, rival int32) int {
	n := m.kept(x, None)
	if rival != None {
		n += m.kept(rival, x)
	}
	return n
}

// disturb lets the neighbours of a left state look for partners again.
func (m *improver) disturb(x int32) {
	if x == None {
		return
	}
	m.wait(x)
	for _, arcs := range []*Arcs{&m.left.Out, &m.left.In} {
		for i := arcs.Start[x]; i < arcs.Start[x+1]; i++ {
			m.wait(arcs.End[i])
		}
	}
}

// found are the pairs by left state.
func (m *matching) found() (pairs []Pair) {
	for x, y := range m.partner[0] {
		if y != None {
			pairs = append(pairs, Pair{int32(x), y})
		}
	}
	return pairs
}
