package timesort

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestStable compares with a sort by comparing: few positions and many, of few times and of all that 64 bits have.
func TestStable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 15))
	times := map[string]func() int64{
		"few": func() int64 { return r.Int64N(50) - 25 }, "close": func() int64 { return 1<<40 + r.Int64N(1<<12) }, "all": func() int64 { return int64(r.Uint64()) },
		"least and greatest": func() int64 { return []int64{math.MinInt64, 0, math.MaxInt64}[r.IntN(3)] },
	}
	for name, draw := range times {
		for _, n := range []int{0, 1, 2, countedFrom - 1, countedFrom, 5000} {
			timeNs := make([]int64, n)
			for i := range timeNs {
				timeNs[i] = draw()
			}
			got := Everything(n)
			r.Shuffle(n, func(i, j int) { got[i], got[j] = got[j], got[i] })
			want := slices.Clone(got)
			slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(timeNs[a], timeNs[b]) })
			Stable(got, timeNs)
			expect.Deep(t, got, want, "%d times, %s", n, name)
		}
	}
}
