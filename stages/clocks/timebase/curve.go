package timebase

import (
	"math"
	"sort"
)

// Line relates a clock to another one, which shows t + OffsetNs + Drift (t - OriginNs) when the clock shows t.
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

// Curve relates a clock to that of a reference by lines, each of which holds from its origin to that of the next; the first
// holds before, too. Where one line ends the next begins. Without lines the clock is that of the reference.
type Curve []Line

// At returns the time of the reference. It never runs back.
func (c Curve) At(timeNs int64) int64 {
	switch len(c) {
	case 0:
		return timeNs
	case 1:
		return c[0].At(timeNs)
	}
	i := c.piece(timeNs)
	at := c[i].At(timeNs)
	if i > 0 {
		at = max(at, c[i].At(c[i].OriginNs))
	}
	if i+1 < len(c) { // rounding must not lead beyond the next line
		at = min(at, c[i+1].At(c[i+1].OriginNs))
	}
	return at
}

// piece returns the position of the line that holds at a time.
func (c Curve) piece(timeNs int64) int {
	return max(0, sort.Search(len(c), func(i int) bool { return c[i].OriginNs > timeNs })-1)
}
