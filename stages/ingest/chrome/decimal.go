package chrome

import "math"

// general reads what microseconds does not: many digits, or an exponent.
//
//	number = digit {digit} ["." digit {digit}] [("e" | "E") ["+" | "-"] digit {digit}]
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

// run is the digits at the start of s.
func run(s []byte) (digits []byte, n int) {
	for n < len(s) && s[n]-'0' <= 9 {
		n++
	}
	return s[:n], n
}

// farthest is an exponent that is as good as any greater one.
const farthest = 1 << 20

// power reads an exponent.
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

// at is the moment of digits of microseconds with the point before one of them.
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
