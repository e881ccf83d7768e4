package reconciliation

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/offset"
)

// tie collects the relations between two units.
type tie struct {
	unit, reference int   // position of the unit whose clock is related to that of reference
	x0, y0          int64 // ns, origins of both clocks: the times of the first relation
	pair            *offset.Pair
	bounds          offset.Bounds
}

// collectTies collects what orders events of two units, for the pairs that are wanted in that direction:
// relations, and pairs of relations that meet at an instant that is no event.
func (m *Model) collectTies(wanted func(unit, reference int) bool) map[[2]int]*tie {
	ties := make(map[[2]int]*tie)
	into, from := make(map[int32][]int32), make(map[int32][]int32)
	events := int32(m.Events())
	for i := range m.Relations {
		r := &m.Relations[i]
		left, right := r.Left.Instant, r.Right.Instant
		switch {
		case left < events && right < events: // both sides are events
			m.noteOrder(ties, left, right, r.Kind == schema.Coincides, wanted)
		case left < events: // into an instant of no trace
			into[right] = append(into[right], left)
		case right < events:
			from[left] = append(from[left], right)
		}
	}
	// What leads into such an instant is before all that it leads to.
	for _, between := range slices.Sorted(maps.Keys(into)) {
		for _, left := range into[between] {
			for _, right := range from[between] {
				m.noteOrder(ties, left, right, false, wanted)
			}
		}
	}
	for _, t := range ties {
		t.bounds = t.pair.Bounds()
	}
	return ties
}

// noteOrder records, in the tie of their units, that an event comes before another one, or at the same
// time.
func (m *Model) noteOrder(ties map[[2]int]*tie, left, right int32, together bool, wanted func(unit, reference int) bool) {
	u, e := m.Place(left)
	v, f := m.Place(right)
	if u == v {
		return
	}
	x, y := m.Units[u].TimeNs[e], m.Units[v].TimeNs[f]
	if wanted(u, v) {
		tieOf(ties, u, v, x, y).noteRelation(x, y, true, together)
	}
	if wanted(v, u) {
		tieOf(ties, v, u, y, x).noteRelation(y, x, together, true)
	}
}

// tieOf returns the tie of two units, a new one with its origins at x and y if there was none.
func tieOf(ties map[[2]int]*tie, unit, reference int, x, y int64) *tie {
	t := ties[[2]int{unit, reference}]
	if t == nil {
		t = &tie{unit: unit, reference: reference, x0: x, y0: y, pair: offset.NewPair(0, 0)}
		ties[[2]int{unit, reference}] = t
	}
	return t
}

// noteRelation records a relation in times since the origins, so that offsets of any size keep their
// nanoseconds.
func (t *tie) noteRelation(x, y int64, before, after bool) {
	if before {
		t.pair.Before(x-t.x0, y-t.y0)
	}
	if after {
		t.pair.After(x-t.x0, y-t.y0)
	}
}

// compareTies compares how tightly two ties bound the offset; the tighter comes first. Ties with messages
// both ways and a possible line beat contradictory ones, and those beat ties with messages one way.
func compareTies(a, b *tie) int {
	// Messages one way only bound the offset on one side.
	class := func(t *tie) int {
		switch {
		case t.pair.Forth == 0 || t.pair.Back == 0:
			return 2
		case !t.bounds.Possible:
			return 1
		}
		return 0
	}
	width := func(t *tie) float64 {
		if class(t) == 0 {
			return t.bounds.MaxOffset - t.bounds.MinOffset
		}
		return math.Abs(t.bounds.Gap)
	}
	return cmp.Or(cmp.Compare(class(a), class(b)), cmp.Compare(width(a), width(b)))
}

// sortedTies returns the keys in order, so that the result does not depend on map iteration.
func sortedTies(ties map[[2]int]*tie) [][2]int {
	return slices.SortedFunc(maps.Keys(ties), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
}

// boundRow returns the table row of a tie. The origins of its times are added back in integers, so that
// absolute times lose no nanoseconds.
func (m *Model) boundRow(t *tie) schema.ClockBound {
	b, shift := t.bounds, t.y0-t.x0
	// Such a clock would stand still or run back; messages must be wrong.
	if b.Drift <= -1 {
		b.Drift = 0
	}
	whole := func(v float64) *int64 {
		if math.IsInf(v, 0) || math.IsNaN(v) || math.Abs(v) >= 1<<62 {
			return nil
		}
		n := int64(math.Round(v))
		return &n
	}
	shifted := func(v float64) *int64 {
		n := whole(v)
		if n != nil {
			*n += shift
		}
		return n
	}
	ppm := func(v float64) *float64 {
		if v *= 1e6; math.IsInf(v, 0) || math.IsNaN(v) {
			return nil
		}
		return &v
	}
	return schema.ClockBound{
		Unit: m.Units[t.unit].Name, Reference: m.Units[t.reference].Name, Forth: t.pair.Forth, Back: t.pair.Back,
		Possible: b.Possible, OriginNs: t.x0, OffsetNs: shift + int64(math.Round(b.Offset)),
		OffsetLeastNs: shifted(b.MinOffset), OffsetMostNs: shifted(b.MaxOffset),
		DriftPpm: b.Drift * 1e6, DriftLeastPpm: ppm(b.MinDrift), DriftMostPpm: ppm(b.MaxDrift), GapNs: whole(b.Gap),
	}
}
