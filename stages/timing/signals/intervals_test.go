package signals

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestSorted sees that intervals are sorted as a stable sort does, few and many, near and far apart, and before the origin.
func TestSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 12))
	var spare []Interval
	for _, n := range []int{0, 1, 50, countedFrom, 5000, 3000} {
		for _, width := range []int64{1, 100, 1 << 20, 1 << 45, 1 << 62} {
			all := make([]Interval, n)
			for i := range all {
				all[i] = Interval{FromNs: r.Int64N(width) - width/2, Value: float64(i)}
			}
			want := slices.Clone(all)
			slices.SortStableFunc(want, func(a, b Interval) int { return cmp.Compare(a.FromNs, b.FromNs) })
			got, other := SortByBeginning(all, spare)
			expect.Equal(t, slices.Equal(got, want), true, "%d intervals within %d ns", n, width)
			spare = other
		}
	}
}
