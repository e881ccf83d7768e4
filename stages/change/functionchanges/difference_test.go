package functionchanges

import (
	"math"
	"testing"
)

// TestDifference compares plain means by Welch's t, whose figures for these values are worked out by hand, and within blocks, where what
// blocks have in common is no noise.
func TestDifference(t *testing.T) {
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-3*math.Abs(y) }
	// Means 4 and 9, variances 1 and 4 of three runs each: SE = sqrt(1/3 + 4/3), df = (5/3)^2/(1/18 + 16/18) = 2.941, t(.975) = 3.2188.
	d, lo, hi := Design{Base: 3}.Difference([]float64{3, 4, 5, 7, 9, 11}, .95)
	if se := math.Sqrt(5. / 3); !near(d, 5) || !near(lo, 5-3.2188*se) || !near(hi, 5+3.2188*se) {
		t.Errorf("got %v, %v to %v", d, lo, hi)
	}
	// Two runs a side in two blocks: within them 1 and 3 apart, so 2 with a residual variance of 1 and one degree of freedom, t(.975) = 12.706.
	d, lo, hi = Design{Base: 2, Blocks: []int{0, 1, 0, 1}}.Difference([]float64{10, 100, 11, 103}, .95)
	if !near(d, 2) || !near(lo, 2-12.706) || !near(hi, 2+12.706) {
		t.Errorf("within blocks: got %v, %v to %v", d, lo, hi)
	}
}
