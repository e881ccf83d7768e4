package jsontext

// maxScaled is how many digits always fit 64 bits.
const maxScaled = 18

// Scaled takes a number from 0 up as a multiple of a power of ten: 1.5 with 3 decimals is 1500. It says false where it
// takes nothing, which String may take: a number that has more decimals, an exponent or too many digits, or has no comma or
// brace behind it.
func (r *Reader) Scaled(decimals int) (v int64, ok bool) {
	b, i := r.buf, r.pos
	for ; b[i]-'0' <= 9; i++ { // a zero stands behind the last
		v = v*10 + int64(b[i]-'0')
	}
	digits := i - r.pos
	if digits == 0 || digits+decimals > maxScaled || digits > 1 && b[r.pos] == '0' {
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
