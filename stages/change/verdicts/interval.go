package verdicts

import (
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// estimateOf returns a hypothesis as a row of the table estimates. A shape is represented by its quantile with the minimum p.
func (e *engine) estimateOf(h *hypothesis) schema.Estimate {
	r := h.leastP()
	lo, hi := e.interval(r)
	out := schema.Estimate{
		Quantity: r.quantity().name, Family: r.family().text(),
		Base: r.quantity().back(r.Base), Cand: r.quantity().back(r.Base + r.test.Estimate),
		Ratio: math.Exp(r.test.Estimate), RatioLo: math.Exp(lo), RatioHi: math.Exp(hi), Margin: math.Exp(r.Margin),
		DF: r.test.DF, P: h.p, Q: r.q, EquivalenceP: r.equal, RunsNeeded: int64(e.runsFor(r)),
	}
	if r.quantity().name == schema.QuantityShape {
		p := Quantiles[r.quantity().quantile]
		out.Quantile = &p
	}
	return out
}

// interval returns the interval of a row's estimate, a logarithm, at the level of the options.
func (e *engine) interval(r *row) (lo, hi float64) {
	half := e.half(r.test.DF) * r.test.SE
	return r.test.Estimate - half, r.test.Estimate + half
}

// half returns half the width of an interval in standard errors. It is kept by degrees of freedom: inverting the
// distribution of t is slow, and most rows have the same degrees of freedom.
func (e *engine) half(df float64) float64 {
	half, known := e.reach[df]
	if !known {
		_, half = stats.Moderated{SE: 1, DF: df}.Interval(e.options.Level)
		e.reach[df] = half
	}
	return half
}
