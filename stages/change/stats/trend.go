package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// FitTrendPrior estimates a prior for every row, of common degrees of freedom and of a variance whose logarithm is a straight
// line in x. It is FitPrior where the expected variance follows a covariate, such as the logarithm of the number of calls: a
// function that is called twice a run varies more than one that is called a thousand times. limma's trend (Law et al. 2014,
// Genome Biology 15, R29) is a spline; with some tens of rows a line is all that can be fitted.
//
// All rows have df degrees of freedom. Variances must be positive and finite. Fewer than four rows, or an x that does not vary,
// give the prior of FitPrior to every row.
func FitTrendPrior(variances []float64, df float64, x []float64) []Prior {
	n := len(variances)
	if out := flatPriors(variances, df, x); out != nil {
		return out
	}
	e, correction := make([]float64, n), -mathext.Digamma(df/2)+math.Log(df/2)
	for i, v := range variances {
		e[i] = math.Log(v) + correction // E(e) is log s0^2 up to terms in d0 alone
	}
	at, slope := line(x, e)
	excess := -trigamma(df / 2)
	for i := range e {
		residual := e[i] - at - slope*x[i]
		excess += residual * residual / float64(n-2)
	}
	d0, lift := math.Inf(1), 0.0
	if excess > 0 {
		half := trigammaInverse(excess)
		d0, lift = 2*half, mathext.Digamma(half)-math.Log(half)
	}
	out := make([]Prior, n)
	for i := range out {
		out[i] = Prior{DF: d0, Variance: math.Exp(at + slope*x[i] + lift), Pooled: df * float64(n)}
	}
	return out
}

// flatPriors returns the same prior for every row where no line can be fitted, and nil where one can.
func flatPriors(variances []float64, df float64, x []float64) []Prior {
	varies := false
	for _, v := range x {
		varies = varies || v != x[0]
	}
	if varies && len(x) > fewestRows {
		return nil
	}
	dfs, out := make([]float64, len(x)), make([]Prior, len(x))
	for i := range dfs {
		dfs[i] = df
	}
	common := FitPrior(variances, dfs)
	for i := range out {
		out[i] = common
	}
	return out
}

// line fits y = at + slope x by least squares.
func line(x, y []float64) (at, slope float64) {
	n := float64(len(x))
	var meanX, meanY, xx, xy float64
	for i := range x {
		meanX += x[i] / n
		meanY += y[i] / n
	}
	for i := range x {
		xx += (x[i] - meanX) * (x[i] - meanX)
		xy += (x[i] - meanX) * (y[i] - meanY)
	}
	slope = xy / xx
	return meanY - slope*meanX, slope
}
