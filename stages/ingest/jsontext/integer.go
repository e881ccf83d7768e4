package jsontext

import "math"

// leading reads the digits at the start of s, with their sign, as far as they fit 64 bits.
func leading(s []byte) (v int64, at int, ok bool) {
	negative := len(s) > 0 && s[0] == '-'
	if negative {
		at++
	}
	first := at
	for ; at < len(s) && s[at]-'0' <= 9; at++ {
		d := int64(s[at] - '0')
		if v < (math.MinInt64+d)/10 { // counted downwards, where there is one more number
			return 0, at, false
		}
		v = v*10 - d
	}
	if negative {
		return v, at, at > first
	}
	return -v, at, at > first && v != math.MinInt64
}

const (
	tooMany     = 32      // digits, for 64 bits
	maxExponent = 1 << 40 // more digits than a number has
)

// whole reads a number with fraction or exponent whose value is whole: its digits, with the point moved by the
// exponent, must be zeros behind it.
func whole(s []byte) (v int64, ok bool) {
	var shown [tooMany]byte // the digits without the point
	digits, exponent, pointed, at := shown[:0], int64(0), false, 0
	for ; at < len(s); at++ {
		switch c := s[at]; {
		case c == '.' && !pointed:
			pointed = true
			continue
		case c == '-' && at == 0, c-'0' <= 9:
			digits = append(digits, c)
		case c|0x20 == 'e' && at > 0:
			e, end, good := leading(unsigned(s[at+1:]))
			if !good || end < len(unsigned(s[at+1:])) {
				return 0, false
			}
			return shifted(digits, exponent+max(-maxExponent, min(e, maxExponent)))
		default:
			return 0, false
		}
		if pointed {
			exponent--
		}
	}
	return shifted(digits, exponent)
}

// unsigned is a number without the plus before it.
func unsigned(s []byte) []byte {
	if len(s) > 0 && s[0] == '+' {
		return s[1:]
	}
	return s
}

// shifted is an integer times a power of ten.
func shifted(digits []byte, exponent int64) (v int64, ok bool) {
	if len(digits) == 0 {
		return 0, false
	}
	for ; exponent < 0; exponent++ {
		last := len(digits) - 1
		if last == 0 || digits[last-1] == '-' {
			return 0, digits[last] == '0' // all others were zeros
		}
		if digits[last] != '0' {
			return 0, false
		}
		digits = digits[:last]
	}
	for ; exponent > 0 && len(digits) < tooMany; exponent-- {
		digits = append(digits, '0')
	}
	v, _, ok = leading(digits)
	return v, ok && (exponent == 0 || v == 0)
}
