package verdicts

import (
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// tell is a hypothesis as the table estimates has it: of a shape, its loudest quantile.
func (e *engine) tell(h *hypothesis) schema.Estimate {
	r := h.least()
	lo, hi := e.interval(r)
	out := schema.Estimate{
		Quantity: r.quantity.name, Family: r.family().text(),
		Base: r.quantity.back(r.base), Cand: r.quantity.back(r.base + r.test.Estimate),
		Ratio: math.Exp(r.test.Estimate), RatioLo: math.Exp(lo), RatioHi: math.Exp(hi), Margin: math.Exp(r.margin),
		DF: r.test.DF, P: h.p, Q: r.q, EquivalenceP: r.equal, RunsNeeded: int64(e.runsFor(r)),
	}
	if r.quantity.name == schema.QuantityShape {
		p := Quantiles[r.quantity.quantile]
		out.Quantile = &p
	}
	return out
}

// interval is the interval of a row's estimate. Most rows have the same degrees of freedom.
func (e *engine) interval(r *row) (lo, hi float64) {
	half := e.half(r.test.DF) * r.test.SE
	return r.test.Estimate - half, r.test.Estimate + half
}

// half is half an interval in standard errors.
func (e *engine) half(df float64) float64 {
	half, known := e.reach[df]
	if !known {
		_, half = stats.Moderated{SE: 1, DF: df}.Interval(e.options.Level)
		e.reach[df] = half
	}
	return half
}
