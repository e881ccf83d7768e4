package reconciliation

import (
	"math"

	"github.com/tracelake/tracelake/schema"
)

// row describes a tie. The origin of its times is added back in integers.
func (m *Model) row(t *tie) schema.ClockBound {
	b, shift := t.bounds, t.y0-t.x0
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
		OffsetLeastNs: shifted(b.Least), OffsetMostNs: shifted(b.Most),
		DriftPpm: b.Drift * 1e6, DriftLeastPpm: ppm(b.LeastDrift), DriftMostPpm: ppm(b.MostDrift), GapNs: whole(b.Gap),
	}
}
