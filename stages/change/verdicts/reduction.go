package verdicts

import (
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// Reduction is a subject without its runs: what its judgement among others needs of them. Its size does not depend on the
// number of runs, so that the subjects of any number of runs can be judged together after each was reduced by itself.
type Reduction struct {
	Level, Component     string    // as those of Observed, by which priors are shared and families formed
	TakenBase, TakenCand int       // runs of the side that have the subject
	CountBase, CountCand float64   // mean over the runs of the count per root execution
	CostBase, CostCand   float64   // mean over the runs of the cost per root execution, in ns
	TotalBase, TotalCand float64   // mean over the runs of the whole cost, in ns
	Certain              bool      // counts do not vary within the sides, and differ between them
	Spread               float64   // relative spread of the values within the first run of each side, where runs are too few for verdicts; NaN: not known
	Statement            Statement // in which way its cost changed
	Moments              []Moments // of its quantities, the cost first
}

// Moments are what the runs say of one quantity of a subject. All values are logarithms, of winsorised values where there
// are runs enough.
type Moments struct {
	Quantity   int32   // position in quantities
	RunsBase   int32   // runs of the baseline that say something of it
	RunsCand   int32   // the same of the candidate
	Blocks     int32   // that were compared with each other, 0: all runs of the sides with all
	Testable   bool    // some division of the runs could show a change beyond the margin
	Estimate   float64 // difference of the means of the sides, or mean difference of the blocks
	Base, Cand float64 // means of the sides
	Variance   float64 // within the sides
	DF         float64 // degrees of freedom of the variance
	Margin     float64 // the change that does not matter
	Plain      float64 // Estimate of the values as they are, before those of single odd runs are drawn in

	BaseVariance, CandVariance float64 // of each side by itself, where both have two runs and there are no blocks
}

// Reducer reduces subjects one by one. It is not safe for concurrent use.
type Reducer struct{ engine *engine }

// NewReducer returns a reducer for the comparison of these sides.
func NewReducer(s Sides, o Options) *Reducer { return &Reducer{newEngine(s, o)} }

// Reduce reduces a subject. The runs may change afterwards.
func (r *Reducer) Reduce(o *Observed) Reduction { return r.engine.reduce(o) }

// reduce takes from the runs all that judging needs.
func (e *engine) reduce(o *Observed) Reduction {
	e.limits = e.options.Limits(o.Component)
	r := Reduction{Level: o.Level, Component: o.Component, TakenBase: o.takes(e.sides.Base), TakenCand: o.takes(e.sides.Cand)}
	r.CountBase, r.CountCand = e.count(o, e.sides.Base), e.count(o, e.sides.Cand)
	r.CostBase, r.CostCand = e.cost(o, e.sides.Base), e.cost(o, e.sides.Cand)
	r.TotalBase, r.TotalCand = meanTotal(o, e.sides.Base), meanTotal(o, e.sides.Cand)
	if e.hasVerdicts() {
		r.Certain = e.certain(o)
	}
	r.Statement = State(o, &e.sides)
	r.Moments = e.momentsOf(o)
	if !e.hasVerdicts() {
		r.Spread = e.spread(o)
	}
	return r
}

// cost returns the mean cost per root execution over some runs, in ns.
func (e *engine) cost(o *Observed, runs []int) float64 {
	return meanOver(runs, func(r int) float64 { return o.Runs[r].TotalNs / e.sides.roots(r) })
}

// count returns the mean count per root execution over some runs.
func (e *engine) count(o *Observed, runs []int) float64 {
	return meanOver(runs, func(r int) float64 { return o.Runs[r].Count / e.sides.roots(r) })
}

// meanTotal returns the mean of the whole cost over some runs, in ns.
func meanTotal(o *Observed, runs []int) float64 {
	return meanOver(runs, func(r int) float64 { return o.Runs[r].TotalNs })
}

// meanOver returns the mean over some runs of what a run has. Runs are added in the order given, so that equal runs give equal bits.
func meanOver(runs []int, of func(run int) float64) float64 {
	sum := 0.0
	for _, r := range runs {
		sum += of(r)
	}
	return sum / float64(len(runs))
}

// moments reduces one quantity: y is its logarithm by run, those of the baseline first, then of the candidate, then older ones, and is
// overwritten. Floor is the absolute change that does not matter. Blocks are those in which some run has the subject; nil where runs are
// not compared in blocks.
func (e *engine) moments(quantity int, floor float64, y []float64, base, cand int, blocks []block) Moments {
	n := base + cand
	m := Moments{Quantity: int32(quantity), RunsBase: int32(base), RunsCand: int32(cand), Plain: stats.Mean(y[base:n]) - stats.Mean(y[:base])}
	width := slices.Max(y[:n]) - slices.Min(y[:n])
	if smaller := min(base, cand); smaller >= MinRuns && blocks == nil {
		winsorise(y[:n], smaller, e.sorted[:n], e.deviations[:n])
	}
	m.Base, m.Cand = stats.Mean(y[:base]), stats.Mean(y[base:n])
	m.Estimate = m.Cand - m.Base
	if blocks != nil {
		m.pair(y, blocks)
	} else {
		m.Variance, m.DF = pooled(y[:base], y[base:n], y[n:])
	}
	if base >= 2 && cand >= 2 && blocks == nil {
		m.BaseVariance, _ = pooled(y[:base])
		m.CandVariance, _ = pooled(y[base:n])
	}
	m.Margin = logMargin(e.limits.Margin, floor, (m.Base+m.Cand)/2)
	m.Testable = width > m.Margin
	return m
}
