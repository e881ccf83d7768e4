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
	plentyRatio    = 8       // a margin of so many standard deviations needs no more runs than a verdict takes anyway
	leastRatio     = 1. / 64 // a margin of so few needs more than MostRuns
)

// runsNeeded is how many runs a side would decide: with so many, equal sides are shown to be equal. At least as many as
// a verdict takes.
func (e *engine) runsNeeded(all []hypothesis) int {
	most := MinRuns
	for i := range all {
		r := all[i].rows[0]
		if name := r.quantity.name; name == schema.QuantityCost || name == schema.QuantityLocation {
			most = max(most, e.runsFor(r))
		}
	}
	return most
}

// runsFor rounds the margin and the prior down, so that the answer may be some runs too many; then few answers serve all
// subjects.
func (e *engine) runsFor(r *row) int {
	switch ratio := r.margin / r.sd; {
	case ratio >= plentyRatio:
		return MinRuns
	case ratio > leastRatio:
		return e.runsAt(neededKey{int(math.Floor(stepsPerOctave * math.Log2(ratio))), powerOfTwo(r.prior.DF)})
	}
	return stats.MostRuns
}

// runsAt is the answer for a key.
func (e *engine) runsAt(k neededKey) int {
	n, known := e.needed[k]
	if !known {
		p := stats.Plan{SD: 1, PriorDF: float64(k.prior), Alpha: e.options.Alpha, Power: e.options.Power}
		n = max(MinRuns, p.RunsForEquivalence(math.Exp2(float64(k.steps)/stepsPerOctave)))
		e.needed[k] = n
	}
	return n
}

// powerOfTwo is the greatest one up to a number of degrees of freedom, at most 64, or 0.
func powerOfTwo(df float64) int {
	n := 0
	for next := 1; float64(next) <= df && next <= 64; next *= 2 {
		n = next
	}
	return n
}
