package claims

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestHeaviest compares with a stable sort by comparing: lists shorter and longer than what is asked for, of few weights and of many.
func TestHeaviest(t *testing.T) {
	type weighed struct{ weight, at int32 }
	r := rand.New(rand.NewPCG(15, 22))
	for _, weights := range []int32{1, 3, 1 << 30} {
		for _, n := range []int{0, 1, 7, 500} {
			for _, most := range []int{0, 5, 1000} {
				all := make([]weighed, n)
				for i := range all {
					all[i] = weighed{r.Int32N(weights), int32(i)}
				}
				want := slices.Clone(all)
				slices.SortStableFunc(want, func(a, b weighed) int { return cmp.Compare(b.weight, a.weight) })
				got := Heaviest(all, most, func(w *weighed) int32 { return w.weight })
				expect.Deep(t, got, want[:min(n, most)], "the %d heaviest of %d", most, n)
			}
		}
	}
}
