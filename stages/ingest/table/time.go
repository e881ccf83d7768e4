package table

import "math"

const second = 1_000_000_000

// reading is a time as read: nanoseconds, or that it does not fit, or the place of what is wrong.
type reading struct {
	ns       int64
	overflow bool
	at       int    // offset of the fault
	want     string // what was expected there; "" is a good time
}

// isInstant tells an ISO 8601 date from a number.
func isInstant(s []byte) bool { return len(s) > 4 && s[4] == '-' }

// timeOf reads a time of which one is so many nanoseconds; 0 to tell by the decimal point.
func timeOf(s []byte, unit int64) reading {
	if isInstant(s) {
		return instant(s)
	}
	v, n, overflow := integer(s)
	pointed := n < len(s) && s[n] == '.'
	if unit == 0 {
		unit = 1
		if pointed {
			unit = second
		}
	}
	switch {
	case n == 0:
		return reading{want: "a time"}
	case n == len(s):
		return scaled(v, unit, 0, overflow)
	case !pointed:
		return reading{at: n, want: "a digit or '.' in the time"}
	}
	fraction, end := nanoseconds(s[n+1:])
	if end += n + 1; end < len(s) || end == n+1 {
		return reading{at: end, want: "a digit in the decimals of the time"}
	}
	return scaled(v, unit, fraction/(second/unit), overflow)
}

// integer reads the digits at the start of s, and how many they are.
func integer(s []byte) (v int64, n int, overflow bool) {
	for n < len(s) && s[n]-'0' <= 9 {
		d := int64(s[n] - '0')
		overflow = overflow || v > (math.MaxInt64-d)/10
		v = v*10 + d
		n++
	}
	return v, n, overflow
}

// nanoseconds reads the decimals of a second at the start of s, cut to nine, and how many they are.
func nanoseconds(s []byte) (ns int64, n int) {
	unit := int64(second)
	for n < len(s) && s[n]-'0' <= 9 {
		unit /= 10
		ns += int64(s[n]-'0') * unit
		n++
	}
	return ns, n
}

// scaled is v units and a fraction in nanoseconds.
func scaled(v, unit, fraction int64, overflow bool) reading {
	if overflow || v > (math.MaxInt64-fraction)/unit {
		return reading{overflow: true}
	}
	return reading{ns: v*unit + fraction}
}
