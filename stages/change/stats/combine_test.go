package stats

import (
	"math"
	"testing"
)

// Equal p-values combine to themselves, whatever their weights: the mean of Cauchy variables is one of them.
func TestCauchyOfEqualValues(t *testing.T) {
	for _, p := range []float64{1e-9, .003, .2, .5, .64} {
		for _, weights := range [][]float64{{1, 0, 0}, {.2, .3, .5}} {
			if got := WeightedCauchy([]float64{p, p, p}, weights); math.Abs(got/p-1) > 1e-6 {
				t.Errorf("three times %g with weights %v: %g", p, weights, got)
			}
		}
		if got := Cauchy(p, p, p); math.Abs(got/p-1) > 1e-6 {
			t.Errorf("three times %g: %g", p, got)
		}
	}
}

// A small p-value beside others that say nothing is divided by its weight: 1e-6 of weight 1/4 is 4e-6.
func TestCauchyOfOneSmallValue(t *testing.T) {
	if got := WeightedCauchy([]float64{1e-6, .5}, []float64{.25, .75}); math.Abs(got/4e-6-1) > 1e-3 {
		t.Errorf("1e-6 of weight .25 beside .5: %g", got)
	}
}

// Weights below 1 count, and what has none is not found even with a p of 0.
func TestWeightedBenjaminiHochbergOfSmallWeights(t *testing.T) {
	got := WeightedBenjaminiHochberg([]float64{.01, .03, 0}, []float64{.5, 1.5, 0})
	want := []float64{.02, .02, 1} // p/w times the mean weight of 2/3 is 1/75 of both, times 3/2 for two of three
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("hypothesis %d: %g, want %g", i, got[i], want[i])
		}
	}
}
