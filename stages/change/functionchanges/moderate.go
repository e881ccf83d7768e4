package functionchanges

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// leastVariance is the variance of values that differ by rounding alone.
const leastVariance = 1e-10

// row is the test of one function by one estimate.
type row struct {
	test     stats.Moderated
	own      float64     // variance within the sides
	df       float64     // its degrees of freedom
	xx       float64     // as in contrast
	variance float64     // the moderated one
	prior    stats.Prior // of the variance
}

// moderate tests every row for a difference between the sides. With x the prior variance follows x, and runs that stand apart are
// left out.
func moderate(values [][]float64, c *contrast, x []float64) []row {
	rows, own := make([]row, len(values)), make([]float64, len(values))
	for i, y := range values {
		rows[i] = c.fitRow(y, x != nil)
		own[i] = rows[i].own
	}
	if x == nil {
		x = make([]float64, len(values))
	}
	for i, prior := range stats.FitTrendPrior(own, c.df, x) {
		rows[i].squeeze(prior)
	}
	return rows
}

// fitRow fits a row, without the runs that stand apart where only typical ones count. Its variance is not moderated yet.
func (c *contrast) fitRow(y []float64, typical bool) row {
	f := fitted{df: c.df, xx: c.xx}
	if typical {
		f = c.fitTypical(y)
	} else {
		f.difference, f.variance = c.fit(y)
	}
	return row{own: max(f.variance, leastVariance), df: f.df, xx: f.xx, test: stats.Moderated{Estimate: f.difference}}
}

// squeeze moderates the variance of a row by a prior.
func (r *row) squeeze(prior stats.Prior) {
	r.prior = prior
	r.variance, r.test.DF = prior.Squeeze(r.own, r.df)
	r.test.SE = math.Sqrt(r.variance / r.xx)
}

// keepOwn raises the variance of rows that vary more than the moderated variance says to their own, on the degrees of freedom of
// the moderated one.
func keepOwn(rows []row) {
	for i := range rows {
		rows[i].keepOwn()
	}
}

func (r *row) keepOwn() { r.test.SE = math.Sqrt(max(r.variance, r.own) / r.xx) }

func mean(y []float64) float64 {
	sum := 0.0
	for _, v := range y {
		sum += v
	}
	return sum / float64(len(y))
}

// squares sums the squared deviations from the mean.
func squares(y []float64) float64 {
	m, sum := mean(y), 0.0
	for _, v := range y {
		sum += (v - m) * (v - m)
	}
	return sum
}

// quantile interpolates between order statistics (type 7 of Hyndman and Fan 1996).
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
