package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

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

// densest returns the left end of the interval of the given width with the greatest probability: at
// the border of [0, 1] if the density rises to it, else where both ends have equal density.
func (d beta) densest(width float64) float64 {
	switch {
	case d.a <= 1 && d.b <= 1:
		return 0.5 - width/2
	case d.a <= 1:
		return 0
	case d.b <= 1:
		return 1 - width
	}
	lo, hi := max(0, d.mode-width), min(d.mode, 1-width)
	for range 100 {
		mid := (lo + hi) / 2
		if mid <= lo || mid >= hi {
			break
		}
		if d.density(mid) < d.density(mid+width) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}
