package stats

import "math"

// HarrellDavis returns the p-quantile of a sorted sample as the mean of its order statistics under
// a Beta((n+1)p, (n+1)(1-p)) distribution (Harrell and Davis 1982). An empty sample gives NaN.
// Only the order statistics that carry weight are read, O(sqrt n) of them when n is large.
func HarrellDavis[T Number](sorted []T, p float64) float64 {
	if len(sorted) < 2 || !(p > 0 && p < 1) {
		return extreme(sorted, p)
	}
	q, _ := betaMean(sorted, quantileBeta(len(sorted), p), 0, 1)
	return q
}

// TrimmedHarrellDavis is HarrellDavis with the Beta distribution cut to its highest-density interval
// of width 1/sqrt(n), which resists heavy tails (Akinshin 2022, arXiv:2111.11776).
func TrimmedHarrellDavis[T Number](sorted []T, p float64) float64 {
	if len(sorted) < 2 || !(p > 0 && p < 1) {
		return extreme(sorted, p)
	}
	b := quantileBeta(len(sorted), p)
	width := 1 / math.Sqrt(float64(len(sorted)))
	left := b.densest(width)
	q, _ := betaMean(sorted, b, left, left+width)
	return q
}

// Deciles returns the Harrell-Davis estimates of the quantiles 0.1 to 0.9.
func Deciles[T Number](sorted []T) [9]float64 {
	var q [9]float64
	for i := range q {
		q[i] = extreme(sorted, 0.5)
	}
	if len(sorted) < 2 {
		return q
	}
	for i := range 4 {
		q[i], q[8-i] = betaMean(sorted, quantileBeta(len(sorted), float64(i+1)/10), 0, 1)
	}
	q[4] = HarrellDavis(sorted, 0.5)
	return q
}

// extreme returns the quantile where there is nothing to average.
func extreme[T Number](sorted []T, p float64) float64 {
	switch {
	case len(sorted) == 0 || math.IsNaN(p):
		return math.NaN()
	case p >= 1:
		return float64(sorted[len(sorted)-1])
	}
	return float64(sorted[0])
}

// betaMean returns the mean of the order statistics under b cut to [left, right], and their mean under
// the mirrored weights.
func betaMean[T Number](sorted []T, b beta, left, right float64) (q, mirrored float64) {
	w := weigh(len(sorted), b, left, right)
	return mean(sorted, &w)
}
