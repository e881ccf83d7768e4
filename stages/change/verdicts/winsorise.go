package verdicts

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// winsoriseAt is how many standard deviations, by the median absolute deviation, a run may lie from the median of all.
// minDeviation is the minimum deviation that counts, as a logarithm: values that mostly equal each other have none.
const (
	winsoriseAt  = 3
	minDeviation = .02
	madToSigma   = 1.4826 // of a normal distribution
)

// winsorise draws in the values of runs that lie far from all others, so that one run on a busy machine does not hide
// what the others say. The bounds come from all runs together, whatever side they are on: under the null hypothesis
// the sides remain exchangeable, and the tests keep their level. Bounds from each side alone do not have that property:
// on repeated recordings they raised false alarms from 2 to 15 % of comparisons.
//
// The bounds never cut off more than a minority of the smaller side, so that a real change of one side stays: of
// sides of 3 or 4 runs one value, of 5 or 6 two.
func winsorise(y []float64, smaller int, sorted, deviations []float64) {
	n := len(y)
	keep := (smaller - 1) / 2
	copy(sorted, y)
	slices.Sort(sorted)
	m := stats.Median(sorted)
	for i, v := range y {
		deviations[i] = math.Abs(v - m)
	}
	slices.Sort(deviations)
	reach := winsoriseAt * math.Max(madToSigma*stats.Median(deviations), minDeviation)
	lo, hi := math.Min(m-reach, sorted[keep]), math.Max(m+reach, sorted[n-1-keep])
	for i, v := range y {
		y[i] = math.Min(math.Max(v, lo), hi)
	}
}
