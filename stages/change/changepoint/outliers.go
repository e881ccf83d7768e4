package changepoint

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// How a value is found to stand alone.
const (
	reach      = 3 // neighbours on either side
	standAlone = 5 // standard deviations from all of them
)

// withoutOutliers returns a series in which values that stand alone are replaced by the median of their neighbours (see usual), and their
// positions. A value stands alone if it is far from its two neighbours and from the medians of reach values on either side, to
// one side of all of them: the first value of a new level is near those that follow. The standard deviation is that of
// values around the median of their neighbours, by the median of the distances, which outliers do not move. Two kinds of values are
// replaced like the others, but are no outliers: the last one, as a new level may begin with it, and those that are not as far
// by the standard deviation of the values around them. A benchmark that became noisy has no odd night every week.
func withoutOutliers(values []float64) (cleaned []float64, outliers []int) {
	n := len(values)
	around, distances := make([]float64, n), make([]float64, n)
	for i := range values {
		around[i] = medianOf(values[max(0, i-reach):i], values[i+1:min(n, i+1+reach)])
		distances[i] = math.Abs(values[i] - around[i])
	}
	far := tooFar(distances)
	cleaned = values
	replaced := false
	for i, v := range values {
		low, high := math.Inf(1), math.Inf(-1)
		for _, side := range [][]float64{values[max(0, i-reach):i], values[max(0, i-1):i], values[i+1 : min(n, i+2)], values[i+1 : min(n, i+1+reach)]} {
			if len(side) > 0 {
				m := medianOf(side, nil)
				low, high = math.Min(low, v-m), math.Max(high, v-m)
			}
		}
		if alone := math.Max(low, -high); far > 0 && alone > far {
			if !replaced {
				cleaned, replaced = slices.Clone(values), true
			}
			cleaned[i] = usual(v, around[i], values[max(0, i-reach):i], values[i+1:min(n, i+1+reach)])
			if i < n-1 && alone > tooFar(nearest(distances, i)) {
				outliers = append(outliers, i)
			}
		}
	}
	return cleaned, outliers
}

// usual returns what stands for a value that stands alone: the median of the values around it or, where the level changes there, of those to whose
// level it belongs. The middle of two levels would be a level of its own, and the change could be on either side of it.
func usual(v, around float64, before, after []float64) float64 {
	if len(before) == 0 || len(after) == 0 {
		return around
	}
	left, right := medianOf(before, nil), medianOf(after, nil)
	near, far := left, right
	if math.Abs(v-right) < math.Abs(v-left) {
		near, far = right, left
	}
	if math.Abs(v-near) < math.Abs(near-far) {
		return near
	}
	return around
}

// tooFar is the distance of a value that stands alone among values with these distances from the median of their neighbours.
func tooFar(distances []float64) float64 { return standAlone * 1.4826 * medianOf(distances, nil) }

// nearest returns the values nearest to a position, as many as say how much values vary there.
func nearest(values []float64, position int) []float64 {
	from := max(0, min(position-shortest/2, len(values)-shortest))
	return values[from:min(len(values), from+shortest)]
}

// medianOf is the median of two slices together.
func medianOf(a, b []float64) float64 {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return stats.Median(all)
}
