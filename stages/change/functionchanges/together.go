package functionchanges

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// Levels of the tests that tell a function from all others together.
const (
	othersLevel   = .001 // that the others changed: turns that are waited for make them take several times as long
	togetherLevel = .05  // that a function changed unlike them
)

// withdraw takes back what was found by a total that grew no more than those of all other functions together, and reports whether the
// others changed even without the one that changed most.
//
// A processor that is shared takes its time in bursts: few calls of any function wait for a turn, and the more a function computes the
// more of them do. Typical calls, by which the factors of the runs are estimated, stay as they were, and the totals of all functions
// grow. Where that has happened, the total of a function says something about it only if its share of the time changed, too, or
// where it goes the other way, its cost as it is.
// A function of many calls whose typical call changed is no part of this: bursts leave that alone. What typical calls have in common is
// taken out, so that a machine that is slower throughout is none of this either.
func (r *Result) withdraw() (together bool) {
	f := r.family
	all := make([]float64, len(f.sides.x))
	var members []int
	most, difference := -1, 0.0
	for k, i := range f.asked {
		c := &r.Changes[i]
		if c.Found && c.isTypical() && f.inRun[k] >= fewCalls {
			continue
		}
		members = append(members, k)
		for j := range all {
			all[j] += f.costs[i][j].TotalNs
		}
		if d := math.Abs(c.CandNs - c.BaseNs); d > difference {
			most, difference = k, d
		}
	}
	if len(members) < fewestVoters {
		return false
	}
	var doubtful []int // found, and the others changed
	var p []float64    // of no change of their shares, or of their costs
	for _, k := range members {
		c := &r.Changes[f.asked[k]]
		if k != most && !c.Found {
			continue
		}
		cost, rest, share := f.besides(k, all)
		others := f.sides.student(rest)
		changed := others.P() < othersLevel
		if k == most {
			together = changed
		}
		if c.Found && changed {
			own := f.sides.student(share)
			if others.Estimate*c.Log < 0 {
				own = f.sides.student(cost) // what did not have to wait is not faster for that
			}
			doubtful, p = append(doubtful, k), append(p, own.P())
			if own.Estimate*c.Log <= 0 {
				p[len(p)-1] = 1
			}
		}
	}
	for n, q := range stats.BenjaminiHochberg(p) {
		r.Changes[f.asked[doubtful[n]]].Found = q <= togetherLevel
	}
	return together
}

// isTypical reports whether typical calls changed, by one of the estimates of a call.
func (c *Change) isTypical() bool {
	least := 1.0
	for e, p := range c.PerTest {
		if Estimate(e).PerCall() {
			least = min(least, p)
		}
	}
	return least <= togetherLevel/estimates
}

// besides returns logarithms by run: what a function costs and what all others cost together, both without the factor of typical calls,
// and the one by the other.
func (f *family) besides(k int, all []float64) (cost, rest, share []float64) {
	for j, total := range all {
		own := f.costs[f.asked[k]][j].TotalNs
		factor := f.factors[Median].Log[j]
		cost, rest = append(cost, math.Log(own)-factor), append(rest, math.Log(max(total-own, 1))-factor)
		share = append(share, cost[j]-rest[j])
	}
	return cost, rest, share
}
