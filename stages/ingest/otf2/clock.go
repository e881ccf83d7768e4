package otf2

import (
	"math"
	"math/bits"
)

// The clock of a trace is defined in its global definitions (definitions.go), the offsets of each location's clock in its local
// ones (local.go). This file makes nanoseconds of a location's ticks: first the ticks are corrected, then they are scaled.

// clock is the clock of a trace: ticks a second, and ticks at the start of the trace.
type clock struct{ resolution, offset uint64 }

// sample is a CLOCK_OFFSET: the correction of the local clock at a time.
type sample struct {
	time   uint64 // ticks of the location's clock
	offset int64  // ticks to add to be in time with the others
}

// offset returns the correction of a time of the location's clock: it lies on the line through the two samples around it, or
// through the two nearest before the first and after the last. A single sample says nothing, as in OTF2's own
// library, whose rounding this is. Interval is where to look first and where it was found.
func (l *local) offset(t uint64, interval *int) int64 {
	if len(l.samples) < 2 {
		return 0
	}
	// Times rise almost always, so the interval is the last one or the next: no search. The second loop is for times
	// that step back.
	i := min(*interval, len(l.samples)-2)
	for i+2 < len(l.samples) && t >= l.samples[i+1].time {
		i++
	}
	for i > 0 && t < l.samples[i].time {
		i--
	}
	*interval = i
	a, b := l.samples[i], l.samples[i+1]
	if b.time == a.time {
		return a.offset
	}
	slope := float64(b.offset-a.offset) / float64(b.time-a.time)
	return a.offset + int64(math.RoundToEven(slope*distance(a.time, t)))
}

// distance is to - from.
func distance(from, to uint64) float64 {
	if to < from {
		return -float64(from - to)
	}
	return float64(to - from)
}

const second = 1_000_000_000 // ns

// since returns the ticks from the start of the trace to a time, negative before it; false where it does not
// fit into 63 bits.
func (c clock) since(t uint64, offset int64) (int64, bool) {
	// The subtraction wraps; the signs show whether it did.
	ticks := int64(t - c.offset)
	if (t >= c.offset) != (ticks >= 0) {
		return 0, false
	}
	sum := ticks + offset
	if (sum > ticks) != (offset > 0) || sum == math.MaxInt64 { // which is a stream that has ended
		return 0, false
	}
	return sum, true
}

// nanoseconds are those of ticks, rounded down; false where they do not fit.
func (c clock) nanoseconds(ticks int64) (int64, bool) {
	if c.resolution == second {
		return ticks, true
	}
	if ticks < 0 {
		ns, rest, ok := c.scale(uint64(-ticks))
		// Rounded down means away from zero for negative times.
		if rest > 0 {
			ns++
		}
		return -ns, ok
	}
	ns, _, ok := c.scale(uint64(ticks))
	return ns, ok
}

// scale turns ticks into ns and a rest of a ns; false where they do not fit.
func (c clock) scale(ticks uint64) (ns int64, rest uint64, ok bool) {
	hi, lo := bits.Mul64(ticks, second)
	if hi >= c.resolution {
		return 0, 0, false
	}
	quotient, rest := bits.Div64(hi, lo, c.resolution)
	return int64(quotient), rest, quotient < math.MaxInt64
}
