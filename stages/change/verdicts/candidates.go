package verdicts

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// With one or two runs on a side, no test tells the release from the run. What can be said is what stands out from the
// noise, which is how much runs of one side, or older runs, differ among themselves: then p is that of the prediction
// t, of no change at all. With one run against one, the noise is what all other subjects do: p is that of the change
// in units of the median absolute deviation of the changes of subjects like it.

// binSize is the number of similar subjects from which their noise is estimated.
const binSize = 50

// testCandidates fills in p for candidates.
func (e *engine) testCandidates(subjects []*Reduction, rows []*row) {
	var blind []*row
	for _, r := range rows {
		if r.DF > 0 {
			r.p = r.test.P()
		} else {
			blind = append(blind, r)
		}
	}
	for _, group := range rowsByPrior(blind) {
		slices.SortStableFunc(group, func(a, b *row) int {
			return cmp.Compare(subjects[a.subject].noise(a.Moments), subjects[b.subject].noise(b.Moments))
		})
		// A rest smaller than a bin joins the bin before it.
		for len(group) >= 2*binSize {
			testAgainstBin(group[:binSize])
			group = group[binSize:]
		}
		testAgainstBin(group)
	}
}

// shorter is how far subjects that are ordered by their spread stand behind all that are ordered by their length, a logarithm.
const shorter = 1000

// spread returns the relative spread of the values of a subject within its runs, behind shorter, or NaN where a run has fewer
// than two values.
func (e *engine) spread(o *Observed) float64 {
	if e.sides.smaller() == 0 {
		return math.NaN()
	}
	base, cand := &o.Runs[e.sides.Base[0]], &o.Runs[e.sides.Cand[0]]
	if math.Min(base.N, cand.N) < 2 || base.Quantiles == nil || cand.Quantiles == nil {
		return math.NaN()
	}
	return shorter + base.spread() + cand.spread()
}

// noise orders subjects by how much noise is to be expected of them: the relative spread of their values, or where that is
// not known, how short they are.
func (of *Reduction) noise(m *Moments) float64 {
	if math.IsNaN(of.Spread) {
		return -(m.Base + m.Cand)
	}
	return of.Spread
}

// spread is the width of a run's values in units of their median, as far as their mean feels it.
func (r *Run) spread() float64 {
	q := r.Quantiles
	return (q[8] - q[0]) / (q[median] + ResolutionNs) / math.Sqrt(r.N)
}

// testAgainstBin tests every row of a bin against the deviation of all of them from no change. The median absolute
// deviation keeps the few subjects that did change from raising the noise of the others.
func testAgainstBin(rows []*row) {
	deviations := make([]float64, len(rows))
	for i, r := range rows {
		deviations[i] = math.Abs(r.test.Estimate)
	}
	slices.Sort(deviations)
	sigma := madToSigma * math.Max(stats.Median(deviations), minDeviation)
	for _, r := range rows {
		r.test.SE, r.test.DF = sigma, math.Inf(1)
		r.sd = sigma / math.Sqrt2
		r.p = r.test.P()
		r.equal = r.test.Equivalence(r.Margin)
	}
}

// decideCandidate names what stands out and is more than the margin: by its arrival only if by nothing of its own.
func (e *engine) decideCandidate(j *Judgement, all []*hypothesis) *hypothesis {
	var found *hypothesis
	for _, h := range all {
		r := h.leastP()
		if !(r.q <= e.rate()) || math.Abs(r.test.Estimate) < r.Margin {
			continue
		}
		if found = h; r.Quantity != arrival {
			break
		}
	}
	if found != nil {
		j.Verdict, j.Quantity = schema.Candidate, found.rows[0].quantity().name
	}
	return found
}
