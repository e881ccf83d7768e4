package jsontext

import (
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// String takes a string and returns it without its escapes, or takes a number and returns it as it is written.
// What it returns is valid until the next call of the reader.
// Most strings have no escapes and lie in the buffer: these are returned as a slice of it. Only strings with escapes
// are copied, into memory that the next of them uses again.
func (r *Reader) String() ([]byte, error) {
	switch k := r.Kind(); k {
	case String:
		if last := special(r.buf, r.pos+1); r.buf[last] == '"' {
			s := r.buf[r.pos+1 : last]
			r.pos = last + 1
			r.waiting = false
			return s, nil
		}
		escaped, err := r.text(true)
		if err != nil {
			return nil, err
		}
		r.waiting = false
		if s := r.buf[r.tok+1 : r.pos-1]; !escaped {
			return s, nil
		} else {
			return r.unescape(s), nil
		}
	case Number:
		return r.number()
	default:
		return nil, r.other(k, "a string")
	}
}

// text takes a string, from quotation mark to quotation mark, and reports whether it has escapes. A string that is
// kept lies in the buffer as a whole, from tok on.
// One that is not kept is dropped from the buffer as it is read and may be of any length.
func (r *Reader) text(kept bool) (escaped bool, err error) {
	r.pos++
	for {
		r.pos = special(r.buf, r.pos)
		switch c := r.buf[r.pos]; {
		case c == '"':
			r.pos++
			return escaped, nil
		case c == '\\':
			escaped = true
			if err := r.escape(); err != nil {
				return false, err
			}
		case r.pos < r.end && r.Lenient:
			r.pos++
		case r.pos < r.end:
			return false, r.fail("no control character in a string")
		default:
			if !kept {
				r.tok = r.pos
			}
			if !r.more() {
				return false, r.fail("the end of a string")
			}
		}
	}
}

const (
	ones  = 0x0101010101010101 // a byte of one in every place
	highs = 0x80 * ones
)

// special returns the position of the first byte from i on that is a quotation mark, backslash or control character, as is
// the zero behind what is in the buffer.
// Eight bytes are looked at in one step. Reading up to seven bytes beyond the text is safe: the buffer ends with a
// word of zeros.
func special(b []byte, i int) int {
	for {
		if found := specials(load(b[i:])); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
		i += word
	}
}

// specials has the high bit set of the first byte of a word that is such a byte. It looks at all of them together:
// x-ones&^x has its high bit set in the first byte that is zero, and only later ones may be taken for zero by mistake.
func specials(w uint64) uint64 {
	quote, slash := w^('"'*ones), w^('\\'*ones)
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-' '*ones)&^w) & highs
}

// escape takes an escape.
// It checks only; unescape computes the character once the whole string is in the buffer.
func (r *Reader) escape() error {
	r.pos++
	switch r.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		r.pos++
	case 'u':
		r.pos++
		for range 4 {
			if _, ok := hex(r.peek()); !ok {
				return r.fail("a hexadecimal digit")
			}
			r.pos++
		}
	default:
		return r.fail("what may stand after a backslash")
	}
	return nil
}

// hex returns the value of a hexadecimal digit.
// Setting the bit 0x20 makes a capital letter small.
func hex(c byte) (v rune, ok bool) {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0'), true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10, true
	}
	return 0, false
}

// unescape returns a string without its escapes, which were checked before. It is valid until the next string with escapes.
// A string never gets longer by it: the shortest escape of n bytes of UTF-8 has at least n bytes.
func (r *Reader) unescape(s []byte) []byte {
	out := r.plain[:0]
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out = append(out, s[i])
			continue
		}
		switch i++; s[i] {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			c, size := character(s[i+1:])
			out = utf8.AppendRune(out, c)
			i += size
		default:
			out = append(out, s[i])
		}
	}
	r.plain = out
	return out
}

// character returns the character whose four digits s begins with, and how many bytes it takes. The first half of a
// surrogate pair takes the second with it, if that follows.
// A half without its other half becomes U+FFFD, as RFC 8259 leaves it to the reader.
func character(s []byte) (c rune, size int) {
	c = digits(s)
	if !utf16.IsSurrogate(c) {
		return c, 4
	}
	if len(s) >= 10 && s[4] == '\\' && s[5] == 'u' {
		if pair := utf16.DecodeRune(c, digits(s[6:])); pair != utf8.RuneError {
			return pair, 10
		}
	}
	return utf8.RuneError, 4
}

// digits reads four hexadecimal digits.
// They were checked by escape, so faults cannot occur.
func digits(s []byte) (c rune) {
	for _, d := range s[:4] {
		v, _ := hex(d)
		c = c<<4 | v
	}
	return c
}
