package jsontext

import "errors"

// number takes a number.
//
//	number = ["-"] ("0" | digit {digit}) ["." digit {digit}] [("e" | "E") ["+" | "-"] digit {digit}]
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

// plainNumber is the length of a number without an exponent that b begins with, 0 where it is another one, or may
// go on behind b.
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

// digits takes digits, and says whether there were any.
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
func (r *Reader) Int() (int64, error) {
	s, err := r.String()
	if err != nil {
		return 0, err
	}
	v, at, ok := leading(s)
	if ok && at == len(s) {
		return v, nil
	}
	if v, ok = whole(s); !ok {
		return 0, notInteger()
	}
	return v, nil
}
