package text

import "encoding/binary"

// Eight characters as one word, the first in the lowest byte.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
	zeros = '0' * ones
)

// word loads eight bytes.
func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// find marks, by its high bit, the first byte of w that is c (and maybe later ones that are not).
func find(w uint64, c byte) uint64 {
	// A byte of x is zero where w has c; subtracting one borrows into the high bit of exactly the first such byte.
	x := w ^ uint64(c)*ones
	return (x - ones) & ^x & highs
}

// others marks, by its high bit, every byte of w that is not a digit.
func others(w uint64) uint64 {
	x := w ^ zeros
	// After the exclusive or, digits are 0 to 9; adding 0x76 carries into the high bit from 10 on.
	return ((x & ^uint64(highs)) + 0x76*ones | x) & highs
}

// number is the value of eight digits, in three multiplications: neighbours to pairs, pairs to fours,
// fours to eight.
func number(w uint64) uint64 {
	// Digits become their values; no byte borrows from another, since all are digits.
	w -= zeros
	w = w*10 + w>>8
	const pairs = 0x000000ff000000ff
	return ((w&pairs)*(100+1000000<<32) + (w>>16&pairs)*(1+10000<<32)) >> 32
}
