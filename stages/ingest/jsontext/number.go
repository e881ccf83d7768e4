package jsontext

import (
	"errors"
	"math"
)

// number takes a number.
//
//	number = ["-"] ("0" | digit {digit}) ["." digit {digit}] [("e" | "E") ["+" | "-"] digit {digit}]
//
// The common number, which lies in the buffer as a whole, is taken by plainNumber; what follows is the slow way, which
// reads on where the buffer ends. The bytes are those of the text and hold until the next call.
func (r *Reader) number() ([]byte, error) {
	if end := plainNumber(r.buf[r.pos:r.end]); end > 0 {
		r.pos += end
		r.waiting = false
		return r.buf[r.tok:r.pos], nil
	}
	if r.peek() == '-' {
		r.pos++
	}
	if r.peek() == '0' {
		r.pos++
	} else if !r.digits() {
		return nil, r.fail("a digit")
	}
	if r.peek() == '.' {
		if r.pos++; !r.digits() {
			return nil, r.fail("a digit of a fraction")
		}
	}
	if r.peek()|0x20 == 'e' {
		r.pos++
		if c := r.peek(); c == '+' || c == '-' {
			r.pos++
		}
		if !r.digits() {
			return nil, r.fail("a digit of an exponent")
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	r.waiting = false
	return r.buf[r.tok:r.pos], nil
}

// plainNumber returns the length of a number without an exponent that b begins with, 0 where it is another one, or may
// go on behind b.
// A number that reaches the end of b is not taken, because its next digit may not be read yet.
func plainNumber(b []byte) int {
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	first := i
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	if i == first || b[first] == '0' && i > first+1 {
		return 0
	}
	if i < len(b) && b[i] == '.' {
		point := i
		for i++; i < len(b) && b[i]-'0' <= 9; i++ {
		}
		if i == point+1 {
			return 0
		}
	}
	if i == len(b) || b[i]|0x20 == 'e' {
		return 0
	}
	return i
}

// digits takes digits, and reports whether there were any.
// Positions are reloaded after reading on, as that moves the buffer.
func (r *Reader) digits() (any bool) {
	for {
		b, i := r.buf, r.pos
		for b[i]-'0' <= 9 { // a zero stands behind the last
			i++
		}
		any = any || i > r.pos
		if r.pos = i; i < r.end || !r.more() {
			return any
		}
	}
}

// notInteger is a function, since errors are values that could be changed.
func notInteger() error { return errors.New("expected an integer of 64 bits") }

// Int takes an integer, written as a number or as a string of one. A fraction of zeros and an exponent are
// accepted where the value is whole: 1.50e3 is 1500. An error leaves the reader behind the value, if that is a
// string or a number.
// The value never goes through floating point, which has 53 bits: identifiers and nanoseconds since the epoch need
// more.
func (r *Reader) Int() (int64, error) {
	s, err := r.String()
	if err != nil {
		return 0, err
	}
	return IntOf(s)
}

// IntOf is what Int reads of the text of a number.
func IntOf(s []byte) (int64, error) {
	v, at, ok := leading(s)
	if ok && at == len(s) {
		return v, nil
	}
	if v, ok = whole(s); !ok {
		return 0, notInteger()
	}
	return v, nil
}

// leading reads the digits at the start of s, with their sign, as far as they fit 64 bits.
// Where they do not fit, at is the digit that is too many.
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
// It computes with digits as text, so 1e18 and 10000000000000000000e-1 are exact. Numbers of more digits than tooMany
// spill to the heap; they do not fit, or end in zeros that an exponent takes away.
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

// unsigned returns a number without the plus before it.
// An exponent may have one, the number itself may not.
func unsigned(s []byte) []byte {
	if len(s) > 0 && s[0] == '+' {
		return s[1:]
	}
	return s
}

// shifted multiplies an integer by a power of ten. It fails where the product is no integer, or does not fit.
// The loops take at most as many steps as there are digits, or tooMany, whatever the exponent is.
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

// maxFixedPoint is the number of decimal digits that always fit 64 bits.
const maxFixedPoint = 18

// FixedPoint takes a number from 0 up as a multiple of a power of ten: 1.5 with 3 decimals is 1500. Where it takes nothing, ok is
// false, and String may take the value: a number that has more decimals, an exponent or too many digits, or has no comma or
// brace behind it.
// This is the way of times, such as microseconds with three decimals: no text is made, and a nanosecond is never lost
// to rounding. The comma or brace behind the number shows that it lies in the buffer as a whole.
func (r *Reader) FixedPoint(decimals int) (v int64, ok bool) {
	b, i := r.buf, r.pos
	for ; b[i]-'0' <= 9; i++ { // a zero stands behind the last
		v = v*10 + int64(b[i]-'0')
	}
	digits := i - r.pos
	if digits == 0 || digits+decimals > maxFixedPoint || digits > 1 && b[r.pos] == '0' {
		return 0, false
	}
	if b[i] == '.' {
		i++
		point := i
		for ; b[i]-'0' <= 9; i++ {
			v = v*10 + int64(b[i]-'0')
		}
		if decimals -= i - point; decimals < 0 || i == point {
			return 0, false
		}
	}
	if b[i] != ',' && b[i] != '}' {
		return 0, false
	}
	for ; decimals > 0; decimals-- {
		v *= 10
	}
	r.tok, r.pos = r.pos, i
	r.waiting = false
	return v, true
}
