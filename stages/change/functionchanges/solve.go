package functionchanges

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// mostLog is the logarithm of the greatest factor that is looked for.
var mostLog = math.Log(1000)

// solve finds the smallest change that the tests, combined, find at a level, and whose interval at 1 - miss the margin and floor let
// pass; weights are those of the tests, and add up to 1. Its power is approximate: the noise of the estimates is taken to be the same noise, since all of them are of the same calls.
func (d *Detection) solve(c *Detectable, tests []noise, weights []float64, level, miss float64) {
	_, below := stats.Moderated{SE: 1, DF: math.Inf(1)}.Interval(2*d.Power - 1)
	for i := range tests {
		tests[i].df = min(tests[i].df, 1e6)
	}
	critical := make([]float64, len(tests))
	for i, t := range tests {
		_, critical[i] = stats.Moderated{SE: 1, DF: t.df}.Interval(1 - level)
	}
	p := make([]float64, len(tests))
	least := func(log float64) (best int) {
		for i := range tests {
			if p[i] = tests[i].pAt(log, below, critical[i]); p[i] < p[best] {
				best = i
			}
		}
		return best
	}
	found := smallest(func(log float64) bool { least(log); return stats.WeightedCauchy(p, weights) <= level })
	by := tests[least(found)]
	floor := smallest(func(log float64) bool { return math.Expm1(log-below*by.sd)*c.BaseNs > d.EffectNs })
	_, reach := stats.Moderated{SE: by.se, DF: by.df}.Interval(1 - miss)
	margin := smallest(func(log float64) bool { return log-below*by.sd+reach > math.Log1p(d.Margin) })
	c.Log, c.By = found, ByNoise
	if margin > c.Log {
		c.Log, c.By = margin, ByMargin
	}
	if floor > c.Log {
		c.Log, c.By = floor, ByFloor
	}
}

// smallest returns the least logarithm of a factor from which on a condition holds, +Inf if it does not hold at the greatest.
func smallest(holds func(log float64) bool) float64 {
	if holds(0) {
		return 0
	}
	if !holds(mostLog) {
		return math.Inf(1)
	}
	lo, hi := 0.0, mostLog
	for range 24 { // to a millionth
		if middle := (lo + hi) / 2; holds(middle) {
			hi = middle
		} else {
			lo = middle
		}
	}
	return hi
}

// pAt returns the p-value of the test that is exceeded with the power whose normal quantile is below. With c the critical value and s the
// estimated standard error, change - c s is normal with the variance sd^2 + c^2 se^2/(2 df), nearly.
func (n *noise) pAt(log, below, critical float64) float64 {
	change, scale := log, 1.0
	if n.linear {
		// In units of the mean of all runs: baseline and candidate are at 2/(1 + r) and 2r/(1 + r), their deviations grow alike.
		r := math.Exp(log)
		change, scale = 2*(r-1)/(r+1), math.Sqrt(2*(1+r*r))/(1+r)
	}
	low := change/scale - below*math.Hypot(n.sd, critical*n.se/math.Sqrt(2*n.df))
	if low <= 0 {
		return 1
	}
	return stats.Moderated{Estimate: low, SE: n.se, DF: n.df}.P()
}
