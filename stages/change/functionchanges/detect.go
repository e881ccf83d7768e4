package functionchanges

import (
	"math"
	"slices"
)

// Detection says what a comparison would find if each side had so many runs like those at hand.
type Detection struct {
	Runs     int     // of each side
	Power    float64 // with which the change is found
	Margin   float64 // relative change that does not matter
	EffectNs float64 // change of the cost of a run that does not matter
}

// Limit says what keeps a smaller change from being found.
type Limit string

// The limits.
const (
	ByNoise  Limit = "noise"  // the runs differ
	ByMargin Limit = "margin" // a smaller change is shown to lie within the margin
	ByFloor  Limit = "floor"  // a smaller change costs too little
)

// Detectable is the smallest change of a function, or of a root execution, that a comparison would find.
type Detectable struct {
	State    State   // Asked, or why not
	BaseNs   float64 // mean cost of a run
	Log      float64 // logarithm of the factor by which every call takes longer
	By       Limit
	Inside   bool    // it is asked only where a root execution changed
	Calls    float64 // mean number of a run
	Spread   float64 // standard deviation of the logarithm of a run's total as it is
	Residual float64 // the same as the rule sees it: without what all functions share, and with what other functions tell of it
}

// Detect returns the smallest change of every function that comparisons of runs like these would find, and the factors of the runs.
// costs has a row for every function, with a Cost for every run of one side. With fewer than MinRuns runs nothing is known.
//
// The noise of a run is what the rule of Judge would see: without the factors, with variances that borrow from the other
// functions. A comparison of N runs a side estimates the logarithm of a change with SE = sqrt(2 v/N) and tests it with d0 + 2N - 2
// degrees of freedom, d0 those of the prior. A function that alone changes is found if its p is at most level w/m, w its weight
// among m functions.
func Detect(costs [][]Cost, d Detection, o Options) (out []Detectable, factors Factors) {
	out = make([]Detectable, len(costs))
	var asked []int
	for i, row := range costs {
		if out[i] = beginOne(row, o.FloorNs); out[i].State == Asked {
			asked = append(asked, i)
		}
	}
	if len(asked) == 0 || len(costs[0]) < MinRuns {
		return out, factors
	}
	f := newFamily(costs, asked, Design{Base: len(costs[0])}, d.Runs, o)
	f.takeLogs()
	f.test()
	level, whole := o.Levels(d.Runs)
	for k, i := range asked {
		c, share := &out[i], f.shareOf(k)
		_, variance := f.sides.fit(logsOf(costs[i], Total))
		c.Spread, c.Residual = math.Sqrt(variance), math.Sqrt(f.tests[Total][k].variance)
		tests := f.noiseOf(k, d.Runs)
		if c.Inside = f.inside[k]; c.Inside {
			share *= (level + whole) / level
		}
		var se [estimates]float64
		for e := range tests {
			se[e] = tests[e].se
		}
		weights := precisions(se)
		d.solve(c, tests[:], weights[:], level*share, (1-o.Level)*min(1, share))
	}
	return out, f.factors[Total]
}

// DetectRoots does the same for the kinds of root executions: the tests of JudgeRoots, each with a variance of its own.
func DetectRoots(roots []Root, d Detection, o Options) []Detectable {
	out := make([]Detectable, len(roots))
	_, level := o.Levels(d.Runs)
	families := divideRoots(roots, d.Runs, o.FloorNs)
	for i := range roots {
		c, ns := &out[i], roots[i].Ns
		c.BaseNs, c.Calls = mean(ns), 1
		c.Inside = slices.Contains(families[1], i)
		if len(ns) >= MinRuns {
			d.detectWhole(c, ns, level/float64(max(1, len(families[btoi(c.Inside)]))), o)
		}
	}
	return out
}

// detectWhole fills in the smallest change of totals of runs in ns that is found at a level.
func (d *Detection) detectWhole(c *Detectable, totals []float64, level float64, o Options) {
	one, sides := Design{Base: len(totals)}.contrast(len(totals)), Design{Base: d.Runs}.contrast(2*d.Runs)
	logs, relative := make([]float64, len(totals)), make([]float64, len(totals))
	for i, v := range totals {
		logs[i], relative[i] = math.Log(max(v, 1)), v/c.BaseNs
	}
	_, log := one.fit(logs)
	_, linear := one.fit(relative)
	c.Spread, c.Residual = math.Sqrt(log), math.Sqrt(log)
	tests, weights := []noise{sides.noise(linear, 0, 0), sides.noise(log, 0, 0)}, []float64{.5, .5}
	tests[0].linear = true
	if d.Runs == MinRuns { // as in JudgeWhole
		tests, weights = tests[:1], []float64{1}
	}
	d.solve(c, tests, weights, level, 1-o.Level)
}

// beginOne describes a function of one side before it is asked.
func beginOne(runs []Cost, floor float64) (c Detectable) {
	has, n := 0, float64(len(runs))
	for i := range runs {
		has += btoi(runs[i].TotalNs > 0)
		c.BaseNs += runs[i].TotalNs / n
		c.Calls += runs[i].Calls / n
	}
	switch {
	case has < len(runs):
		c.State = Sporadic
	case c.BaseNs <= floor:
		c.State = TooSmall
	}
	return c
}

// noise is what one test of a comparison sees where nothing changed.
type noise struct {
	sd     float64 // standard deviation of the estimate
	se     float64 // mean standard error by which the test divides it
	df     float64 // degrees of freedom of the test
	linear bool    // in units of the mean of all runs, and not a logarithm
}

// noiseOf returns the noise of the tests of a function with so many runs per side. Of an estimate that does not follow the factors, the
// difference of the sides' factors is taken out, which it does not have: that is noise too.
func (f *family) noiseOf(k, runs int) (all [estimates]noise) {
	sides := Design{Base: runs}.contrast(2 * runs)
	for e := range all {
		r, shared := &f.tests[e][k], 0.0
		if !f.with[e][k] {
			_, shared = f.sides.fit(f.factors[e].Log)
		}
		all[e] = sides.noise(r.variance, shared, r.prior.DF)
		all[e].linear = Estimate(e) == Linear
	}
	return all
}

// noise returns that of a test of runs with a variance, to which what is shared adds unseen, under a prior of some degrees of freedom.
// A variance greater than the moderated one is kept (keepOwn), so that the mean of the variance that a test sees is higher: with s^2
// the variance of 2k degrees of freedom in units of the true one and a the share that the prior has in the moderated variance, by
//
//	a E(s^2 - 1)+ = a k^(k-1) e^-k / Gamma(k)
func (c *contrast) noise(variance, shared, priorDF float64) noise {
	k, prior := c.df/2, 1.0
	if !math.IsInf(priorDF, 1) {
		prior = priorDF / (priorDF + c.df)
	}
	gamma, _ := math.Lgamma(k)
	raised := 1 + prior*math.Exp((k-1)*math.Log(k)-k-gamma)
	return noise{sd: math.Sqrt((variance + shared) / c.xx), se: math.Sqrt(variance * raised / c.xx), df: c.df + priorDF}
}
