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

// What is expected. These were chosen so that half of the functions are decided with the number of runs that is named (go run ./benchmarks/trust -needed).
const (
	mostUnchanged = .9 // share of functions, and of root executions, that did not change
	looks         = 5  // independent tests that six of the same calls count as
)

// RunsNeeded returns the number of runs per side with which an undetermined function would more likely than not be decided: found to have
// changed, or shown to lie within a relative margin or a floor in ns. What its change is, is not known: there is none with the probability
// that p leaves (unchanged), and else it lies where the runs at hand put it, with their error. The answer is greater than the number of runs at hand, at most
// MostRuns. The level is that which the function has with so many runs: with three and with four it is another one.
//
// Nor is it known which estimate will decide. The one that does now has the least p, and so, more often than not, a variance that is too small by
// chance: with it, three runs a side promised far too few. So each of them decides with the same probability. Which one it will be is not
// independent of what it says, either: to show that nothing changed, the one that says the most must lie within the margin.
func (r *Result) RunsNeeded(i int, margin, effectNs float64) int {
	f, c := r.family, &r.Changes[i]
	k, tests := f.position[i], &f.tests
	if c.ByAsIs {
		tests = &f.asIs
	}
	n := needed{
		priorDF: math.Inf(1), pairs: f.design.Pairs(len(f.costs[0])), blocks: f.design.Blocks != nil,
		level: func(runs int) float64 {
			all, _ := f.options.Levels(runs)
			return all * f.shareOfMore(k)
		},
		miss: 1 - f.options.Level, null: unchanged(c.P), looks: looks, chosen: chosen(c.PerTest[c.By], c.P),
		margin: math.Log1p(margin), floor: math.Log1p(effectNs / max(c.BaseNs, 1)),
	}
	for e := range Estimate(estimates) {
		row := &tests[e][k]
		n.tests = append(n.tests, atHand{test: row.test, at: f.logOf(e, row.test.Estimate), variance: likelyVariance(row.test, row.xx)})
		n.priorDF = min(n.priorDF, row.prior.DF)
	}
	return n.runs()
}

// RunsNeeded does the same for what a user waits for. whole is the level of all kinds of root executions with so many runs per side.
func (w *Whole) RunsNeeded(d Design, runs int, whole func(runs int) float64, miss, margin, effectNs float64) int {
	n := needed{
		tests: []atHand{{test: w.test, at: w.Log, variance: likelyVariance(w.test, d.contrast(runs).xx)}},
		pairs: d.Pairs(runs), blocks: d.Blocks != nil,
		level: func(runs int) float64 { return whole(runs) * w.Part },
		miss:  miss, null: unchanged(w.P), looks: 1, chosen: w.chosen, margin: math.Log1p(margin), floor: math.Log1p(effectNs / max(w.BaseNs, 1)),
	}
	return n.runs()
}

// unchanged returns the probability that nothing changed, from that share and p: -e p log p is the least that the odds for it are multiplied by (Sellke, Bayarri and
// Berger 2001, The American Statistician 55, 62-71).
func unchanged(p float64) float64 {
	odds := mostUnchanged / (1 - mostUnchanged)
	if p < 1/math.E {
		odds *= -math.E * p * math.Log(max(p, leastP))
	}
	return odds / (1 + odds)
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
	tests   []atHand // one of them will decide
	priorDF float64  // degrees of freedom that do not come from the runs
	pairs   int      // runs per side at hand
	blocks  bool
	level   func(runs int) float64 // of the test, with so many runs per side
	miss    float64                // 1 less the level of the interval
	null    float64                // probability that nothing changed
	looks   float64                // independent tests of which the one with the least p decides
	chosen  float64                // by which both are stricter, since the estimate was chosen for its p
	margin  float64                // logarithm
	floor   float64                // logarithm of what the floor adds to the baseline
}

// atHand is a test by the runs at hand.
type atHand struct {
	test     stats.Moderated
	at       float64         // estimated logarithm of the change
	variance float64         // of a run
	truths   [truths]float64 // what the change may be, see change
}

// runs searches the least number, from where it would be if the normal distribution were Student's and there were one test, of the mean of all: that takes no
// quantile of Student's.
func (n *needed) runs() int {
	n.change()
	from := n.pairs + 1
	rough, most := *n, max(0, MostRuns-from)
	rough.priorDF, rough.tests = math.Inf(1), []atHand{n.typical()}
	guess := sort.Search(most, func(i int) bool { return rough.decided(from+i) >= .5 })
	return from + searchNear(most, guess, func(i int) bool { return n.decided(from+i) >= .5 })
}

// change fills in what the change may be: quantiles of Student's t around the estimates, since the variances are estimated, too.
func (n *needed) change() {
	df := math.Inf(1)
	for k := range n.tests {
		df = min(df, n.tests[k].test.DF)
	}
	for i := range truths / 2 {
		p := .5 - (float64(i)+.5)/truths
		_, reach := stats.Moderated{SE: 1, DF: df}.Interval(2 * p)
		for k := range n.tests {
			t := &n.tests[k]
			t.truths[i], t.truths[truths-1-i] = t.at-reach*t.test.SE, t.at+reach*t.test.SE
		}
	}
}

// typical returns a test with the mean change and the geometric mean of the variances.
func (n *needed) typical() (t atHand) {
	tests := float64(len(n.tests))
	for k := range n.tests {
		t.variance += math.Log(n.tests[k].variance) / tests
		for i, v := range n.tests[k].truths {
			t.truths[i] += v / tests
		}
	}
	t.variance = math.Exp(t.variance)
	return t
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
	critical := func(tail float64) float64 {
		_, half := stats.Moderated{SE: 1, DF: df + n.priorDF}.Interval(1 - tail*n.chosen)
		return half
	}
	find, exclude, sum := critical(n.level(runs)), critical(n.miss), 0.0
	for k := range n.tests {
		sum += n.decidedBy(&n.tests[k], runs, find, exclude)
	}
	return sum / float64(len(n.tests))
}

// decidedBy returns the probability that a test decides with so many runs per side. find and exclude are the critical values of the test and of
// its interval.
func (n *needed) decidedBy(t *atHand, runs int, find, exclude float64) float64 {
	se := math.Sqrt(2 * t.variance / float64(runs))
	half := exclude * se
	changed := max(find*se, n.floor, n.margin-half) // beyond it the change is found, and matters
	same := max(n.margin, n.floor) - half           // below it the change is shown to be small
	if same >= changed {
		return 1
	}
	chance := func(truth float64) float64 {
		p := 1 - normalWithin(changed, truth, se)
		if same > 0 {
			p += math.Pow(normalWithin(same, truth, se), n.looks)
		}
		return p
	}
	sum := 0.0
	for _, truth := range t.truths {
		sum += chance(truth) / truths
	}
	return n.null*chance(0) + (1-n.null)*sum
}

// normalWithin returns the probability that a normal value lies between -bound and bound.
func normalWithin(bound, mean, sd float64) float64 {
	below := func(x float64) float64 { return math.Erfc((mean-x)/(sd*math.Sqrt2)) / 2 }
	return below(bound) - below(-bound)
}
