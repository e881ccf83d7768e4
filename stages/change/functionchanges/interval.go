package functionchanges

import "math"

// Select decides at a false discovery rate which functions are found, and gives every function its interval: that of the estimate
// that decided, with the uncertainty of the factors, at a level that belongs to the decision.
//
//   - The estimate that decided was chosen among several as the one with the least p. Its interval is at the level 1 - a p/P, with
//     p of the estimate and P the combined one: it holds 0 where, and only where, P is above a.
//   - Of a function that is not found a is 1 - Options.Level. Those that are found were selected for being far from 0,
//     which moves their estimates away from it. With R found among m, a is smaller by the factor w R/m, w the weight of the function:
//     of the intervals of functions that are found no more than 1 - Level miss the truth, as an expected share (false coverage
//     rate, Benjamini and Yekutieli 2005, Journal of the American Statistical Association 100, 71-81).
//
// Functions that are asked only inside a root execution that changed are not found where none did, nor those whose total changed no more
// than those of all others together, see withdraw.
func (r *Result) Select(level float64, rootChanged bool) {
	f := r.family
	if f == nil {
		return
	}
	var found [2]float64 // by family
	for k, i := range f.asked {
		c := &r.Changes[i]
		c.BaseNs, c.CandNs = f.meansOf(k) // an earlier selection may have left single runs out
		c.Found = c.Q <= level && (rootChanged || !f.inside[k])
	}
	r.Together = r.withdraw()
	for k, i := range f.asked {
		found[btoi(f.inside[k])] += float64(btoi(r.Changes[i].Found))
	}
	for k, i := range f.asked {
		c, of := &r.Changes[i], btoi(f.inside[k])
		if f.options.FoundOnly && !c.Found {
			continue
		}
		miss := 1 - f.options.Level
		if c.Found {
			miss *= min(1, f.weights[k]*found[of]/float64(len(f.members[of])))
		}
		c.Log, c.LogLo, c.LogHi = f.effect(c.By, &f.decided[k], 1-miss*chosen(c.PerTest[c.By], c.P))
		if !f.followsThroughout(k) {
			f.widen(c, k, miss)
		}
		f.contradict(c, k, 1-miss)
		if c.Found && c.By != Linear {
			f.describeTypical(c, k, 1-miss)
		}
		f.contradictInNs(c, k, 1-miss)
	}
}

// widen makes the interval of a function that does not follow the factors of the runs by every estimate hold both of its intervals: whether the
// difference between the sides that functions share is taken out or not. It is found if both exclude 0, see family.test.
func (f *family) widen(c *Change, k int, miss float64) {
	for _, tests := range []*[estimates][]row{&f.tests, &f.asIs} {
		by, each, p := combined(tests, k)
		_, lo, hi := f.effect(by, &tests[by][k], 1-miss*chosen(each[by], p))
		c.LogLo, c.LogHi = min(c.LogLo, lo), max(c.LogHi, hi)
	}
}

// surer is by how much less often the interval that contradicts an effect misses the truth than intervals that are reported.
const surer = .02

// contradict compares the effect of an estimate of a typical call with the total. A typical call that takes half as long halves what
// a function costs only if all calls do; where the total is shown not to follow, the distribution of the calls changed and not their
// cost. level is that of the interval that is reported.
func (f *family) contradict(c *Change, k int, level float64) {
	test := &f.tests[Total][k]
	if c.ByAsIs {
		test = &f.asIs[Total][k]
	}
	f.contradictBy(c, test, level)
	f.widenTotal(c, Total, k, level)
}

// widenTotal gives the total of a function that does not follow the factors the effect that nothing is taken out of, as the runs show that a slower machine
// does not make it wait longer, and an interval that holds both.
func (f *family) widenTotal(c *Change, e Estimate, k int, level float64) {
	if f.with[e][k] {
		return
	}
	for _, test := range []*row{&f.tests[e][k], &f.asIs[e][k]} {
		log, lo, hi := f.effect(e, test, level)
		c.TotalLog, c.TotalLo, c.TotalHi = log, min(c.TotalLo, lo), max(c.TotalHi, hi)
	}
}

// contradictBy does so by a test of the total.
func (f *family) contradictBy(c *Change, test *row, level float64) {
	c.TotalBy = Total
	c.TotalLog, c.TotalLo, c.TotalHi = f.effect(Total, test, level)
	_, lo, hi := f.effect(Total, test, 1-surer*(1-f.options.Level))
	c.Contradicted = c.By.PerCall() && (c.Log < lo || c.Log > hi)
}

// contradictInNs compares the effect of a mean of ratios with the mean of the differences, where runs are compared within blocks. Runs of
// unlike blocks may cost unlike amounts: a wait that is a third shorter where it takes 0.5 ms, and the same where it takes 60 ms, is no 7 ms
// shorter on average, as a mean ratio times a mean cost would have it. The ratio may be true, and no effect in ns follows from it.
func (f *family) contradictInNs(c *Change, k int, level float64) {
	if f.design.Blocks == nil || c.By == Linear {
		return
	}
	test := &f.tests[Linear][k]
	if c.ByAsIs {
		test = &f.asIs[Linear][k]
	}
	shown := c.Log
	if c.Contradicted {
		shown = c.TotalLog
	}
	if _, lo, hi := f.effect(Linear, test, 1-surer*(1-f.options.Level)); shown < lo || shown > hi {
		c.Contradicted, c.TotalBy = true, Linear
		c.TotalLog, c.TotalLo, c.TotalHi = f.effect(Linear, test, level)
		f.widenTotal(c, Linear, k, level)
	}
}

// The least p that counts, and the least factor of a level: a bound of an interval at a level that rounds to 1 would be infinite.
const (
	leastP      = 1e-15
	leastChosen = 1e-6
)

// chosen is the factor by which the level of an interval is made stricter because its estimate was chosen for its p.
func chosen(p, combined float64) float64 {
	return min(1, max(leastChosen, max(p, leastP)/max(combined, leastP)))
}

// effect returns the logarithm of candidate by baseline of a function by an estimate, with an interval. The uncertainty of the factors
// is in it: the error of each run's factor is a part of how much the runs of a side differ once it is taken out.
//
// The estimate Linear is of a difference. As a ratio it has no upper bound once the baseline may be 0, though the difference has one: a
// change of 17 ms would be one of up to 12 days. So its upper bound is that of the difference, with the baseline at its estimate.
func (f *family) effect(e Estimate, r *row, level float64) (log, lo, hi float64) {
	log = r.test.Estimate
	lo, hi = f.interval(r, level)
	if e != Linear {
		return log, lo, hi
	}
	b, n := float64(f.design.Base), float64(len(f.costs[0])-f.design.Base)
	above := f.logOf(e, hi)
	if base := 1 - log*n/(b+n); hi > 0 && base > 1e-9 {
		above = min(above, math.Log1p(hi/base))
	}
	return f.logOf(e, log), f.logOf(e, lo), above
}

// logOf returns the logarithm of candidate by baseline that belongs to a difference of an estimate.
func (f *family) logOf(e Estimate, d float64) float64 {
	if e != Linear {
		return d
	}
	// In units of the mean of all runs, a difference of d puts the baseline at 1 - d n/(b+n) and the candidate at 1 + d b/(b+n).
	b, n := float64(f.design.Base), float64(len(f.costs[0])-f.design.Base)
	return math.Log(max(1+d*b/(b+n), 1e-9) / max(1-d*n/(b+n), 1e-9))
}
