package evaluate

import (
	"math/rand/v2"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// minCostNs is the cost per root execution, in ns, from which subjects are given a change: twice the default floor of verdicts,
// below which no change of a cost matters.
const minCostNs = 20_000

// growth is a change of a subject's time, proportional, additive or both.
type growth struct {
	share float64 // of the time
	ns    float64 // per root execution, spread evenly over the values
}

// of returns a run's summary with the growth. The total and every quantile change as if each value had: by the share, and by an
// equal part of the ns. The summary given keeps its quantiles, which other trials read.
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

// meanCost returns the cost of a subject per root execution in ns, on average over the runs of both sides of a split.
func (o *observed) meanCost(of *verdicts.Observed, s scores.Split) float64 {
	sum := 0.0
	for _, r := range slices.Concat(s.Base, s.Cand) {
		sum += of.Runs[r].TotalNs / root(o.roots, r)
	}
	return sum / float64(len(s.Base)+len(s.Cand))
}

// grow chooses subjects that cost enough, each with the probability part, and gives every one of them, on the candidate side,
// one of the growths in turn. It returns all subjects and which were chosen. Random numbers are drawn for subjects that cost
// enough only, in their order, so the choice follows from the state of rng and the cell.
func (o *observed) grow(
	rng *rand.Rand, s scores.Split, subjects []verdicts.Observed, part float64, by []growth,
) (grown []verdicts.Observed, chosen []bool) {
	grown, chosen = slices.Clone(subjects), make([]bool, len(subjects))
	n := 0
	for i := range grown {
		if o.meanCost(&subjects[i], s) < minCostNs || rng.Float64() >= part {
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

// detects reports whether a verdict says that the time of a subject itself changed.
func detects(verdict string) bool {
	return alarms(verdict) || verdict == schema.ShapeChanged || verdict == schema.Candidate
}

// displaced reports whether a verdict says that a step is reached at another time, because of steps before it.
func displaced(verdict string) bool { return verdict == schema.Later || verdict == schema.Sooner }
