package verdicts

import (
	"math"
	"slices"
	"testing"
)

// TestWinsoriseByHand works out by hand how far runs are drawn in.
func TestWinsoriseByHand(t *testing.T) {
	for _, c := range []struct {
		name    string
		smaller int
		y, want []float64
	}{
		// The median is 5.5, the distances to it have a median of 2.5: 5.5 + 3 * 1.4826 * 2.5.
		{"one of ten runs is far away", 5, []float64{1, 2, 3, 100, 4, 5, 6, 7, 8, 9}, []float64{1, 2, 3, 16.6195, 4, 5, 6, 7, 8, 9}},
		{"all of it far from zero", 5, []float64{1001, 1002, 1003, 1100, 1004, 1005, 1006, 1007, 1008, 1009}, []float64{1001, 1002, 1003, 1016.6195, 1004, 1005, 1006, 1007, 1008, 1009}},
		// The minimum deviation counts: 3 * .02.
		{"two of ten differ from equal values", 5, []float64{0, 0, 0, 0, 1, 0, 0, -1, 0, 0}, []float64{0, 0, 0, 0, .06, 0, 0, -.06, 0, 0}},
		{"three of ten are more than a minority of a side of five", 5, []float64{0, 0, 0, 0, 0, 0, 0, 1, 1, 2}, []float64{0, 0, 0, 0, 0, 0, 0, 1, 1, 1}},
		{"two of six are more than a minority of a side of three", 3, []float64{0, 0, 0, 0, 1, 1}, []float64{0, 0, 0, 0, 1, 1}},
	} {
		got, n := slices.Clone(c.y), len(c.y)
		winsorise(got, c.smaller, make([]float64, n), make([]float64, n))
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
