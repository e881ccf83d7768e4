package jsontext

import "math/bits"

// String takes a string and returns it without its escapes, or takes a number and returns it as it is written.
// What it returns is valid until the next call of the reader.
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

// text takes a string, from quotation mark to quotation mark, and says whether it has escapes. A string that is
// kept lies in the buffer as a whole, from tok on.
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

// special is the position of the first byte from i on that is a quotation mark, backslash or control character, as is
// the zero behind what is in the buffer.
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
