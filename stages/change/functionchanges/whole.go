package functionchanges

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// Whole is the comparison of what a user waits for: one total a run, such as the run time of the root executions. It is a
// hypothesis of its own, which pays for no function and borrows from none, and no factor is taken out of it: a slower machine is
// slower for the user too.
type Whole struct {
	P           float64 // of no difference: the t tests of the totals and of their logarithms, combined
	Log, Lo, Hi float64 // logarithm of candidate by baseline with its interval, by the test with the smaller p
	BaseNs      float64 // mean of the baseline in ns, to which Log applies

	Q      float64 // P adjusted over those that are asked together; 1 for what takes too little to be asked
	Inside bool    // it is asked only where one of the others is shown to have changed
	Part   float64 // of the level, if it alone changed, that it has with more runs than MinRuns, with which all kinds are one family

	test   stats.Moderated // with the smaller p, as a logarithm
	chosen float64         // by which its interval is stricter, see Result.Select
}

// Unchanged reports whether the whole interval lies within a margin, which is a share, or within a floor in ns.
func (w *Whole) Unchanged(margin, floorNs float64) bool {
	return max(math.Abs(w.Lo), math.Abs(w.Hi)) <= math.Log1p(margin) || within(w.Lo, w.Hi, w.BaseNs, w.BaseNs*math.Exp(w.Log), floorNs)
}

// Equivalence returns the p-value of a difference of the margin and of the floor or more (two one-sided tests). The margin is a share of the
// baseline, and the floor is in ns.
func (w *Whole) Equivalence(margin, floorNs float64) float64 {
	return w.test.Equivalence(math.Log1p(max(margin, floorNs/max(w.BaseNs, 1))))
}

// JudgeWhole compares the totals of the runs of both sides, in ns. level is that of the interval. Both tests are
// Student's with a common variance: with few runs the logarithms see a wait that became longer where it was short before, the
// plain totals one that was sometimes long before.
//
// With three runs on a side the plain totals alone are tested. The better of two tests is small more often than either, and Cauchy's rule makes
// up for it at small levels only, which three runs have no use for. Student's t is careful where runs have longer tails than
// normal ones, and too generous where theirs are shorter. Totals of runs that differ by multiples have the longer tails, their logarithms the shorter ones.
func JudgeWhole(totals []float64, d Design, level float64) Whole {
	logs := make([]float64, len(totals))
	for i, v := range totals {
		logs[i] = math.Log(max(v, 1))
	}
	c := d.contrast(len(totals))
	log, linear := c.student(logs), c.student(totals)
	w := Whole{P: stats.Cauchy(log.P(), linear.P()), BaseNs: mean(totals[:d.Base])}
	plain := d.Pairs(len(totals)) == MinRuns
	if plain {
		w.P, log = linear.P(), linear
	}
	w.chosen = chosen(min(log.P(), linear.P()), w.P)
	level = 1 - (1-level)*w.chosen
	if !plain && log.P() <= linear.P() {
		w.Log, w.test = log.Estimate, log
		w.Lo, w.Hi = log.Interval(level)
		w.BaseNs = math.Exp(mean(logs[:d.Base]))
		return w
	}
	ratio := func(difference float64) float64 { return math.Log(max(1+difference/w.BaseNs, 1e-9)) }
	lo, hi := linear.Interval(level)
	w.Log, w.Lo, w.Hi = ratio(linear.Estimate), ratio(lo), ratio(hi)
	w.test = stats.Moderated{Estimate: w.Log, SE: linear.SE / w.BaseNs, DF: linear.DF}
	return w
}
