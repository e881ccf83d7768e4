package reconciliation

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// ClockRelations are the relations between the clocks of the units and that of a reference unit.
type ClockRelations struct {
	Lines []Line              // by unit; the zero line of the reference
	Rows  []schema.ClockBound // of every pair of units that relations lead between
	Own   []int               // by unit: the row whose Used holds, or -1: of the reference, and of the first unit that is alone
	// Alone are the units that nothing connects with the reference. Those that are connected have the time of their first.
	Alone []int
}

// Relate finds how the clocks relate: for every pair of units by the relations between them (package
// offset), and from each unit to the reference along the pairs that bound the offset most tightly, a
// minimum spanning tree (Prim, Bell System Technical Journal 36, 1957).
func (m *Model) Relate(reference int) *ClockRelations {
	// 1. What every pair of units says, in one direction.
	ties := m.collectTies(func(u, v int) bool { return u > v })
	r := &ClockRelations{Lines: make([]Line, len(m.Units)), Own: make([]int, len(m.Units))}
	// 2. The best way from each unit to the reference.
	parent := m.spanningTree(ties, reference)
	// 3. A tie that the tree uses in the other direction is collected again: bounds of an inverted line are not those
	// of the line.
	turned := m.collectTies(func(u, v int) bool { return u < v && parent[u] == v })
	// A unit that the tree of the reference does not reach keeps its own time.
	for u := range m.Units {
		r.Own[u] = -1
		if treeRoot(parent, u) != reference {
			r.Alone = append(r.Alone, u)
		}
	}
	// 4. A row for each pair.
	for _, key := range sortedTies(ties) {
		t := ties[key]
		if other, is := turned[[2]int{t.reference, t.unit}]; is {
			t = other
		}
		row := m.boundRow(t)
		if row.Used = parent[t.unit] == t.reference; row.Used {
			r.Own[t.unit] = len(r.Rows)
		}
		r.Rows = append(r.Rows, row)
	}
	for u := range m.Units {
		r.Lines[u] = r.composeLine(u, parent)
	}
	return r
}

// composeLine composes the lines of the pairs from a unit up to the reference.
func (r *ClockRelations) composeLine(unit int, parent []int) Line {
	if r.Own[unit] < 0 {
		return Line{}
	}
	row := &r.Rows[r.Own[unit]]
	l := Line{row.OriginNs, row.OffsetNs, row.DriftPpm / 1e6}
	if above := parent[unit]; r.Own[above] >= 0 {
		return l.compose(r.composeLine(above, parent))
	}
	return l
}

// noParent marks the root of a tree of units.
const noParent = -1

// treeRoot returns the unit where the way up from a unit ends.
func treeRoot(parent []int, unit int) int {
	for parent[unit] != noParent {
		unit = parent[unit]
	}
	return unit
}

// spanningTree returns, by unit, the next unit on its way to the reference. Units that nothing connects
// with the reference have a tree of their own, whose root is the first of them.
func (m *Model) spanningTree(ties map[[2]int]*tie, reference int) []int {
	parent, placed := slices.Repeat([]int{noParent}, len(m.Units)), make([]bool, len(m.Units))
	keys := sortedTies(ties)
	for root := reference; root >= 0; root = slices.Index(placed, false) {
		placed[root] = true
		m.growTree(ties, keys, parent, placed)
	}
	return parent
}

// growTree places all units that ties connect with those already placed, the best tie first.
func (m *Model) growTree(ties map[[2]int]*tie, keys [][2]int, parent []int, placed []bool) {
	// Quadratic in the ties, of which there are as many as pairs of units that talk.
	for {
		var best *tie
		for _, key := range keys {
			if t := ties[key]; placed[t.unit] != placed[t.reference] && (best == nil || compareTies(t, best) < 0) {
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

// Line relates a clock to another one, which shows t + OffsetNs + Drift (t - OriginNs) when the clock
// shows t.
type Line struct {
	OriginNs, OffsetNs int64   // time of the clock at which OffsetNs holds
	Drift              float64 // ns per ns, above -1
}

// At returns the time of the other clock. It never runs back, since Drift is at least -1: a step of 1 ns
// moves the rounded product by -1 at most.
func (l Line) At(timeNs int64) int64 { return timeNs + l.OffsetNs + l.driftOver(timeNs-l.OriginNs) }

// driftOver returns the drift over a distance, rounded to whole ns. Distances are exact below 2^53 ns,
// 104 days; beyond, the drift loses as many digits as a float64 does.
func (l Line) driftOver(distance int64) int64 { return int64(math.Round(l.Drift * float64(distance))) }

// compose returns the line to the clock that next leads to: z = y + O' + D' (y - o') of y = x + O + D (x
// - o) is, at x = o, O + O' + D' (o + O - o') more than x, and grows by D + D' + D D' more than x does.
func (l Line) compose(next Line) Line {
	return Line{l.OriginNs, l.OffsetNs + next.OffsetNs + next.driftOver(l.OriginNs+l.OffsetNs-next.OriginNs), l.Drift + next.Drift + l.Drift*next.Drift}
}
