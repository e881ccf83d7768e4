package evaluate

import (
	"math/rand/v2"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// leastCostNs is the cost per root execution from which subjects are given a change.
const leastCostNs = 20_000

// growth is a change of a subject's time.
type growth struct {
	share float64 // of the time
	ns    float64 // per root execution, spread evenly over the values
}

// of is a run's summary with the growth.
func (g growth) of(r verdicts.Run, roots float64) verdicts.Run {
	if r.N == 0 {
		return r
	}
	each := g.ns * roots / r.N
	r.TotalNs = r.TotalNs*(1+g.share) + g.ns*roots
	if r.Quantiles != nil {
		q := *r.Quantiles
		for i := range q {
			q[i] = q[i]*(1+g.share) + each
		}
		r.Quantiles = &q
	}
	return r
}

// meanCost is the cost of a subject per root execution, on average over the runs of a split.
func (o *observed) meanCost(of *verdicts.Observed, s scores.Split) float64 {
	sum := 0.0
	for _, r := range slices.Concat(s.Base, s.Cand) {
		sum += of.Runs[r].TotalNs / root(o.roots, r)
	}
	return sum / float64(len(s.Base)+len(s.Cand))
}

// grow chooses a share of the subjects that cost enough, and gives each of them, on the candidate side, one of the
// growths in turn.
func (o *observed) grow(rng *rand.Rand, s scores.Split, subjects []verdicts.Observed, part float64, by []growth) (grown []verdicts.Observed, chosen []bool) {
	grown, chosen = slices.Clone(subjects), make([]bool, len(subjects))
	n := 0
	for i := range grown {
		if o.meanCost(&subjects[i], s) < leastCostNs || rng.Float64() >= part {
			continue
		}
		chosen[i] = true
		runs := slices.Clone(grown[i].Runs)
		for _, r := range s.Cand {
			runs[r] = by[n%len(by)].of(runs[r], root(o.roots, r))
		}
		grown[i].Runs = runs
		n++
	}
	return grown, chosen
}

// detects says whether a verdict says that a subject itself changed in time.
func detects(verdict string) bool {
	return alarms(verdict) || verdict == schema.ShapeChanged || verdict == schema.Candidate
}

// displaced says whether a verdict says that a step is reached at another time.
func displaced(verdict string) bool { return verdict == schema.Later || verdict == schema.Sooner }
