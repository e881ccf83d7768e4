package functionchanges

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// MinRuns is the number of runs per side below which nothing is judged.
const MinRuns = 3

// Options are the rules of a comparison. The zero value is not usable; Defaults are the rules whose rates were measured.
type Options struct {
	FDR       float64 // false discovery rate over functions, with four runs per side or more
	FewRunFDR float64 // the same with three runs on a side: too few to learn how a function varies, so the rule is stricter
	FloorNs   float64 // functions that cost less per run, on average over all runs, are not asked
	Level     float64 // of intervals
}

// Defaults returns the rules whose rates were measured.
func Defaults() Options { return Options{FDR: .03, FewRunFDR: .02, FloorNs: 2000, Level: .95} }

// State says whether a function was asked.
type State int

// The states of a function.
const (
	Asked    State = iota // it has a Change
	TooSmall              // it costs less than the floor
	Sporadic              // some runs of a side have it, others do not
	Appeared              // all runs of the candidate have it, none of the baseline
	Vanished              // all runs of the baseline have it, none of the candidate
)

// Change is what is said of one function. Costs are own time per run in ns.
type Change struct {
	State   State
	Found   bool     // Q is at most the false discovery rate
	By      Estimate // the estimate with the least p, which decided
	Log     float64  // effect by that estimate: the logarithm of candidate by baseline
	LogLo   float64  // interval of the effect, the uncertainty of the factors included
	LogHi   float64
	BaseNs  float64 // mean total of the baseline's runs
	CandNs  float64 // mean total of the candidate's runs
	P, Q    float64 // combined over estimates; adjusted over functions
	PerTest [estimates]float64
}

// EffectNs is the change of the cost of a run by the estimate that decided.
func (c *Change) EffectNs() float64 { return math.Expm1(c.Log) * c.BaseNs }

// Result is a comparison of all functions.
type Result struct {
	Changes []Change // in the order of the functions
	Factors Factors  // by the totals: what is reported
	Asked   int      // functions that were asked; 0 with too few runs, when no Change says anything
}

// Common is the difference between the sides that all functions share, as a logarithm.
type Common struct {
	Log, Lo, Hi float64
	P           float64
}

// Judge compares the runs of both sides in every function. costs has a row for every function, with a Cost for every run.
func Judge(costs [][]Cost, d Design, o Options) Result {
	r := Result{Changes: make([]Change, len(costs))}
	var asked []int
	for i, row := range costs {
		r.Changes[i] = begin(row, d.Base, o.FloorNs)
		if r.Changes[i].State == Asked {
			asked = append(asked, i)
		}
	}
	if len(asked) == 0 || d.Pairs(len(costs[0])) < MinRuns {
		return r
	}
	r.Asked = len(asked)
	f := newFamily(costs, asked, d, o)
	f.test()
	r.Factors = f.factors[Total]
	f.decide(r.Changes)
	return r
}

// begin describes a function before it is asked.
func begin(runs []Cost, base int, floor float64) Change {
	c := Change{By: -1, P: 1, Q: 1}
	var left, right int
	for i := range runs {
		if runs[i].TotalNs <= 0 {
			continue
		}
		if i < base {
			left++
			c.BaseNs += runs[i].TotalNs / float64(base)
		} else {
			right++
			c.CandNs += runs[i].TotalNs / float64(len(runs)-base)
		}
	}
	n := float64(len(runs))
	switch {
	case left == 0 && right == len(runs)-base:
		c.State = Appeared
	case right == 0 && left == base:
		c.State = Vanished
	case left < base || right < len(runs)-base:
		c.State = Sporadic
	case (c.BaseNs*float64(base)+c.CandNs*(n-float64(base)))/n <= floor:
		c.State = TooSmall
	}
	return c
}

// family is the functions that are asked.
type family struct {
	costs   [][]Cost
	asked   []int
	design  Design
	sides   *contrast
	options Options
	calls   []float64 // logarithm of the mean number of calls: what the prior variance follows
	shares  []float64 // weights
	factors [estimates]Factors
	tests   [estimates][]row
}

func newFamily(costs [][]Cost, asked []int, d Design, o Options) *family {
	f := &family{costs: costs, asked: asked, design: d, sides: d.contrast(len(costs[0])), options: o}
	for _, i := range asked {
		var totals []float64
		calls := 0.0
		for j := range costs[i] {
			totals = append(totals, costs[i][j].TotalNs)
			calls += costs[i][j].Calls / float64(len(costs[i]))
		}
		slices.Sort(totals)
		f.calls = append(f.calls, math.Log(calls))
		f.shares = append(f.shares, quantile(totals, 0.5))
	}
	return f
}

// test tests every function by every estimate.
func (f *family) test() {
	for e := range Estimate(estimates) {
		logs := make([][]float64, len(f.asked))
		for k, i := range f.asked {
			logs[k] = make([]float64, len(f.costs[i]))
			for j := range f.costs[i] {
				logs[k][j] = f.costs[i][j].log(e)
			}
		}
		f.factors[e] = commonMode(logs, f.sides)
		values := subtract(logs, f.factors[e].Log)
		if e == Linear {
			linearise(values)
		}
		f.tests[e] = moderate(values, f.sides, f.calls)
		keepOwn(f.tests[e], f.sides)
	}
}

// linearise replaces logarithms of costs by costs in units of their mean.
func linearise(rows [][]float64) {
	for _, row := range rows {
		for j, v := range row {
			row[j] = math.Exp(v)
		}
		m := mean(row)
		for j := range row {
			row[j] /= m
		}
	}
}

// decide combines the tests of every function and adjusts over functions.
func (f *family) decide(changes []Change) {
	p := make([]float64, len(f.asked))
	for k, i := range f.asked {
		c := &changes[i]
		for e := range Estimate(estimates) {
			c.PerTest[e] = f.tests[e][k].test.P()
			if c.By < 0 || c.PerTest[e] < c.PerTest[c.By] {
				c.By = e
			}
		}
		c.P = stats.Cauchy(c.PerTest[:]...)
		p[k] = c.P
		c.Log, c.LogLo, c.LogHi = f.effect(c.By, k)
	}
	for k, q := range stats.WeightedBenjaminiHochberg(p, f.shares) {
		c := &changes[f.asked[k]]
		c.Q, c.Found = q, q <= f.rate()
	}
}

// rate is the false discovery rate to test at.
func (f *family) rate() float64 {
	if f.design.Pairs(len(f.costs[0])) == MinRuns {
		return f.options.FewRunFDR
	}
	return f.options.FDR
}

// effect returns the logarithm of candidate by baseline of a function by an estimate, with an interval that holds the uncertainty of
// the factors too.
func (f *family) effect(e Estimate, k int) (log, lo, hi float64) {
	t := f.tests[e][k].test
	t.SE = math.Hypot(t.SE, f.sides.errorOf(f.factors[e].SE))
	log = t.Estimate
	lo, hi = t.Interval(f.options.Level)
	if e != Linear {
		return log, lo, hi
	}
	// In units of the mean of all runs, a difference of d puts the baseline at 1 - d n/(b+n) and the candidate at 1 + d b/(b+n).
	b, n := float64(f.design.Base), float64(len(f.costs[0])-f.design.Base)
	ratio := func(d float64) float64 {
		return math.Log(max(1+d*b/(b+n), 1e-9) / max(1-d*n/(b+n), 1e-9))
	}
	return ratio(log), ratio(lo), ratio(hi)
}

// Compare compares the factors of the sides by Welch's t, or by the differences within blocks. The error of the factors
// themselves is added. level is that of the interval.
func (f *Factors) Compare(d Design, level float64) Common {
	c := d.contrast(len(f.Log))
	t := c.student(f.Log)
	if d.Blocks == nil {
		left, right := f.Log[:d.Base], f.Log[d.Base:]
		a := squares(left) / float64(len(left)-1) / float64(len(left))
		b := squares(right) / float64(len(right)-1) / float64(len(right))
		t.SE = math.Sqrt(a + b)
		t.DF = (a + b) * (a + b) / (a*a/float64(len(left)-1) + b*b/float64(len(right)-1))
	}
	t.SE = math.Hypot(t.SE, c.errorOf(f.SE))
	lo, hi := t.Interval(level)
	return Common{Log: t.Estimate, Lo: lo, Hi: hi, P: t.P()}
}
