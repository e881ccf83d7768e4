package textfield

import (
	"math"
	"math/bits"
)

// Second is a second in nanoseconds.
const Second = 1_000_000_000

// maxDigits is the number of decimal digits that always fit 64 bits.
const maxDigits = 18

// Reading is a time as read: nanoseconds, or that it does not fit, or the place of what is wrong.
type Reading struct {
	Ns       int64  // nanoseconds, if nothing else is said below
	Overflow bool   // the time does not fit 64 bits of nanoseconds
	At       int    // offset of the fault
	Want     string // what was expected there; "" is a good time
}

// Number reads a time that is a number, of which one is so many nanoseconds: whole where it has no
// decimals and pointed, a power of ten, where it has. What is wrong with a character that is neither a
// digit nor a point is for the format to say: it knows what may stand after a time.
func Number(s []byte, whole, pointed int64, want string) Reading {
	v, n, overflow := integer(s)
	switch {
	case n == 0:
		return Reading{Want: "a time"}
	// No point: a whole number.
	case n == len(s):
		return scaled(v, whole, 0, overflow)
	case s[n] != '.':
		return Reading{At: n, Want: want}
	}
	fraction, end := decimals(s[n+1:], pointed)
	if end += n + 1; end < len(s) || end == n+1 {
		return Reading{At: end, Want: "a digit in the decimals of the time"}
	}
	return scaled(v, pointed, fraction, overflow)
}

// integer reads the digits at the start of s, and how many they are.
func integer(s []byte) (v int64, n int, overflow bool) {
	for n < len(s) && s[n]-'0' <= 9 {
		d := int64(s[n] - '0')
		// The first 18 digits always fit, so the division runs for long numbers alone.
		overflow = overflow || n >= maxDigits && v > (math.MaxInt64-d)/10
		v = v*10 + d
		n++
	}
	return v, n, overflow
}

// decimals reads the decimals at the start of s of a number in the given unit, in nanoseconds and
// without what is finer, and how many they are.
func decimals(s []byte, unit int64) (ns int64, n int) {
	for n < len(s) && s[n]-'0' <= 9 {
		// The unit of the decimal in hand; it is 0 beyond nanoseconds, which cuts finer decimals off.
		unit /= 10
		ns += int64(s[n]-'0') * unit
		n++
	}
	return ns, n
}

// scaled is v units and a fraction, both in nanoseconds.
func scaled(v, unit, fraction int64, overflow bool) Reading {
	// 128 bits, so that no product is mistaken for a small one.
	high, ns := bits.Mul64(uint64(v), uint64(unit))
	ns, carry := bits.Add64(ns, uint64(fraction), 0)
	if overflow || high+carry != 0 || ns > math.MaxInt64 {
		return Reading{Overflow: true}
	}
	return Reading{Ns: int64(ns)}
}
