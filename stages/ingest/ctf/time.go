package ctf

import (
	"math"
	"math/bits"
)

const second = 1_000_000_000

// timescale turns cycles of a clock into ns.
type timescale struct {
	freq   uint64 // Hz; 10⁹ without a clock, so that cycles are ns
	cycles int64  // added before
	ns     int64  // added after
	lost   bool   // the clock's offset does not fit and was left out
}

// timescale returns that of the clock that the headers of events show, or else of the first one.
func (m *metadata) timescale(header *typ) timescale {
	if len(m.clocks) == 0 {
		return timescale{freq: second}
	}
	c := m.clocks[0]
	if name := header.shows(); name != "" {
		for _, other := range m.clocks {
			if other.name == name {
				c = other
			}
		}
	}
	t := timescale{freq: c.freq, cycles: c.offset}
	if over, low := bits.Mul64(magnitude(c.offsetS), second); over != 0 || low > math.MaxInt64 {
		t.cycles, t.lost = 0, true
	} else {
		t.ns = c.offsetS * second
	}
	// As babeltrace2 does, the offset and the cycles are rounded down apart, so that a trace and its text have the same times.
	if ns, ok := t.scale(t.cycles); ok && t.freq != second {
		if sum := t.ns + ns; (sum > t.ns) == (ns > 0) || ns == 0 {
			t.cycles, t.ns = 0, sum
		}
	}
	return t
}

// shows returns the name of the clock that a type shows anywhere.
func (t *typ) shows() string {
	if t == nil || t.clock != "" {
		if t == nil {
			return ""
		}
		return t.clock
	}
	for _, m := range t.members {
		if name := m.typ.shows(); name != "" {
			return name
		}
	}
	return ""
}

// magnitude returns the absolute value, also that of the least number.
func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// at returns the time of a number of cycles, rounded down; false where it does not fit.
func (t *timescale) at(cycles uint64) (int64, bool) {
	if cycles > math.MaxInt64 {
		return 0, false
	}
	n := int64(cycles) + t.cycles
	if t.cycles > 0 && n < 0 {
		return 0, false
	}
	if t.freq != second {
		var ok bool
		if n, ok = t.scale(n); !ok {
			return 0, false
		}
	}
	ns := n + t.ns
	if (ns > n) != (t.ns > 0) && t.ns != 0 || ns == math.MaxInt64 {
		return 0, false // the last one stands for no time at all in a merge
	}
	return ns, true
}

// exactFloat is up to which time a float64 tells ns apart, in ns: 104 days.
const exactFloat = 1 << 53

// scale returns floor(n 10⁹ / freq), by the floating point of babeltrace2 as far as that tells ns apart: where the quotient is whole within its
// precision it may be one ns more or less than the exact one, and a trace has the times of its text, and the sums of durations that others state of it.
func (t *timescale) scale(n int64) (int64, bool) {
	if n >= 0 {
		if ns := 1e9 * float64(n) / float64(t.freq); ns < exactFloat {
			return int64(ns), true
		}
	}
	high, low := bits.Mul64(magnitude(n), second)
	if high >= t.freq {
		return 0, false
	}
	q, rest := bits.Div64(high, low, t.freq)
	if n < 0 && rest != 0 {
		q++
	}
	if q > math.MaxInt64 {
		return 0, false
	}
	if n < 0 {
		return -int64(q), true
	}
	return int64(q), true
}

// restore returns a clock that shows the low bits, and is not earlier than it was.
func restore(was, low uint64, width uint8) uint64 {
	if width >= 64 {
		return low
	}
	now := was&^(uint64(1)<<width-1) | low
	if now < was {
		now += uint64(1) << width
	}
	return now
}
