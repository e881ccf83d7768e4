package chrome

import "math"

// moment is a time or duration: nanoseconds, and billionths of one, from 0 up, that are cut off in the end. They are kept
// until a duration is added, as begin and end are given in microseconds with decimals and the end is not to be off by one.
type moment struct {
	ns   int64
	atto int64
}

const (
	attos     = 1_000_000_000 // in a nanosecond
	maxDigits = 18            // that always fit 64 bits
	wholes    = 3             // digits from microseconds to nanoseconds
	finest    = wholes + 9    // digits behind the point of microseconds that are looked at
)

// plus returns the sum of two moments, and reports whether it fits 64 bits.
func (m moment) plus(d moment) (sum moment, ok bool) {
	carry := (m.atto + d.atto) / attos
	sum.atto = (m.atto + d.atto) % attos
	sum.ns = m.ns + d.ns + carry
	return sum, d.ns < 0 || sum.ns >= m.ns
}

// microseconds reads a number of microseconds with sign, decimals and exponent. It reports whether it is one, and whether
// it fits.
// The loop over the whole digits takes fifteen at most, as three more are to follow; anything longer goes to general.
func microseconds(s []byte) (m moment, good, fits bool) {
	negative := len(s) > 0 && s[0] == '-'
	if negative {
		s = s[1:]
	}
	v, n := int64(0), 0
	for n < len(s) && n < maxDigits-wholes && s[n]-'0' <= 9 {
		v = v*10 + int64(s[n]-'0')
		n++
	}
	if n == 0 {
		return moment{}, false, false
	}
	m.ns = v * 1000
	if n == len(s) {
		return m.signed(negative), true, true
	}
	if s[n] != '.' {
		return general(s, negative)
	}
	unit, i := int64(100*attos), n+1
	fraction := int64(0) // in billionths of a nanosecond
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		fraction += int64(s[i]-'0') * unit
		unit /= 10
	}
	if i < len(s) || i == n+1 {
		return general(s, negative)
	}
	m.ns += fraction / attos
	m.atto = fraction % attos
	return m.signed(negative), true, true
}

// signed returns a moment or its opposite. Billionths count upwards, so the nanoseconds of a negative one are rounded down.
// Rounding towards the past everywhere keeps the order of times.
func (m moment) signed(negative bool) moment {
	switch {
	case !negative:
		return m
	case m.atto > 0:
		return moment{-m.ns - 1, attos - m.atto}
	}
	return moment{-m.ns, 0}
}

// general reads what microseconds does not: many digits, or an exponent.
//
//	number = digit {digit} ["." digit {digit}] [("e" | "E") ["+" | "-"] digit {digit}]
//
// It is slow, and rare: some writers print large times with an exponent.
func general(s []byte, negative bool) (m moment, good, fits bool) {
	digits, i := run(s)
	point := len(digits)
	shown := append(make([]byte, 0, len(s)), digits...)
	if i < len(s) && s[i] == '.' {
		fraction, n := run(s[i+1:])
		if n == 0 {
			return moment{}, false, false
		}
		shown = append(shown, fraction...)
		i += 1 + n
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		exponent, n := power(s[i+1:])
		if n == 0 {
			return moment{}, false, false
		}
		point += exponent
		i += 1 + n
	}
	if i < len(s) {
		return moment{}, false, false
	}
	m, fits = at(shown, point)
	return m.signed(negative), true, fits
}

// run returns the digits at the start of s.
func run(s []byte) (digits []byte, n int) {
	for n < len(s) && s[n]-'0' <= 9 {
		n++
	}
	return s[:n], n
}

// farthest bounds exponents: no time that fits has a greater one, and adding to it cannot overflow.
const farthest = 1 << 20

// power reads an exponent, with its sign; n is how many bytes it takes, 0 where there is none.
func power(s []byte) (exponent, n int) {
	sign := 1
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		if s[0] == '-' {
			sign = -1
		}
		n = 1
	}
	digits, count := run(s[n:])
	if count == 0 {
		return 0, 0
	}
	for _, d := range digits {
		exponent = min(exponent*10+int(d-'0'), farthest)
	}
	return sign * exponent, n + count
}

// at returns the moment of digits of microseconds whose point stands before the digit of a position, which may lie outside.
// Digits beyond the finest are not looked at; those that are missing count as zeros.
func at(digits []byte, point int) (m moment, fits bool) {
	for len(digits) > 0 && digits[0] == '0' {
		digits, point = digits[1:], point-1
	}
	if len(digits) == 0 {
		return moment{}, true
	}
	for i := min(0, point); i < point+finest; i++ {
		d := int64(0)
		if i >= 0 && i < len(digits) {
			d = int64(digits[i] - '0')
		}
		if i >= point+wholes {
			m.atto = m.atto*10 + d
			continue
		}
		if m.ns > (math.MaxInt64-d)/10 {
			return moment{}, false
		}
		m.ns = m.ns*10 + d
	}
	return m, true
}
