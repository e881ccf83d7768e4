package jsontext

import (
	"encoding/binary"
	"math/bits"
)

// Short is a text of at most MaxShort bytes as a number, which is quick to find, compare and hash: its bytes, the first
// one the lowest, and a one above them. It is never 0.
type Short uint64

// MaxShort is how many bytes a short text has at most.
const MaxShort = word - 1

// NewShort is a text as a short one, if it is.
func NewShort(text []byte) (s Short, ok bool) {
	if len(text) > MaxShort {
		return 0, false
	}
	var w [word]byte
	w[copy(w[:], text)] = 1
	return Short(load(w[:])), true
}

// firstBytes is the short text of the first n bytes of a word.
func firstBytes(w uint64, n int) Short {
	top := uint64(1) << (8 * n)
	return Short(w&(top-1) | top)
}

// Byte is the text where it is of one byte, 0 otherwise.
func (s Short) Byte() byte {
	if s>>8 == 1 {
		return byte(s)
	}
	return 0
}

// Text is the text.
func (s Short) Text() string {
	var w [word]byte
	binary.LittleEndian.PutUint64(w[:], uint64(s))
	return string(w[:(bits.Len64(uint64(s))-1)/8])
}

// Short takes a string or number, as String does, if it is short and plain: a string without escapes, or digits, with
// nothing before it and a comma or brace behind the digits. It says false where it takes nothing, which String may take.
//
// There is no loop over bytes in it: the lengths of short texts are too irregular for the processor to foresee.
func (r *Reader) Short() (s Short, ok bool) {
	first := r.pos
	quoted := r.buf[first] == '"'
	if quoted {
		first++
	}
	w, n := load(r.buf[first:]), 0
	if quoted {
		n = plainBytes(w)
	} else {
		n = digitBytes(w)
	}
	if n > MaxShort {
		return 0, false
	}
	end := first + n
	switch c := r.buf[end]; {
	case quoted:
		if c != '"' {
			return 0, false
		}
		end++
	case c != ',' && c != '}', n == 0, n > 1 && r.buf[first] == '0':
		return 0, false
	}
	r.tok, r.pos = r.pos, end
	r.waiting = false
	return firstBytes(w, n), true
}

// plainBytes is how many bytes of a word are those of a string before its end or an escape.
func plainBytes(w uint64) int { return bits.TrailingZeros64(specials(w)) / 8 }

// digitBytes is how many bytes of a word are digits, before the first that is none. A digit has 3 in its upper half, and still
// has when 6 is added; what a sum carries into the next byte comes from a byte that is no digit.
func digitBytes(w uint64) int {
	const uppers, threes, sixes = 0xf0 * ones, 0x30 * ones, 6 * ones
	other := (w&uppers ^ threes) | ((w+sixes)&uppers ^ threes)
	return bits.TrailingZeros64(other) / 8
}
