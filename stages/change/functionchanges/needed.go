package functionchanges

import (
	"math"
	"sort"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// MostRuns is the number of runs per side beyond which nothing is looked for.
const MostRuns = 10_000

// truths is the number of values that stand for the change that is not known: quantiles of what the runs at hand leave open.
const truths = 8

// RunsNeeded returns the number of runs per side with which an undetermined function would more likely than not be decided: found to have
// changed, or shown to lie within a relative margin or a floor in ns. What its change is, is not known; it is taken to lie where the
// runs at hand put it, with their error. The answer is greater than the number of runs at hand, at most MostRuns.
func (r *Result) RunsNeeded(i int, margin, effectNs float64) int {
	f, c := r.family, &r.Changes[i]
	k := f.position[i]
	level, _ := f.options.Levels(f.design.Pairs(len(f.costs[0])))
	by := &f.decided[k]
	n := needed{
		at: c.Log, now: by.test, variance: likelyVariance(by.test, by.xx), priorDF: by.prior.DF, pairs: f.design.Pairs(len(f.costs[0])), blocks: f.design.Blocks != nil,
		level: level * f.shareOf(k), miss: 1 - f.options.Level, chosen: chosen(c.PerTest[c.By], c.P),
		margin: math.Log1p(margin), floor: math.Log1p(effectNs / max(c.BaseNs, 1)),
	}
	return n.runs()
}

// RunsNeeded does the same for what a user waits for, tested at a level.
func (w *Whole) RunsNeeded(d Design, runs int, level, miss, margin, effectNs float64) int {
	n := needed{
		at: w.Log, now: w.test, variance: likelyVariance(w.test, d.contrast(runs).xx), pairs: d.Pairs(runs), blocks: d.Blocks != nil, level: level, miss: miss, chosen: w.chosen,
		margin: math.Log1p(margin), floor: math.Log1p(effectNs / max(w.BaseNs, 1)),
	}
	return n.runs()
}

// likelyVariance returns the variance of a run that the true one exceeds as often as not. What few runs vary by is below the true variance
// more often than above: the median of chi-squared is df (1 - 2/(9 df))^3, nearly (Wilson and Hilferty 1931), and its mean df.
func likelyVariance(t stats.Moderated, xx float64) float64 {
	median := 1.0
	if !math.IsInf(t.DF, 1) {
		median = math.Pow(1-2/(9*t.DF), 3)
	}
	return t.SE * t.SE * xx / median
}

// needed is an undetermined comparison.
type needed struct {
	at       float64         // estimated logarithm of the change
	now      stats.Moderated // its test by the runs at hand
	truths   [truths]float64 // what the change may be, see change
	variance float64         // of a run
	priorDF  float64         // degrees of freedom that do not come from the runs
	pairs    int             // runs per side at hand
	blocks   bool
	level    float64 // of the test
	miss     float64 // 1 less the level of the interval
	chosen   float64 // by which both are stricter, since the estimate was chosen for its p
	margin   float64 // logarithm
	floor    float64 // logarithm of what the floor adds to the baseline
}

// runs searches the least number, from where it would be if the normal distribution were Student's, which takes no quantile of the latter.
func (n *needed) runs() int {
	n.change()
	from := n.pairs + 1
	rough, most := *n, max(0, MostRuns-from)
	rough.priorDF = math.Inf(1)
	guess := sort.Search(most, func(i int) bool { return rough.decided(from+i) >= .5 })
	return from + searchNear(most, guess, func(i int) bool { return n.decided(from+i) >= .5 })
}

// change fills in what the change may be: quantiles of Student's t around the estimate, since the variance is estimated, too.
func (n *needed) change() {
	for i := range n.truths {
		p := (float64(i)+.5)/truths - .5
		_, reach := stats.Moderated{SE: n.now.SE, DF: n.now.DF}.Interval(2 * math.Abs(p))
		n.truths[i] = n.at + math.Copysign(reach, p)
	}
}

// searchNear is sort.Search over n places, and looks at few of them if the answer is near a guess.
func searchNear(n, guess int, holds func(i int) bool) int {
	lo, hi := guess, guess // the answer lies from lo to hi once neither can be moved
	if guess < n && !holds(guess) {
		for step := 1; ; step *= 2 {
			if lo, hi = hi+1, min(n, hi+step); hi == n || holds(hi) {
				break
			}
		}
	} else {
		for step := 1; lo > 0; step *= 2 {
			if lo = max(0, hi-step); !holds(lo) {
				lo++
				break
			}
			hi = lo
		}
	}
	return lo + sort.Search(hi-lo, func(i int) bool { return holds(lo + i) })
}

// decided returns the probability that so many runs per side decide.
func (n *needed) decided(runs int) float64 {
	df := 2*float64(runs) - 2
	if n.blocks {
		df = float64(runs) - 1
	}
	df += n.priorDF
	se := math.Sqrt(2 * n.variance / float64(runs))
	reach := func(tail float64) float64 {
		_, half := stats.Moderated{SE: se, DF: df}.Interval(1 - tail*n.chosen)
		return half
	}
	half := reach(n.miss)
	changed := max(reach(n.level), n.floor, n.margin-half) // beyond it the change is found, and matters
	same := max(n.margin, n.floor) - half                  // below it the change is shown to be small
	if same >= changed {
		return 1
	}
	sum := 0.0
	for _, truth := range n.truths {
		sum += 1 - normalWithin(changed, truth, se) + max(0, normalWithin(same, truth, se))
	}
	return sum / truths
}

// normalWithin returns the probability that a normal value lies between -bound and bound; negative for a negative bound.
func normalWithin(bound, mean, sd float64) float64 {
	below := func(x float64) float64 { return math.Erfc((mean-x)/(sd*math.Sqrt2)) / 2 }
	return below(bound) - below(-bound)
}
