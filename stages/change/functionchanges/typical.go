package functionchanges

import (
	"math"
	"slices"
)

// Rules of single runs in which a function costs something else than in the others of its side.
const (
	singleFactor = 3      // by which its total differs from that of the typical run, at least
	singleAt     = 3      // and by how many standard deviations, by the median absolute deviation
	singleShare  = 5      // runs of a side for each one that may be single
	madToSigma   = 1.4826 // of a normal distribution
)

// describeTypical gives a function that was found by ratios, which no single run decides, the costs and the effect of the typical run, where
// single runs make up most of its mean. On a busy machine a call is preempted for 16 ms in one run of ten, of a function that takes 13 us a run: a
// typical call that takes half as long is no 200 us less then, and the total, which varies by factors of a thousand, contradicts
// nothing. So in the means single runs count as the typical run of their side, and what the total says rests on the other runs alone: a
// run that is not known makes no interval shorter. The level is that of the interval.
func (f *family) describeTypical(c *Change, k int, level float64) {
	i := f.asked[k]
	y := f.totalsOf(c, k)
	typical, single := f.withoutSingle(y)
	if typical == nil {
		return
	}
	c.BaseNs, c.CandNs = 0, 0
	for j := range f.costs[i] {
		ns := math.Exp(f.logs[Total][k][j] + typical[j] - y[j])
		if base := f.design.Base; j < base {
			c.BaseNs += ns / float64(base)
		} else {
			c.CandNs += ns / float64(len(y)-base)
		}
	}
	sides, kept := f.leave(single, y)
	test := sides.fitRow(kept, false)
	test.squeeze(f.tests[Total][k].prior)
	test.keepOwn()
	f.contradictBy(c, &test, level)
}

// leave returns the comparison of the runs that are not out, and their values.
func (f *family) leave(out []bool, y []float64) (*contrast, []float64) {
	var d Design
	var kept []float64
	for j, v := range y {
		if out[j] {
			continue
		}
		kept = append(kept, v)
		d.Base += btoi(j < f.design.Base)
		if f.design.Blocks != nil {
			d.Blocks = append(d.Blocks, f.design.Blocks[j])
		}
	}
	return d.contrast(len(kept)), kept
}

// totalsOf returns the logarithms of the totals of a function as they were compared by the test that decided.
func (f *family) totalsOf(c *Change, k int) []float64 {
	y := slices.Clone(f.logs[Total][k])
	common, _ := f.sides.fit(f.factors[Total].Log)
	for j := range y {
		switch {
		case f.with[Total][k]:
			y[j] -= f.factors[Total].Log[j]
		case !c.ByAsIs:
			y[j] -= common * f.sides.x[j]
		}
	}
	return y
}

// withoutSingle returns the values of the runs with the median of their side in the place of those of single runs: in a block, that of the
// side's runs in it; and which runs are single. It is nil where no run is single, or where they are too many of a side to be single: then the function has two states.
func (f *family) withoutSingle(y []float64) (typical []float64, out []bool) {
	type group struct{ block, side int }
	groups := make(map[group][]int)
	for j := range y {
		g := group{f.sides.block[j], btoi(j >= f.design.Base)}
		groups[g] = append(groups[g], j)
	}
	middle, deviations := make([]float64, len(y)), make([]float64, len(y))
	for _, runs := range groups {
		var values []float64
		for _, j := range runs {
			values = append(values, y[j])
		}
		slices.Sort(values)
		for _, j := range runs {
			middle[j] = quantile(values, .5)
			deviations[j] = math.Abs(y[j] - middle[j])
		}
	}
	sorted := slices.Sorted(slices.Values(deviations))
	reach := math.Max(singleAt*madToSigma*quantile(sorted, .5), math.Log(singleFactor))
	for _, runs := range groups {
		single := slices.DeleteFunc(slices.Clone(runs), func(j int) bool { return deviations[j] <= reach })
		if len(single) == 0 || len(runs) < apartRuns || len(single) > max(1, len(runs)/singleShare) {
			continue
		}
		if typical == nil {
			typical, out = slices.Clone(y), make([]bool, len(y))
		}
		for _, j := range single {
			typical[j], out[j] = middle[j], true
		}
	}
	return typical, out
}
