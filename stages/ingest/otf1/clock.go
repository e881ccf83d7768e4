package otf1

import (
	"math"
	"math/bits"

	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// clock turns ticks into nanoseconds, through 128 bits and rounded down.
type clock struct {
	origin uint64 // ticks at time 0
	ticks  uint64 // a second
}

// startClock finds the earliest time: that of the time range or a first one of a stream.
func (r *reader) startClock() error {
	// Without a range the earliest first time is the origin, so it starts from the greatest number.
	r.ticks, r.origin = r.resolution, math.MaxUint64
	if r.ranged {
		r.origin = r.least
	}
	// Streams may begin before the range that the definitions tell, so the first time of each is read.
	for _, s := range r.streams {
		found, err := r.firstTime(s)
		if err != nil {
			return err
		}
		if found {
			r.origin = min(r.origin, s.tick)
		}
	}
	return nil
}

// ns is a time in nanoseconds, and whether it fits 64 bits.
func (c *clock) ns(tick uint64) (ns int64, ok bool) {
	if tick < c.origin { // time ran back before the first one
		// Adding ticks-1 rounds the distance up, so that the negative time is rounded down as the others are.
		after, ok := c.scale(c.origin-tick, c.ticks-1)
		return -after, ok
	}
	return c.scale(tick-c.origin, 0)
}

// scale is ticks*10^9/resolution, with what is to be added before the division.
func (c *clock) scale(ticks, add uint64) (ns int64, ok bool) {
	hi, lo := bits.Mul64(ticks, textfield.Second)
	lo, carry := bits.Add64(lo, add, 0)
	// Div64 needs a quotient of 64 bits: otherwise the time does not fit.
	if hi += carry; hi >= c.ticks {
		return 0, false
	}
	q, _ := bits.Div64(hi, lo, c.ticks)
	return int64(q), q <= math.MaxInt64
}
