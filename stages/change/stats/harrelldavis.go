package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// HarrellDavis returns the p-quantile of a sorted sample as the mean of its order statistics under
// a Beta((n+1)p, (n+1)(1-p)) distribution (Harrell and Davis 1982). An empty sample gives NaN.
// Only the order statistics that carry weight are read, O(sqrt n) of them when n is large.
func HarrellDavis[T Number](sorted []T, p float64) float64 {
	if len(sorted) < 2 || !(p > 0 && p < 1) {
		return extreme(sorted, p)
	}
	q, _ := betaMean(sorted, quantileBeta(len(sorted), p))
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
		q[i], q[8-i] = betaMean(sorted, quantileBeta(len(sorted), float64(i+1)/10))
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

// betaMean returns the mean of the order statistics under b, and their mean under the mirrored weights.
func betaMean[T Number](sorted []T, b beta) (q, mirrored float64) {
	w := weigh(len(sorted), b)
	return mean(sorted, &w)
}

// negligible is the share of the weight below which further order statistics are left out.
const negligible = 1e-18

// smoothShape is the shape parameter from which a cell's mass is integrated from the density. There
// four Gauss-Legendre nodes a cell are good to 1e-11, and unlike the continued fraction of the
// incomplete Beta function their cost does not grow with the sample.
const smoothShape = 10

// flatShape is the shape parameter from which two nodes a cell are good to 1e-9.
const flatShape = 1000

// beta is a Beta(a, b) distribution.
type beta struct {
	a, b   float64
	mode   float64
	smooth bool // both parameters are at least smoothShape
}

// quantileBeta returns the distribution of the Harrell-Davis weights.
func quantileBeta(n int, p float64) beta {
	a, b := float64(n+1)*p, float64(n+1)*(1-p)
	d := beta{a: a, b: b, mode: p, smooth: min(a, b) >= smoothShape}
	if a > 1 && b > 1 {
		d.mode = (a - 1) / (a + b - 2)
	}
	return d
}

// density returns the density relative to that at the mode.
func (d beta) density(t float64) float64 {
	return math.Exp((d.a-1)*math.Log(t/d.mode) + (d.b-1)*math.Log((1-t)/(1-d.mode)))
}

var (
	gaussNodes   = [2]float64{0.33998104358485626, 0.86113631159405258}
	gaussWeights = [2]float64{0.65214515486254614, 0.34785484513745386}
)

// mass returns the probability of [lo, hi] up to a factor that is the same for all intervals.
func (d beta) mass(lo, hi float64) float64 {
	if !d.smooth {
		return mathext.RegIncBeta(d.a, d.b, hi) - mathext.RegIncBeta(d.a, d.b, lo)
	}
	mid, half := (lo+hi)/2, (hi-lo)/2
	if min(d.a, d.b) >= flatShape {
		at := half / math.Sqrt(3)
		return half * (d.density(mid-at) + d.density(mid+at))
	}
	sum := 0.0
	for i, x := range gaussNodes {
		sum += gaussWeights[i] * (d.density(mid-half*x) + d.density(mid+half*x))
	}
	return sum * half
}
