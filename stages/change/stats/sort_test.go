package stats

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortIntsEqualsSlicesSort(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, bits := range []uint{0, 1, 10, 11, 12, 30, 62, 64} {
		v := make([]int64, radixFrom+r.IntN(5000))
		for i := range v {
			v[i] = int64(r.Uint64() >> (64 - bits) << (r.UintN(2) * (64 - bits)))
		}
		want := slices.Clone(v)
		slices.Sort(want)
		if SortInts(v); !slices.Equal(v, want) {
			t.Errorf("%d bits: wrong order", bits)
		}
	}
}
