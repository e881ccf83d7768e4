package evaluate

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

const (
	powerShare = .1 // of the subjects that cost enough change
	powerDraws = 2  // splits for every cell, number of runs and effect
)

// powerClass is a class of subjects for which power is reported apart: power grows with the cost of a subject and with the
// number of its values.
type powerClass struct {
	name                  string
	minCostNs             float64 // per root execution
	minValues, belowValue float64 // of the run that has the fewest values of the subject
}

// powerClasses overlap, so that each line of the report says what to expect from a threshold on.
var powerClasses = []powerClass{
	{"from 20 us", minCostNs, 0, math.Inf(1)},
	{"from 200 us", 10 * minCostNs, 0, math.Inf(1)},
	{"from 2 ms", 100 * minCostNs, 0, math.Inf(1)},
	{"below 5 values a run", 0, 0, 5},
	{"from 5 values a run", 0, 5, math.Inf(1)},
	{"from 20 values a run", 0, 20, math.Inf(1)},
}

// has reports whether a subject is of the class, by its cost per root execution in ns and its fewest values in a run.
func (c *powerClass) has(costNs, values float64) bool {
	return costNs >= c.minCostNs && values >= c.minValues && values < c.belowValue
}

// powerSizes returns the numbers of runs per side for which power is estimated.
func powerSizes(runs int) []int { return sideSizes(runs, 2, 3, 5) }

// powerOf multiplies the costs of some subjects on one side, and counts how many of these the verdicts name: one row for each class. The
// power of a test is this share, by the size of the effect, the number of runs and the class of the subject. Runs and changed subjects are drawn from the number of
// runs and the draw alone: the same subjects change whatever the effect, so that power is compared across effects like with like.
func (j *Job) powerOf(o *observed, runs int, effect float64, draw int) (out []results.Power) {
	rng := rand.New(rand.NewPCG(uint64(runs), uint64(draw)))
	s := scores.Draw(rng, len(o.Runs), runs, runs)
	subjects, _ := o.compared(s)
	grown, chosen := o.grow(rng, s, subjects, powerShare, []growth{{share: effect}})
	all := verdicts.Judge(grown, o.sides(s), j.Verdicts)
	for _, c := range powerClasses {
		p := results.Power{Cell: o.Name, Runs: runs, Class: c.name, Effect: effect}
		for i, v := range all {
			if chosen[i] && c.has(o.meanCost(&subjects[i], s), minValues(&subjects[i], s)) {
				// A candidate is a change that too few runs confirm; its direction must be right to count.
				named := v.Verdict == schema.Regressed || v.Verdict == schema.Candidate && v.EffectNs > 0
				p.Named.Add(named)
				p.Detected.Add(named || v.Verdict == schema.ShapeChanged)
			}
		}
		out = append(out, p)
	}
	return out
}

// minValues returns the fewest values that a run of a split has of a subject.
func minValues(of *verdicts.Observed, s scores.Split) float64 {
	fewest := math.Inf(1)
	for _, r := range slices.Concat(s.Base, s.Cand) {
		fewest = min(fewest, of.Runs[r].N)
	}
	return fewest
}
