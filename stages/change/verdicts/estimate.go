package verdicts

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// row is one quantity of a subject, and the results of its test. All values are logarithms.
type row struct {
	*Moments
	of      *Reduction // the subject
	subject int        // its position

	test        stats.Moderated
	sd          float64      // of runs, squeezed
	prior       *stats.Prior // shared by the rows of its group
	p, equal, q float64
}

// quantity is what the row says something of.
func (r *row) quantity() *quantity { return quantities[r.Moments.Quantity] }

// rowsOf returns the quantities of a reduced subject for testing.
func rowsOf(subject int, of *Reduction) []row {
	rows := make([]row, len(of.Moments))
	for i := range of.Moments {
		m := &of.Moments[i]
		rows[i] = row{Moments: m, of: of, subject: subject}
		rows[i].test.Estimate = m.Estimate
	}
	return rows
}

// minVariance is the variance of values that differ by rounding alone.
const minVariance = 1e-18

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
func (m *Moments) pair(y []float64, blocks []block) {
	differences := make([]float64, len(blocks))
	m.Blocks, m.Base, m.Cand = int32(len(blocks)), 0, 0
	for i, b := range blocks {
		base, cand := meanOf(y, b.base), meanOf(y, b.cand)
		differences[i] = cand - base
		m.Base, m.Cand = m.Base+base/float64(len(blocks)), m.Cand+cand/float64(len(blocks))
	}
	m.Estimate = stats.Mean(differences)
	m.Variance, m.DF = pooled(differences)
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

// block is the runs of one block, as positions among those of both sides.
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
func scale(r *row) float64 {
	if r.Blocks > 0 {
		return 1 / float64(r.Blocks)
	}
	return 1/float64(r.RunsBase) + 1/float64(r.RunsCand)
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
		if r.Variance > minVariance {
			variances, df = append(variances, r.Variance), append(df, r.DF)
		}
	}
	prior := stats.FitPrior(variances, df)
	for _, r := range rows {
		var variance float64
		variance, r.test.DF = prior.Squeeze(r.Variance, r.DF)
		r.sd, r.prior = math.Sqrt(variance), &prior
		r.test.SE = math.Sqrt(variance * scale(r))
		r.equal = r.test.Equivalence(r.Margin)
		r.p = r.test.Treat(r.Margin)
	}
}
