package reconciliation

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/offset"
)

// tie is the relations between two units.
type tie struct {
	unit, reference int
	x0, y0          int64 // origins of the clocks of the unit and of the reference
	pair            *offset.Pair
	bounds          offset.Bounds
}

// ties collects what orders events of two units, of the pairs that are wanted that way round: relations, and pairs of
// relations that meet at an instant that is no event.
func (m *Model) ties(wanted func(unit, reference int) bool) map[[2]int]*tie {
	ties := make(map[[2]int]*tie)
	into, from := make(map[int32][]int32), make(map[int32][]int32)
	events := int32(m.Events())
	for i := range m.Relations {
		r := &m.Relations[i]
		left, right := r.Left.Instant, r.Right.Instant
		switch {
		case left < events && right < events:
			m.note(ties, left, right, r.Kind == schema.Coincides, wanted)
		case left < events:
			into[right] = append(into[right], left)
		case right < events:
			from[left] = append(from[left], right)
		}
	}
	for _, between := range slices.Sorted(maps.Keys(into)) {
		for _, left := range into[between] {
			for _, right := range from[between] {
				m.note(ties, left, right, false, wanted)
			}
		}
	}
	for _, t := range ties {
		t.bounds = t.pair.Bounds()
	}
	return ties
}

// note tells the tie of their units that an event comes before another one, or at once with it.
func (m *Model) note(ties map[[2]int]*tie, left, right int32, together bool, wanted func(unit, reference int) bool) {
	u, e := m.Place(left)
	v, f := m.Place(right)
	if u == v {
		return
	}
	x, y := m.Units[u].TimeNs[e], m.Units[v].TimeNs[f]
	if wanted(u, v) {
		tieOf(ties, u, v, x, y).note(x, y, true, together)
	}
	if wanted(v, u) {
		tieOf(ties, v, u, y, x).note(y, x, together, true)
	}
}

func tieOf(ties map[[2]int]*tie, unit, reference int, x, y int64) *tie {
	t := ties[[2]int{unit, reference}]
	if t == nil {
		t = &tie{unit: unit, reference: reference, x0: x, y0: y, pair: offset.NewPair(0, 0)}
		ties[[2]int{unit, reference}] = t
	}
	return t
}

// note tells the pair of a relation, in times since the origins: offsets of any size keep their nanoseconds.
func (t *tie) note(x, y int64, before, after bool) {
	if before {
		t.pair.Before(x-t.x0, y-t.y0)
	}
	if after {
		t.pair.After(x-t.x0, y-t.y0)
	}
}

// worth compares how much two ties say of the offset: less is better.
func worth(a, b *tie) int {
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
			return t.bounds.Most - t.bounds.Least
		}
		return math.Abs(t.bounds.Gap)
	}
	return cmp.Or(cmp.Compare(class(a), class(b)), cmp.Compare(width(a), width(b)))
}

func sortedTies(ties map[[2]int]*tie) [][2]int {
	return slices.SortedFunc(maps.Keys(ties), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
}
