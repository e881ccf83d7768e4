package sampletests

import (
	"math"
	"math/bits"
)

// Sum is an exact sum of int64 values: a signed number of 128 bits. Absolute times since 1970 pass 64
// bits after five values.
type Sum struct {
	Hi int64
	Lo uint64
}

func (s *Sum) add(v int64) {
	var carry uint64
	s.Lo, carry = bits.Add64(s.Lo, uint64(v), 0)
	s.Hi += v>>63 + int64(carry)
}

// minus returns s - t.
func (s Sum) minus(t Sum) Sum {
	lo, borrow := bits.Sub64(s.Lo, t.Lo, 0)
	return Sum{s.Hi - t.Hi - int64(borrow), lo}
}

// Float64 returns the sum rounded to a float.
func (s Sum) Float64() float64 {
	if s.Hi < 0 {
		return -Sum{}.minus(s).Float64()
	}
	return float64(s.Hi)*(1<<64) + float64(s.Lo)
}

// abs returns |s|, or the greatest int64 if that is too small.
func (s Sum) abs() int64 {
	if s.Hi < 0 {
		s = Sum{}.minus(s)
	}
	if s.Hi != 0 || s.Lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(s.Lo)
}

// over returns s / n, rounded toward zero.
func (s Sum) over(n uint64) Sum {
	if s.Hi < 0 {
		return Sum{}.minus(Sum{}.minus(s).over(n))
	}
	hi, rest := uint64(s.Hi)/n, uint64(s.Hi)%n
	lo, _ := bits.Div64(rest, s.Lo, n)
	return Sum{int64(hi), lo}
}
