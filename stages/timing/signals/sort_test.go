package signals

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestSorted sees that jumps are sorted as a stable sort does, few and many, near and far apart, and before the origin.
func TestSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 12))
	for _, n := range []int{0, 1, 50, countedFrom, 5000} {
		for _, width := range []int64{1, 100, 1 << 20, 1 << 45, 1 << 62} {
			all := make([]jump, n)
			for i := range all {
				all[i] = jump{ns: r.Int64N(width) - width/2, by: float64(i)}
			}
			want := slices.Clone(all)
			slices.SortStableFunc(want, func(a, b jump) int { return cmp.Compare(a.ns, b.ns) })
			expect.Equal(t, slices.Equal(sorted(all), want), true, "%d jumps within %d ns", n, width)
		}
	}
}
