package reconciliation

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// ClockRelations are the relations of the clocks of units to that of a reference unit.
type ClockRelations struct {
	Lines []Line              // by unit; the zero line of the reference
	Rows  []schema.ClockBound // of every pair of units that relations lead between
	Own   []int               // by unit: the row whose Used holds, or -1: of the reference, and of the first unit that is alone
	// Alone are the units that nothing connects with the reference. Those that are connected have the time of their first.
	Alone []int
}

// Relate finds how the clocks relate: for every pair of units by the relations between them (package clocks), and from
// each unit to the reference over the pairs that say most of the offset (the algorithm of Prim, Bell System Technical
// Journal 36, 1957).
func (m *Model) Relate(reference int) *ClockRelations {
	ties := m.ties(func(u, v int) bool { return u > v })
	r := &ClockRelations{Lines: make([]Line, len(m.Units)), Own: make([]int, len(m.Units))}
	parent := m.span(ties, reference)
	turned := m.ties(func(u, v int) bool { return u < v && parent[u] == v })
	for u := range m.Units {
		r.Own[u] = -1
		if root(parent, u) != reference {
			r.Alone = append(r.Alone, u)
		}
	}
	for _, key := range sortedTies(ties) {
		t := ties[key]
		if other, is := turned[[2]int{t.reference, t.unit}]; is {
			t = other
		}
		row := m.row(t)
		if row.Used = parent[t.unit] == t.reference; row.Used {
			r.Own[t.unit] = len(r.Rows)
		}
		r.Rows = append(r.Rows, row)
	}
	for u := range m.Units {
		r.Lines[u] = r.compose(u, parent)
	}
	return r
}

// compose follows the pairs up to the reference.
func (r *ClockRelations) compose(unit int, parent []int) Line {
	if r.Own[unit] < 0 {
		return Line{}
	}
	row := &r.Rows[r.Own[unit]]
	l := Line{row.OriginNs, row.OffsetNs, row.DriftPpm / 1e6}
	if above := parent[unit]; r.Own[above] >= 0 {
		return l.then(r.compose(above, parent))
	}
	return l
}

const apart = -1

// root is where the way up from a unit ends.
func root(parent []int, unit int) int {
	for parent[unit] != apart {
		unit = parent[unit]
	}
	return unit
}

// span finds a tree of ties: the unit next to each on its way to the reference. Units that nothing connects with the
// reference have a tree of their own, whose root is the first of them.
func (m *Model) span(ties map[[2]int]*tie, reference int) []int {
	parent, placed := make([]int, len(m.Units)), make([]bool, len(m.Units))
	for u := range parent {
		parent[u] = apart
	}
	keys := sortedTies(ties)
	for root := reference; root >= 0; root = slices.Index(placed, false) {
		placed[root] = true
		m.grow(ties, keys, parent, placed)
	}
	return parent
}

// grow places all units that ties connect with those that are placed.
func (m *Model) grow(ties map[[2]int]*tie, keys [][2]int, parent []int, placed []bool) {
	for {
		var best *tie
		for _, key := range keys {
			if t := ties[key]; placed[t.unit] != placed[t.reference] && (best == nil || worth(t, best) < 0) {
				best = t
			}
		}
		if best == nil {
			return
		}
		u, above := best.unit, best.reference
		if placed[u] {
			u, above = above, u
		}
		parent[u], placed[u] = above, true
	}
}
