package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Moderated is an estimated difference of a row, candidate minus baseline, with the standard error from
// its squeezed variance. On a log scale it is a log fold change. All its answers are numbers: without a
// finite estimate, a standard error and degrees of freedom nothing is known, so p is 1 and the interval
// unbounded. A standard error of 0 makes the estimate the truth.
type Moderated struct {
	Estimate float64 // difference of the means, candidate less baseline
	SE       float64 // sqrt(posterior variance (1/n + 1/m))
	DF       float64 // total degrees of freedom; +Inf is the normal distribution
}

// known reports whether there is an estimate with a finite standard error. Estimate - Estimate is NaN for infinities too.
func (m Moderated) known() bool {
	return !math.IsNaN(m.Estimate-m.Estimate) && m.SE >= 0 && !math.IsInf(m.SE, 1) && m.DF > 0
}

// beyond returns P(T > distance/SE).
func (m Moderated) beyond(distance float64) float64 {
	switch {
	case m.SE > 0:
		return studentUpper(distance/m.SE, m.DF)
	case distance > 0:
		return 0
	case distance < 0:
		return 1
	}
	return 0.5
}

// T returns the moderated t (Smyth 2004, equation 3): 0 if nothing is known, infinite at SE 0.
func (m Moderated) T() float64 {
	if !m.known() || m.Estimate == 0 {
		return 0
	}
	return m.Estimate / m.SE
}

// P returns the two-sided p-value of the hypothesis that the difference is 0.
func (m Moderated) P() float64 { return m.Treat(0) }

// Interval returns the interval that holds the difference with probability level, from 0 to 1.
func (m Moderated) Interval(level float64) (lo, hi float64) {
	if !m.known() || !(level < 1) {
		return math.Inf(-1), math.Inf(1)
	}
	half := 0.0
	if m.SE > 0 {
		half = m.SE * studentCritical((1-max(0, level))/2, m.DF)
	}
	return m.Estimate - half, m.Estimate + half
}

// Treat returns the p-value of the hypothesis that the difference is at most margin either way
// (McCarthy and Smyth 2009, Bioinformatics 25, 765-771, as in limma's treat). It grows with margin.
func (m Moderated) Treat(margin float64) float64 {
	margin = max(0, margin)
	if !m.known() || math.IsNaN(margin) {
		return 1
	}
	d := math.Abs(m.Estimate)
	if margin == 0 {
		return clampP(2 * m.beyond(d)) // both tails are the same
	}
	return clampP(m.beyond(d-margin) + m.beyond(d+margin))
}

// Equivalence returns the p-value of the hypothesis that the difference is at least margin either way: the
// greater of two one-sided tests (Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15,
// 657-680). Treat and Equivalence of one margin add up to 1 or more, so both are never small.
func (m Moderated) Equivalence(margin float64) float64 {
	margin = max(0, margin)
	if !m.known() || math.IsNaN(margin) {
		return 1
	}
	return m.beyond(margin - math.Abs(m.Estimate))
}

// Prior is what the variances of many rows say about the variance of one: s0^2 d0 / chi^2 with d0
// degrees of freedom (Smyth 2004, Statistical Applications in Genetics and Molecular Biology 3(1),
// article 3). The zero value knows nothing and shrinks nothing.
type Prior struct {
	DF       float64 // d0; +Inf if all rows share one variance
	Variance float64 // s0^2, in the square of the rows' unit
	Pooled   float64 // sum of the rows' degrees of freedom, the most a row can be given; 0 is no bound
}

// fewestRows is the number of variances below which no prior is fitted.
const fewestRows = 3

// FitPrior estimates the prior by the moments of the logarithms of the variances, as limma's fitFDist
// does (Smyth 2004, section 6.2). df are the degrees of freedom of the variances, which may differ. Rows
// without a finite variance of at least 0 on finite positive degrees of freedom are left out; fewer than
// three others give the zero Prior, and so do variances too far apart for a common one to be a number.
func FitPrior(variances, df []float64) Prior {
	s2, d := usableRows(variances, df)
	if len(s2) < fewestRows {
		return Prior{}
	}
	liftZeros(s2)
	n, pooled, level, expected, plain := float64(len(s2)), 0.0, 0.0, 0.0, 0.0
	e := make([]float64, len(s2)) // E(e) is log s0^2 up to terms in d0 alone
	var of, digamma, log, excess float64
	for i, v := range s2 {
		if d[i] != of { // most rows have the degrees of freedom of the row before
			of = d[i]
			digamma, log, excess = mathext.Digamma(of/2), math.Log(of/2), trigamma(of/2)
		}
		e[i] = math.Log(v) - digamma + log
		level += e[i] / n
		expected += excess / n
		pooled += d[i]
		plain += v / n
	}
	spread := 0.0
	for _, v := range e {
		spread += (v - level) * (v - level) / (n - 1)
	}
	if !(spread > expected) {
		return Prior{math.Inf(1), plain, pooled}
	}
	d0 := 2 * trigammaInverse(spread-expected)
	common := math.Exp(level + mathext.Digamma(d0/2) - math.Log(d0/2))
	if math.IsInf(common, 1) || math.IsNaN(common) {
		return Prior{}
	}
	return Prior{d0, common, pooled}
}

// usableRows copies the rows that carry a variance.
func usableRows(variances, df []float64) (s2, d []float64) {
	for i, v := range variances {
		if v >= 0 && !math.IsInf(v, 1) && df[i] > 1e-15 && !math.IsInf(df[i], 1) {
			s2, d = append(s2, v), append(d, df[i])
		}
	}
	return s2, d
}

// liftZeros raises variances to 1e-5 of the median, because the logarithm of 0 would rule the fit. If
// half of them are 0, limma takes 1 for the median: a standard deviation of 0.3 % on a log scale.
func liftZeros(s2 []float64) {
	sorted := slices.Sorted(slices.Values(s2))
	m := (sorted[(len(s2)-1)/2] + sorted[len(s2)/2]) / 2
	if m == 0 {
		m = 1
	}
	for i, v := range s2 {
		s2[i] = max(v, 1e-5*m)
	}
}

// Squeeze returns the posterior variance of a row, (d0 s0^2 + d s^2)/(d0 + d), and its degrees of freedom
// d0 + d, at most those of all rows together, as limma's eBayes bounds them. A row without a variance
// (NaN, or no degrees of freedom) gets the prior's; if that is empty too the variance is +Inf on 0.
func (p Prior) Squeeze(variance, df float64) (posterior, total float64) {
	if !(variance >= 0) || math.IsInf(variance, 1) || !(df > 0) {
		variance, df = 0, 0
	}
	total = df + p.DF
	if p.Pooled > 0 {
		total = min(total, p.Pooled)
	}
	switch {
	case !(total > 0):
		return math.Inf(1), 0
	case math.IsInf(df, 1):
		return variance, total
	case math.IsInf(p.DF, 1):
		return p.Variance, total
	}
	share := df / (p.DF + df)
	return p.Variance + share*(variance-p.Variance), total
}

// trigamma and tetragamma are the second and third derivatives of log Gamma by Hurwitz's zeta function.
func trigamma(x float64) float64   { return mathext.Zeta(2, x) }
func tetragamma(x float64) float64 { return -2 * mathext.Zeta(3, x) }

// trigammaInverse solves trigamma(y) = x for x > 0 by Newton's method on 1/trigamma, which is convex and
// nearly linear, so it converges from below (Smyth 2004, appendix).
func trigammaInverse(x float64) float64 {
	switch {
	case x > 1e7:
		return 1 / math.Sqrt(x)
	case x < 1e-6:
		return 1 / x
	}
	y := 0.5 + 1/x
	for range 50 {
		tri := trigamma(y)
		step := tri * (1 - tri/x) / tetragamma(y)
		y += step
		if -step/y < 1e-8 {
			break
		}
	}
	return y
}
