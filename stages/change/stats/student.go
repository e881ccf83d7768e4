package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// manyDF is the number of degrees of freedom above which t goes through the normal distribution, because
// rounding in the incomplete Beta function grows with it.
const manyDF = 1e5

// fewestDF is the number of degrees of freedom below which no finite t is large: its tail differs from 1/2 by less than a float64 shows.
const fewestDF = 1e-20

// studentUpper returns P(T > t) for Student's t. df is positive, +Inf is the normal distribution. Small
// tails keep their digits; near t = 0 the complement does, where df/(df+t^2) rounds to 1.
func studentUpper(t, df float64) float64 {
	switch {
	case t < 0:
		return 1 - studentUpper(-t, df)
	case df > manyDF:
		return upperTail(normalFromT(t, df))
	case math.IsInf(t, 1):
		return 0
	case df < fewestDF:
		return 0.5
	case t < 1:
		return 0.5 - mathext.RegIncBeta(0.5, df/2, t*t/(df+t*t))/2
	}
	return mathext.RegIncBeta(df/2, 0.5, df/(df+t*t)) / 2
}

// studentCritical returns the t that is exceeded with probability p, 0 <= p <= 1/2: a root of log P(T > t) by
// Newton's method, kept inside a bracket. The inverse of the incomplete Beta function loses digits here, and
// all of them on many degrees of freedom.
func studentCritical(p, df float64) float64 {
	switch {
	case !(p > 0):
		return math.Inf(1)
	case p == 0.5:
		return 0
	case df > manyDF:
		return tFromNormal(-distuv.UnitNormal.Quantile(p), df)
	}
	density := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}
	lo, hi, t := 0.0, math.Inf(1), tFromNormal(-distuv.UnitNormal.Quantile(p), df)
	if math.IsInf(t, 1) {
		t = 0 // few degrees of freedom
	}
	last := math.Inf(1)
	for range 200 {
		tail := studentUpper(t, df)
		if tail > p {
			lo = t
		} else {
			hi = t
		}
		step := math.Log(tail/p) * tail / density.Prob(t)
		length := math.Abs(step)
		if length <= 1e-14*t || length <= 1e-9*t && length > last/2 { // a short step that follows one no longer is the rounding of the tail
			break
		}
		last = length
		if t += step; !(t > lo && t < hi) {
			t = lo + (min(hi, 2*lo+1)-lo)/2
		}
	}
	return t
}

// normalFromT returns the normal deviate of the same tail as t, with an error of order 1/df^2 (Wallace
// 1959, Annals of Mathematical Statistics 30, 1121-1130).
func normalFromT(t, df float64) float64 {
	if math.IsInf(8*df, 1) {
		return t
	}
	return math.Sqrt(df*math.Log1p(t*t/df)) * (8*df + 1) / (8*df + 3)
}

// tFromNormal is the inverse of normalFromT.
func tFromNormal(z, df float64) float64 {
	if math.IsInf(8*df, 1) {
		return z
	}
	z *= (8*df + 3) / (8*df + 1)
	return math.Sqrt(df * math.Expm1(z*z/df))
}
