package mutated

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
)

// mutated is an input with one or more changes, each in one of its arguments; half of them have one, a quarter two, and so on.
func (c *corpus) mutated(r *rand.Rand) input {
	of, other := c.choose(r), c.choose(r)
	in := slices.Clone(of)
	for more := true; more; more = r.IntN(2) == 0 {
		i := r.IntN(len(in))
		changed := reflect.New(in[i].Type()).Elem()
		switch v := in[i]; v.Kind() {
		case reflect.Slice:
			changed.SetBytes(c.bytes(r, v.Bytes(), other[i].Bytes()))
		case reflect.String:
			changed.SetString(string(c.bytes(r, []byte(v.String()), []byte(other[i].String()))))
		case reflect.Bool:
			changed.SetBool(!v.Bool())
		case reflect.Float32, reflect.Float64:
			changed.SetFloat(mutatedFloat(r, v.Float(), other[i].Float()))
		case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
			changed.SetUint(mutatedBits(r, v.Uint(), other[i].Uint()))
		default:
			changed.SetInt(int64(mutatedBits(r, uint64(v.Int()), uint64(other[i].Int()))))
		}
		in[i] = changed
	}
	return in
}

// mutatedBits is another number, which is cut to the bits of its type.
func mutatedBits(r *rand.Rand, n, other uint64) uint64 {
	switch r.IntN(5) {
	case 0:
		return n ^ 1<<r.IntN(64)
	case 1:
		return n + uint64(r.IntN(71)) - 35
	case 2:
		return uint64(corners[r.IntN(len(corners))])
	case 3:
		return other
	}
	return r.Uint64() >> r.IntN(64)
}

// mutatedFloat is another number, which may be any that there is.
func mutatedFloat(r *rand.Rand, x, other float64) float64 {
	switch r.IntN(7) {
	case 0:
		return math.Float64frombits(math.Float64bits(x) ^ 1<<r.IntN(64))
	case 1:
		return x * (1 + r.NormFloat64())
	case 2:
		return x + r.NormFloat64()
	case 3:
		return float64(corners[r.IntN(len(corners))])
	case 4:
		return other
	case 5:
		return []float64{0, math.Copysign(0, -1), 1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-300, 1e300}[r.IntN(10)]
	}
	return -x
}

// corners are numbers at which something overflows or changes its sign.
var corners = []int64{
	0, 1, -1, 2, 7, 8, 10, 16, 32, 64, 100, 127, 128, -128, 255, 256, 512, 1000, 1024, 4096, 32767, 32768, -32768, 65535, 65536, 1e6, 1e9,
	math.MaxInt32, math.MaxInt32 + 1, math.MinInt32, math.MaxUint32, math.MaxUint32 + 1, 1 << 53, math.MaxInt64 - 1, math.MaxInt64, math.MinInt64,
}

// bytes is a text with one change. Texts grow to twice the longest of the corpus, and 100 bytes.
func (c *corpus) bytes(r *rand.Rand, b, other []byte) []byte {
	if len(b) == 0 || len(b) > 2*c.longest+100 {
		return bytes.Clone(piece(r, other, len(other)))
	}
	b = bytes.Clone(b)
	at := r.IntN(len(b))
	switch r.IntN(14) {
	case 0: // a piece less
		return slices.Delete(b, at, at+length(r, len(b)-at))
	case 1: // a piece twice
		return slices.Insert(b, at, bytes.Clone(piece(r, b, 100))...)
	case 2: // a piece of another one more
		return slices.Insert(b, at, piece(r, other, 1000)...)
	case 3: // a piece of another one instead
		p := piece(r, other, 1000)
		return slices.Replace(b, at, at+min(len(p), len(b)-at), p...)
	case 4: // this one, and on as another one
		return append(b[:at], other[r.IntN(len(other)+1):]...)
	case 5: // this one, as after the end of a connection
		return b[:at]
	case 6: // random letters more
		for range length(r, 100) {
			b = slices.Insert(b, at, byte(r.IntN(256)))
		}
	case 7:
		b[at] ^= 1 << r.IntN(8)
	case 8:
		b[at] = byte(r.IntN(256))
	case 9:
		b[at] += byte(r.IntN(71) - 35)
	case 10:
		to := r.IntN(len(b))
		b[at], b[to] = b[to], b[at]
	case 11: // another number in bytes
		var number [8]byte
		order := []binary.ByteOrder{binary.LittleEndian, binary.BigEndian}[r.IntN(2)]
		size := 1 << r.IntN(4)
		n := mutatedBits(r, 0, uint64(at))
		if order == binary.BigEndian {
			n <<= 64 - 8*size
		}
		order.PutUint64(number[:], n)
		copy(b[at:], number[:size])
	case 12: // another number in digits
		return anotherNumber(r, b, at)
	case 13: // a piece elsewhere
		n := length(r, len(b)-at)
		p := bytes.Clone(b[at : at+n])
		b = slices.Delete(b, at, at+n)
		return slices.Insert(b, r.IntN(len(b)+1), p...)
	}
	return b
}

// anotherNumber puts a number in the place of the first digits at or behind a place, or there where there are none.
func anotherNumber(r *rand.Rand, b []byte, at int) []byte {
	isDigit := func(c byte) bool { return c >= '0' && c <= '9' }
	from := at
	if n := slices.IndexFunc(b[at:], isDigit); n >= 0 {
		from += n
	}
	to := from
	for to < len(b) && isDigit(b[to]) {
		to++
	}
	return slices.Replace(b, from, to, strconv.AppendInt(nil, int64(mutatedBits(r, uint64(at), 10)), 10)...)
}

// piece is a piece of a text, of at most so many bytes.
func piece(r *rand.Rand, b []byte, most int) []byte {
	if len(b) == 0 {
		return nil
	}
	at := r.IntN(len(b))
	return b[at : at+length(r, min(len(b)-at, most))]
}

// length is a length from 1 to the most, of which most are short.
func length(r *rand.Rand, most int) int {
	switch n := r.IntN(10); {
	case n < 6:
		most = min(most, 8)
	case n < 9:
		most = min(most, 64)
	}
	if most <= 1 {
		return most
	}
	return 1 + r.IntN(most)
}
