package verdicts

import (
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// neededKey is a margin in standard deviations of a run, in steps of half an octave, with the degrees of freedom of the
// prior as a power of two.
type neededKey struct{ steps, prior int }

const (
	stepsPerOctave = 2
	maxRatio       = 8       // a margin of this number of standard deviations needs no more runs than any verdict
	minRatio       = 1. / 64 // a smaller margin needs more than MostRuns
)

// runsNeeded returns the number of runs per side that would decide: with that number, equal sides are shown to be equal
// with the power of the options. It is never below the number that a verdict needs.
func (e *engine) runsNeeded(all []*hypothesis) int {
	most := MinRuns
	for _, h := range all {
		r := h.rows[0]
		if name := r.quantity().name; name == schema.QuantityCost || name == schema.QuantityLocation {
			most = max(most, e.runsFor(r))
		}
	}
	return most
}

// runsFor rounds the margin and the prior down, so that the answer may be some runs too many; then few answers serve all
// subjects.
func (e *engine) runsFor(r *row) int {
	switch ratio := r.Margin / r.sd; {
	case ratio >= maxRatio:
		return MinRuns
	case ratio > minRatio:
		return e.runsAt(neededKey{int(math.Floor(stepsPerOctave * math.Log2(ratio))), powerOfTwo(r.prior.DF)})
	}
	return stats.MostRuns
}

// runsAt returns the answer for a key. Answers are kept, because a plan integrates numerically and few keys differ.
func (e *engine) runsAt(k neededKey) int {
	n, known := e.needed[k]
	if !known {
		p := stats.Plan{SD: 1, PriorDF: float64(k.prior), Alpha: e.options.Alpha, Power: e.options.Power}
		n = max(MinRuns, p.RunsForEquivalence(math.Exp2(float64(k.steps)/stepsPerOctave)))
		e.needed[k] = n
	}
	return n
}

// powerOfTwo returns the maximum power of two up to a number of degrees of freedom, at most 64; 0 below 1.
func powerOfTwo(df float64) int {
	n := 0
	for next := 1; float64(next) <= df && next <= 64; next *= 2 {
		n = next
	}
	return n
}
