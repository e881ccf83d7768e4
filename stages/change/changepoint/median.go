package changepoint

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// Medians reduces the values of runs to one per release: their median, NaN for a release without runs. release is the
// position of the release of every run, below n.
func Medians(values []float64, release []int, n int) []float64 {
	runs := make([][]float64, n)
	for i, v := range values {
		runs[release[i]] = append(runs[release[i]], v)
	}
	out := make([]float64, n)
	for r, of := range runs {
		if out[r] = math.NaN(); len(of) > 0 {
			slices.Sort(of)
			out[r] = stats.Median(of)
		}
	}
	return out
}
