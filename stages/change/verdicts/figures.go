package verdicts

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// figures fills in the cost in nanoseconds.
func (e *engine) figures(j *Judgement, r *row) {
	base, cand := math.Exp(r.Base), math.Exp(r.Base+r.test.Estimate) // both raised by the offset
	j.BaseNs, j.CandNs = r.quantity().back(r.Base), r.quantity().back(r.Base+r.test.Estimate)
	j.EffectNs = cand - base
	if m, known := e.difference(r, base, cand); known {
		half := e.half(rounded(m.DF)) * m.SE
		j.LoNs, j.HiNs = m.Estimate-half, m.Estimate+half
		return
	}
	lo, hi := e.interval(r)
	j.LoNs, j.HiNs = base*math.Expm1(lo), base*math.Expm1(hi)
}

// difference is the difference of the costs themselves. Where they differ much, so do their variances: an interval of
// the ratio would carry the noise of a short baseline over to a long candidate. So each side has a variance of its own,
// squeezed to the same prior, times the square of its cost; the degrees of freedom are Welch's (1947). With a single run
// on a side, or in blocks, that variance is not known.
func (e *engine) difference(r *row, base, cand float64) (stats.Moderated, bool) {
	n, m := int(r.RunsBase), int(r.RunsCand)
	if n < 2 || m < 2 || e.blocks != nil {
		return stats.Moderated{}, false
	}
	a, dfA := r.ofMean(r.BaseVariance, n, base)
	b, dfB := r.ofMean(r.CandVariance, m, cand)
	df := math.Inf(1)
	if a+b > 0 && !(math.IsInf(dfA, 1) && math.IsInf(dfB, 1)) {
		df = (a + b) * (a + b) / (a*a/dfA + b*b/dfB)
	}
	return stats.Moderated{Estimate: cand - base, SE: math.Sqrt(a + b), DF: df}, true
}

// rounded are degrees of freedom rounded down, to an eighth below 16 and to the 28th part of them above, so that
// few of them are different. Intervals become wider by at most .2 %.
func rounded(df float64) float64 {
	switch {
	case df < 16:
		return math.Max(math.Floor(8*df)/8, math.Min(df, 1))
	case math.IsInf(df, 1):
		return df
	}
	return math.Exp2(math.Floor(20*math.Log2(df)) / 20)
}

// ofMean is the variance of the mean cost of a side of n runs that vary by v, with its degrees of freedom.
func (r *row) ofMean(v float64, n int, cost float64) (variance, df float64) {
	variance, df = r.prior.Squeeze(v, float64(n-1))
	return cost * cost * variance / float64(n), df
}
