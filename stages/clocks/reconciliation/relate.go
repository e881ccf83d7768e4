package reconciliation

import (
	"maps"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/timebase"
)

// ClockRelations are the relations between the clocks of the units and that of a reference unit.
type ClockRelations struct {
	Curves []timebase.Curve // by unit; empty of the reference
	// Rows are those of every unit to its reference, one for each line of its curve, which Used marks; then those of all pairs of
	// other units that relations lead between.
	Rows []schema.ClockBound
	Own  []int // by unit: its first row, or -1: of the reference, and of the first unit that is alone
	// Alone are the units that nothing connects with the reference. Those that are connected have the time of their first.
	Alone []int
}

// Relate finds one time for the clocks of all units: see package timebase.
func (m *Model) Relate(reference int) *ClockRelations {
	s := timebase.Solve(m.orders(), len(m.Units), reference)
	r := &ClockRelations{Curves: make([]timebase.Curve, len(m.Units)), Own: make([]int, len(m.Units))}
	for u := range s.Clocks {
		c := &s.Clocks[u]
		if r.Curves[u], r.Own[u] = c.Curve, -1; len(c.Pieces) > 0 {
			r.Own[u] = len(r.Rows)
		}
		for i := range c.Pieces {
			r.Rows = append(r.Rows, m.pieceRow(u, c, &c.Pieces[i]))
		}
		if c.Reference != reference {
			r.Alone = append(r.Alone, u)
		}
	}
	for _, p := range s.Pairs {
		if s.Clocks[p.A].Reference != p.B && s.Clocks[p.B].Reference != p.A {
			r.Rows = append(r.Rows, m.pairRow(p))
		}
	}
	return r
}

// orders lists what orders events of different units: relations, and pairs of relations that meet at an instant of no trace.
func (m *Model) orders() *timebase.Orders {
	o := new(timebase.Orders)
	into, from := make(map[int32][]int32), make(map[int32][]int32)
	events := int32(m.Events())
	for i := range m.Relations {
		r := &m.Relations[i]
		left, right := r.Left.Instant, r.Right.Instant
		switch {
		case left < events && right < events: // both sides are events
			m.addOrder(o, left, right, r.Kind == schema.Coincides)
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
				m.addOrder(o, left, right, false)
			}
		}
	}
	return o
}

// addOrder adds that an event comes before another one, or at the same time, if they are of different units.
func (m *Model) addOrder(o *timebase.Orders, left, right int32, together bool) {
	u, e := m.Place(left)
	v, f := m.Place(right)
	switch x, y := m.Units[u].TimeNs[e], m.Units[v].TimeNs[f]; {
	case u == v:
	case together:
		o.AddTogether(int32(u), int32(v), x, y)
	default:
		o.Add(int32(u), int32(v), x, y)
	}
}

// pieceRow returns the table row of a line of a unit's curve.
func (m *Model) pieceRow(unit int, c *timebase.Clock, p *timebase.Piece) schema.ClockBound {
	ppm := func(v *float64) *float64 {
		if v == nil {
			return nil
		}
		millionths := perMillion(*v)
		return &millionths
	}
	return schema.ClockBound{
		Unit: m.Units[unit].Name, Reference: m.Units[c.Reference].Name, Forth: c.Forth, Back: c.Back,
		Possible: c.Fits && len(c.Pieces) == 1, Used: true, OriginNs: p.OriginNs, OffsetNs: p.OffsetNs, OffsetLeastNs: p.LeastNs, OffsetMostNs: p.MostNs,
		DriftPpm: perMillion(p.Drift), DriftLeastPpm: ppm(p.Least), DriftMostPpm: ppm(p.Most), GapNs: wholeNs(c.GapNs, 0),
	}
}

// perMillion returns a drift in parts per million, to the eighth digit behind the point: a nanosecond in a day.
func perMillion(drift float64) float64 { return math.Round(drift*1e14)/1e8 + 0 }

// pairRow returns the table row of two units neither of which is the reference of the other: what their own relations allow. The
// origins of times are added back in integers, so that absolute times lose no nanoseconds.
func (m *Model) pairRow(p *timebase.Pair) schema.ClockBound {
	b := p.Bounds
	// Such a clock would stand still or run back; messages must be wrong.
	if b.Drift <= -1 {
		b.Drift = 0
	}
	ppm := func(v float64) *float64 {
		if v *= 1e6; math.IsInf(v, 0) || math.IsNaN(v) {
			return nil
		}
		return &v
	}
	return schema.ClockBound{
		Unit: m.Units[p.A].Name, Reference: m.Units[p.B].Name, Forth: p.Forth, Back: p.Back,
		Possible: b.Possible, OriginNs: p.OriginA, OffsetNs: p.Shift + int64(math.Round(b.Offset)),
		OffsetLeastNs: wholeNs(b.MinOffset, p.Shift), OffsetMostNs: wholeNs(b.MaxOffset, p.Shift),
		DriftPpm: b.Drift * 1e6, DriftLeastPpm: ppm(b.MinDrift), DriftMostPpm: ppm(b.MaxDrift), GapNs: wholeNs(b.Gap, 0),
	}
}

// wholeNs returns a number of ns over a shift, or nil where there is none.
func wholeNs(v float64, shift int64) *int64 {
	if math.IsInf(v, 0) || math.IsNaN(v) || math.Abs(v) >= 1<<62 {
		return nil
	}
	n := int64(math.Round(v)) + shift
	return &n
}
