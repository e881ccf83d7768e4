package rootcause

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// In trees with calls back into callers, the shares still add up to 1.
func TestSharesAddUpWithCircles(t *testing.T) {
	circles := 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 5))
		base := tree(r, 30)
		for range 2 {
			i := 1 + r.IntN(29)
			j := r.IntN(i)
			from, to := fmt.Sprintf("c%d.f%d", i, i), fmt.Sprintf("c%d.f%d", j, j)
			base = base.with(from, base.functions[from].calling(to, .3))
		}
		cand, _ := faulty(r, base, 3, func() float64 { return 1.5 })
		sum, shown := 0.0, false
		for _, f := range Find(compare(base, cand), defaults()) {
			if f.Share != nil {
				sum, shown = sum+*f.Share, true
			}
		}
		if shown {
			circles++
			if math.Abs(sum-1) > .06 {
				t.Errorf("seed %d: the shares are %v together", seed, sum)
			}
		}
	}
	if circles < 10 {
		t.Errorf("%d programs tell", circles)
	}
}
