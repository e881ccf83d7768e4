package alignment

import "math"

// Line is by how much a clock is ahead of the reference: at a time t that it shows, by
// WholeNs + PartNs + Drift (t - OriginNs). Whole nanoseconds stand apart, since the epochs of two clocks may be decades apart.
type Line struct {
	OriginNs int64
	WholeNs  int64
	PartNs   float64
	Drift    float64 // ns per ns
}

// At returns the time of the reference at a time of the clock.
func (l *Line) At(t int64) int64 {
	return t - l.WholeNs - int64(math.Round(l.PartNs+l.Drift*float64(t-l.OriginNs)))
}

// Still reports whether the clock is not to be corrected at all.
func (l *Line) Still() bool { return l.WholeNs == 0 && l.PartNs == 0 && l.Drift == 0 }

// AheadNs is by how much the clock is ahead at its origin, to the nanosecond.
func (l *Line) AheadNs() int64 { return l.WholeNs + int64(math.Round(l.PartNs)) }

// over makes a line over a clock, itself ahead of the reference by a line, one over the reference; at the origin of the line,
// that clock shows base.
func (l Line) over(via *Line, base int64) Line {
	// With e(t) for how far this clock is ahead of that one: at t that one shows base + (t-origin) - part of e, and
	// its own line is to be taken there.
	l.WholeNs += via.WholeNs
	l.PartNs, l.Drift = l.PartNs+via.PartNs+via.Drift*(float64(base-via.OriginNs)-l.PartNs), l.Drift+via.Drift*(1-l.Drift)
	return l
}
