package jsontext

import (
	"encoding/binary"
	"math/bits"
)

// SmallString is a text of at most MaxSmallString bytes as a number, which is quick to find, compare and hash: its bytes, the
// first one the lowest, and a one above them, which tells texts of different lengths apart. It is never 0.
// Equal numbers are equal texts and the reverse, so it serves as a key of a map or as the entry of a table without a
// pointer.
type SmallString uint64

// MaxSmallString is how many bytes a short text has at most.
const MaxSmallString = word - 1

// NewSmallString returns a text as a number, and reports whether it is short enough.
// An empty text is the number 1.
func NewSmallString(text []byte) (s SmallString, ok bool) {
	if len(text) > MaxSmallString {
		return 0, false
	}
	var w [word]byte
	w[copy(w[:], text)] = 1
	return SmallString(load(w[:])), true
}

// firstBytes returns the text of the first n bytes of a word.
func firstBytes(w uint64, n int) SmallString {
	top := uint64(1) << (8 * n)
	return SmallString(w&(top-1) | top)
}

// Byte returns the text where it has one byte, and 0 otherwise.
func (s SmallString) Byte() byte {
	if s>>8 == 1 {
		return byte(s)
	}
	return 0
}

// Text returns the text as a string, which is allocated.
func (s SmallString) Text() string {
	var w [word]byte
	binary.LittleEndian.PutUint64(w[:], uint64(s))
	return string(w[:(bits.Len64(uint64(s))-1)/8])
}

// SmallString takes a string or number, as String does, if it is short and plain: a string without escapes, or digits, with
// nothing before it and a comma or brace behind the digits. Where it takes nothing, ok is false, and String may take the value.
//
// There is no loop over bytes in it: the lengths of short texts are too irregular for the processor to foresee.
// A digit string such as 007 is no number of JSON and is left to String, which reports it.
func (r *Reader) SmallString() (s SmallString, ok bool) {
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
	if n > MaxSmallString {
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

// plainBytes returns how many bytes of a word are those of a string before its end or an escape.
// It is 8 where all are.
func plainBytes(w uint64) int { return bits.TrailingZeros64(specials(w)) / 8 }

// digitBytes returns how many bytes of a word are digits, before the first that is none. A digit has 3 in its upper half, and still
// has when 6 is added; what a sum carries into the next byte comes from a byte that is no digit.
func digitBytes(w uint64) int {
	const uppers, threes, sixes = 0xf0 * ones, 0x30 * ones, 6 * ones
	other := (w&uppers ^ threes) | ((w+sixes)&uppers ^ threes)
	return bits.TrailingZeros64(other) / 8
}
