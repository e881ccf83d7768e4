package verdicts

import (
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/stats"
)

// neededKey is a margin in standard deviations of a run, in steps of a quarter of an octave, with the prior.
type neededKey struct {
	steps   int
	priorDF float64
}

const stepsPerOctave = 4

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

// runsFor rounds the margin down, so that the answer may be a few runs too many; then few answers serve all subjects.
func (e *engine) runsFor(r *row) int {
	ratio := r.margin / r.sd
	if !(ratio > 0) || math.IsInf(r.sd, 1) {
		return stats.MostRuns
	}
	k := neededKey{int(math.Floor(stepsPerOctave * math.Log2(math.Min(ratio, 1e6)))), r.prior.DF}
	if n, known := e.needed[k]; known {
		return n
	}
	p := stats.Plan{SD: 1, PriorDF: k.priorDF, Alpha: e.options.Alpha, Power: e.options.Power}
	e.needed[k] = p.RunsForEquivalence(math.Exp2(float64(k.steps) / stepsPerOctave))
	return e.needed[k]
}
