package sampletests

import (
	"math"
	"math/bits"
)

// Sum is an exact sum of int64 values: a signed number of 128 bits. Absolute times since 1970 pass 64
// bits after five values.
type Sum struct {
	Hi int64  // the upper 64 bits, with the sign
	Lo uint64 // the lower 64 bits
}

// SumOf returns the sum of values. It does not depend on their order.
func SumOf(values []int64) (s Sum) {
	for _, v := range values {
		s.Add(v)
	}
	return s
}

// Add adds a value.
func (s *Sum) Add(v int64) {
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

// Int64 returns the sum, or the end of the range of int64 beyond which it lies.
func (s Sum) Int64() int64 {
	switch {
	case s.Hi == int64(s.Lo)>>63: // the upper half only repeats the sign of the lower one
		return int64(s.Lo)
	case s.Hi < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

// abs returns |s|, or the maximum int64 if that is too small.
func (s Sum) abs() int64 {
	if s.Hi < 0 {
		s = Sum{}.minus(s)
	}
	return s.Int64()
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
