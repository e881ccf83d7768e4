package text

import (
	"math"
	"math/bits"
)

const second = 1_000_000_000

// reading is a time as read: nanoseconds, or that it does not fit, or the place of what is wrong.
type reading struct {
	ns       int64
	overflow bool
	at       int    // offset of the fault
	want     string // what was expected there; "" is a good time
}

// nineDecimals reads the usual time, up to seven digits of seconds and nine decimals, and returns where
// the field after it begins. It returns 0 there for any other time. A line has at least 18 bytes.
func nineDecimals(line []byte) (ns int64, next int) {
	w := word(line)
	dot := bits.TrailingZeros64(find(w, '.')) >> 3
	if dot == 0 || dot == 8 || line[dot+10] != ' ' {
		return 0, 0
	}
	shift := uint(64 - 8*dot)
	whole := w<<shift | zeros>>(64-shift)
	decimals, last := word(line[dot+1:]), uint64(line[dot+9]-'0')
	if others(whole)|others(decimals) != 0 || last > 9 {
		return 0, 0
	}
	return int64(number(whole)*second + number(decimals)*10 + last), dot + 11
}

// decimal reads digits with or without decimals. With decimals they are seconds, and otherwise whole
// says how many nanoseconds one is.
func decimal(s []byte, whole int64) reading {
	v, n, overflow := integer(s)
	switch {
	case n == 0:
		return reading{want: "a time"}
	case n == len(s):
		return scaled(v, whole, 0, overflow)
	case s[n] != '.':
		return reading{at: n, want: "a digit, '.' or a blank in the time"}
	}
	fraction, end := nanoseconds(s[n+1:])
	if end += n + 1; end < len(s) || end == n+1 {
		return reading{at: end, want: "a digit in the decimals of the time"}
	}
	return scaled(v, second, fraction, overflow)
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

// nanoseconds reads the decimals at the start of s, cut to nine, and how many they are.
func nanoseconds(s []byte) (ns int64, n int) {
	unit := int64(second)
	for n < len(s) && s[n]-'0' <= 9 {
		unit /= 10
		ns += int64(s[n]-'0') * unit
		n++
	}
	return ns, n
}

// scaled is v units and a fraction, both in nanoseconds.
func scaled(v, unit, fraction int64, overflow bool) reading {
	if overflow || v > (math.MaxInt64-fraction)/unit {
		return reading{overflow: true}
	}
	return reading{ns: v*unit + fraction}
}
