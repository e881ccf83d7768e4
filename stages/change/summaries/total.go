package summaries

import (
	"math"
	"math/bits"
)

// total is a sum in 128 bits, so that the order of the values does not matter.
type total struct{ hi, lo uint64 }

func (t *total) add(v int64) {
	var carry uint64
	t.lo, carry = bits.Add64(t.lo, uint64(v), 0)
	t.hi += uint64(v>>63) + carry
}

// int64 is the sum, or the end of the range that it leaves.
func (t *total) int64() int64 {
	switch {
	case int64(t.hi) == int64(t.lo)>>63:
		return int64(t.lo)
	case int64(t.hi) < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

func sum(values []int64) int64 {
	var t total
	for _, v := range values {
		t.add(v)
	}
	return t.int64()
}
