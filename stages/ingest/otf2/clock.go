package otf2

import (
	"math"
	"math/bits"
)

// The clock of a trace is defined in its global definitions (definitions.go), the offset of each location in its local ones
// (local.go). This file converts ticks to nanoseconds.

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
