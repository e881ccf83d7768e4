package verdicts

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// row is one quantity of a subject in all runs of a comparison, and the results of its test. All values are logarithms.
type row struct {
	subject          int
	quantity         *quantity
	level, component string
	y                []float64 // of both sides' runs, baseline first, then older runs
	blocks           []block   // those in which some run has the subject; nil where runs are not compared in blocks
	floor            float64   // absolute margin

	base, cand   float64 // means of y
	variance, df float64 // within the sides
	margin       float64
	testable     bool // some division of the runs could show a change beyond the margin
	test         stats.Moderated
	sd           float64 // of runs, squeezed
	prior        stats.Prior
	p, equal, q  float64
}

// minVariance is the variance of values that differ by rounding alone.
const minVariance = 1e-18

// estimate fills in what a row alone determines: means, difference, variance and margin. The prior comes later, from all rows.
func (e *engine) estimate(r *row) {
	base, cand := len(e.sides.Base), len(e.sides.Cand)
	n := base + cand
	width := slices.Max(r.y[:n]) - slices.Min(r.y[:n])
	if e.sides.smaller() >= MinRuns && r.blocks == nil {
		winsorise(r.y[:n], e.sides.smaller(), e.sorted[:n], e.deviations[:n])
	}
	r.base, r.cand = stats.Mean(r.y[:base]), stats.Mean(r.y[base:n])
	r.test.Estimate = r.cand - r.base
	if r.blocks != nil {
		r.pair()
	} else {
		r.variance, r.df = pooled(r.y[:base], r.y[base:n], r.y[n:])
	}
	r.margin = logMargin(e.options.Margin, r.floor, (r.base+r.cand)/2)
	r.testable = width > r.margin
}

// pooled is the variance within groups, with its degrees of freedom: none if no group has two values.
func pooled(groups ...[]float64) (variance, df float64) {
	sum := 0.0
	for _, y := range groups {
		m := stats.Mean(y)
		for _, v := range y {
			sum += (v - m) * (v - m)
		}
		df += math.Max(float64(len(y)-1), 0)
	}
	if df == 0 {
		return math.NaN(), 0
	}
	return sum / df, df
}

// pair estimates by the mean difference of the two sides of the blocks, with the variance of the differences. The sides are
// means over the blocks, too, so that a function that one scenario has costs what it costs there.
func (r *row) pair() {
	differences := make([]float64, len(r.blocks))
	r.base, r.cand = 0, 0
	for i, b := range r.blocks {
		base, cand := meanOf(r.y, b.base), meanOf(r.y, b.cand)
		differences[i] = cand - base
		r.base, r.cand = r.base+base/float64(len(r.blocks)), r.cand+cand/float64(len(r.blocks))
	}
	r.test.Estimate = stats.Mean(differences)
	r.variance, r.df = pooled(differences)
}

// blocksWith returns the blocks in which some run has a subject. Where neither side has it there is nothing to compare, and a
// difference of zero would only hide that of the other blocks.
func (e *engine) blocksWith(o *Observed) []block {
	has := func(at int) bool { run := &o.Runs[e.runs[at]]; return run.Count > 0 || run.TotalNs > 0 }
	var with []block
	for _, b := range e.blocks {
		if slices.ContainsFunc(b.base, has) || slices.ContainsFunc(b.cand, has) {
			with = append(with, b)
		}
	}
	if len(with) < MinRuns {
		return e.blocks
	}
	return with
}

// meanOf returns the mean of the values at some positions.
func meanOf(y []float64, at []int) float64 {
	sum := 0.0
	for _, i := range at {
		sum += y[i]
	}
	return sum / float64(len(at))
}

// block is the runs of one block, as positions in row.y.
type block struct{ base, cand []int }

// blocksOf returns the blocks with runs of both sides, in the order of their first runs.
func blocksOf(s *Sides) []block {
	if s.Blocks == nil {
		return nil
	}
	runs := s.both()
	positions := make([]int, len(runs))
	for i := range positions {
		positions[i] = i
	}
	var whole []block
	for _, members := range groupsBy(positions, func(i int) int { return s.Blocks[runs[i]] }) {
		cand, _ := slices.BinarySearch(members, len(s.Base)) // positions ascend, and the baseline comes first
		if cand > 0 && cand < len(members) {
			whole = append(whole, block{members[:cand], members[cand:]})
		}
	}
	return whole
}

// scale returns the factor from the variance of a run to that of the difference of means: 1/n + 1/m, or 1/b with b blocks.
func (e *engine) scale(r *row) float64 {
	if r.blocks != nil {
		return 1 / float64(len(r.blocks))
	}
	return 1/float64(len(e.sides.Base)) + 1/float64(len(e.sides.Cand))
}

// moderate shrinks the variances of rows that share a prior, and tests them. With the prior s0^2 on d0 degrees of freedom the
// posterior variance of a row is (Smyth 2004, equation 3)
//
//	s~^2 = (d0 s0^2 + d s^2)/(d0 + d)
//
// and its t has d0 + d degrees of freedom. What does not vary at all, as the lateness of
// messages that never wait, says nothing of how much the others vary: many such rows would make the prior certain of a
// variance of almost nothing.
func (e *engine) moderate(rows []*row) {
	var variances, df []float64
	for _, r := range rows {
		if r.variance > minVariance {
			variances, df = append(variances, r.variance), append(df, r.df)
		}
	}
	prior := stats.FitPrior(variances, df)
	for _, r := range rows {
		var variance float64
		variance, r.test.DF = prior.Squeeze(r.variance, r.df)
		r.sd, r.prior = math.Sqrt(variance), prior
		r.test.SE = math.Sqrt(variance * e.scale(r))
		r.equal = r.test.Equivalence(r.margin)
		r.p = r.test.Treat(r.margin)
	}
}
