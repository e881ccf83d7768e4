package etf

import (
	"math"
	"math/bits"
)

// units are the words of TU in nanoseconds.
var units = map[string]uint64{
	"NANOSECONDS": 1, "MICROSECONDS": 1e3, "MILLISECONDS": 1e6, "SECONDS": 1e9, "MINUTES": 60e9, "HOURS": 3600e9,
}

const (
	maxDigits = 19 // that always fit 64 bits
	maxTens   = 19 // 10 to this power fits 64 bits
)

// stamp is a number read as a time, in nanoseconds that are rounded down, also below zero.
type stamp struct {
	ns   int64 // rounded down
	good bool  // it is a number
	fits bool  // it fits 64 bits of nanoseconds
}

// readStamp reads a number of units, which are given in nanoseconds: digits with a sign, a point and an exponent (1.5E-4). Of more
// than 19 digits the last are cut off, which can cost some nanoseconds where the unit is hours; a float64 has 17.
func readStamp(s []byte, unit uint64) stamp {
	negative := len(s) > 0 && s[0] == '-'
	if negative || len(s) > 0 && s[0] == '+' {
		s = s[1:]
	}
	d, ok := readDecimal(s)
	if !ok {
		return stamp{}
	}
	ns, rest, fits := d.times(unit)
	if negative && rest {
		ns++
	}
	if !fits || ns > math.MaxInt64 {
		return stamp{good: true}
	}
	if negative {
		return stamp{-int64(ns), true, true}
	}
	return stamp{int64(ns), true, true}
}

// decimal is digits times a power of ten, exact but for a rest: floating point would lose nanoseconds from a time of a few
// months on.
type decimal struct {
	digits uint64 // at most 19 of them
	power  int    // of ten, by which digits are multiplied
	rest   bool   // digits that are not 0 were left out
}

// readDecimal reads digits with a point and an exponent, without a sign; ok is false for anything else.
// Leading zeros do not count as digits. The power is moved by every digit behind the point, and by every one before it
// that is cut off.
func readDecimal(s []byte) (d decimal, ok bool) {
	point, kept, i := false, 0, 0
	for ; i < len(s); i++ {
		c := s[i] - '0'
		if s[i] == '.' && !point {
			point = true
			continue
		}
		if c > 9 {
			break
		}
		ok = true
		if kept == maxDigits {
			d.rest = d.rest || c != 0
			if !point {
				d.power++
			}
			continue
		}
		if d.digits = d.digits*10 + uint64(c); d.digits > 0 {
			kept++
		}
		if point {
			d.power--
		}
	}
	if i == len(s) || !ok {
		return d, ok
	}
	// E alone is no number; the sign of the power may be plus or minus.
	exponent, ok := readExponent(s[i:])
	d.power += exponent
	return d, ok
}

// readExponent reads "E" and a whole number.
// It is clamped at a million, which is beyond any time that fits in either direction.
func readExponent(s []byte) (n int, ok bool) {
	if s[0] != 'E' && s[0] != 'e' {
		return 0, false
	}
	s = s[1:]
	negative := len(s) > 0 && s[0] == '-'
	if negative || len(s) > 0 && s[0] == '+' {
		s = s[1:]
	}
	for _, c := range s {
		if c-'0' > 9 {
			return 0, false
		}
		n = min(n*10+int(c-'0'), 1<<20)
	}
	if negative {
		n = -n
	}
	return n, len(s) > 0
}

// times multiplies the decimal by a unit, in 128 bits. It rounds down, and reports whether something was cut off and whether
// the product fits.
// A product of two numbers of 64 bits always fits 128; dividing by ten to the nineteenth at a time takes a few steps,
// and ends early at zero for an exponent such as -1000000.
func (d decimal) times(unit uint64) (n uint64, rest, fits bool) {
	high, low := bits.Mul64(d.digits, unit)
	rest = d.rest
	// Down by up to 19 tens at a time; a remainder anywhere means that something was cut off.
	for power := d.power; power < 0; {
		step := min(-power, maxTens)
		var r uint64
		divisor := powers[step]
		var quotient uint64
		quotient, high = high/divisor, high%divisor
		low, r = bits.Div64(high, low, divisor)
		high = quotient
		rest = rest || r != 0
		if power += step; high == 0 && low == 0 {
			break
		}
	}
	// Up by one ten at a time, until the product leaves 64 bits.
	for power := d.power; power > 0 && high == 0 && low > 0; power-- {
		high, low = bits.Mul64(low, 10)
	}
	return low, rest, high == 0
}

// powers are the powers of ten that fit 64 bits.
var powers = func() (p [maxTens + 1]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = 10 * p[i-1]
	}
	return p
}()
