package reconciliation

import "math"

// Line is how a clock relates to another one, which shows t + OffsetNs + Drift (t - OriginNs) when the clock shows t.
type Line struct {
	OriginNs, OffsetNs int64
	Drift              float64
}

// At is the time of the other clock. It never runs back, since Drift is at least -1: a step of 1 ns moves the rounded
// product by -1 at the least.
func (l Line) At(timeNs int64) int64 { return timeNs + l.OffsetNs + l.drifted(timeNs-l.OriginNs) }

// drifted is rounded to whole ns; distances are below 2^53 ns, 104 days, or so much drift is lost to the rounding as is
// to that of a float64.
func (l Line) drifted(distance int64) int64 { return int64(math.Round(l.Drift * float64(distance))) }

// then is the line to the clock that next leads to: z = y + O' + D' (y - o') of y = x + O + D (x - o) is, at x = o,
// O + O' + D' (o + O - o') more than x, and grows by D + D' + D D' more than x does.
func (l Line) then(next Line) Line {
	return Line{l.OriginNs, l.OffsetNs + next.OffsetNs + next.drifted(l.OriginNs+l.OffsetNs-next.OriginNs), l.Drift + next.Drift + l.Drift*next.Drift}
}
