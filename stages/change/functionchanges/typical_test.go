package functionchanges

import (
	"math"
	"testing"
)

// preempted makes one run of a function cost so much more in total that its mean says nothing about the others. A decile and a quartile of
// its calls are as in the other runs.
func preempted(c *Cost, by float64) { c.TotalNs *= by }

// One call of one run is preempted, for a hundred times what all calls of a run take. A function all of whose calls take 1.3 times as long has
// the costs and the effect of the typical run, on whichever side the odd run is and also in blocks; without it nothing is left out.
func TestSingleRunsAreNotTypical(t *testing.T) {
	var blocks []int // three of five runs a side
	for j := range 30 {
		blocks = append(blocks, j%15/5)
	}
	for _, d := range []Design{{Base: 10}, {Base: 15, Blocks: blocks}} {
		for _, odd := range []int{3, d.Base + 4} {
			costs := noisy(21, d.Base, d.Base)
			slow(costs[7], d.Base, 1.3)
			plain := Judge(costs, d, Defaults()).Changes[7]
			want := 0.0
			for _, c := range costs[7][:d.Base] {
				want += c.TotalNs / float64(d.Base)
			}
			preempted(&costs[7][odd], 100)
			c := Judge(costs, d, Defaults()).Changes[7]
			log, _, _ := c.Effect(0)
			if !c.Found || !c.By.PerCall() || math.Abs(c.BaseNs/want-1) > .1 || math.Abs(c.CandNs/c.BaseNs/1.3-1) > .2 || math.Abs(log-math.Log(1.3)) > .1 {
				t.Errorf("%+v, run %d takes 100 times as long: %.0f -> %.0f ns by %s, want %.0f ns and a factor of 1.3 (%+v)", d, odd, c.BaseNs, c.CandNs, c.By, want, c)
			}
			if math.Abs(plain.BaseNs/want-1) > 1e-9 {
				t.Errorf("%+v: with no odd run the cost is %g and not the mean %g", d, plain.BaseNs, want)
			}
		}
	}
}

// Where the total decides, since it is the steadiest, the effect is of the typical run as well.
func TestSingleRunsOfATotal(t *testing.T) {
	costs := noisy(23, 10, 10)
	slow(costs[7], 10, .4)
	for j := range costs[7] {
		c := &costs[7][j]
		c.Q10Ns, c.Q25Ns, c.MedianNs, c.GeoNs = 500, 500, 500, 500
	}
	preempted(&costs[7][2], 600)
	c := Judge(costs, Design{Base: 10}, Defaults()).Changes[7]
	if !c.Found || c.By.PerCall() || math.Abs(c.BaseNs/costs[7][1].TotalNs-1) > .3 {
		t.Errorf("a total of 40 %%: %+v, and a run has %v", c, costs[7][1])
	}
}

// A typical call that takes a third of the time, of a function whose total does not follow, changes the distribution of its calls: one run
// that was preempted hides that no more.
func TestSingleRunsContradictNothing(t *testing.T) {
	costs := noisy(22, 10, 10)
	for j := 10; j < 20; j++ {
		c := &costs[7][j]
		c.Q10Ns, c.Q25Ns, c.MedianNs, c.GeoNs = c.Q10Ns/3, c.Q25Ns/3, c.MedianNs/3, c.GeoNs/3
	}
	preempted(&costs[7][2], 600)
	r := Judge(costs, Design{Base: 10}, Defaults())
	c := r.Changes[7]
	log, _, _ := c.Effect(0)
	if !c.Found || !c.Contradicted || math.Abs(log) > .1 {
		t.Errorf("a typical call of a third, and the same total but for one run: effect %g, %+v", log, c)
	}
	if by := c.StatedBy(0); by != Total {
		t.Errorf("the effect is said to be of the %s", by)
	}
	// Another comparison of the same runs states the same effect.
	if by, asked := r.EffectBy(7, &c, 0); !asked || by != log {
		t.Errorf("by the estimate of the effect %g it is %g", log, by)
	}
}

// Of five runs two in another state are no single runs, and of three none is.
func TestTwoStatesAreTypical(t *testing.T) {
	for _, c := range []struct {
		base, cand []float64
		want       int // values that are replaced
	}{
		{[]float64{1, 1, 1, 1, 9}, []float64{1, 1, 1, 1, 1}, 1},
		{[]float64{1, 1, 1, 9, 9}, []float64{1, 1, 1, 1, 1}, 0},
		{[]float64{1, 1, 9}, []float64{1, 1, 1}, 0},
		{[]float64{1, 1, 1, 1, 2.8}, []float64{1, 1, 1, 1, 1}, 0}, // less than a factor of three
		{[]float64{1, 3, 9, 27, 81}, []float64{1, 3, 9, 27, 81}, 0},
	} {
		var y []float64
		for _, v := range append(append([]float64{}, c.base...), c.cand...) {
			y = append(y, math.Log(v))
		}
		d := Design{Base: len(c.base)}
		f := &family{design: d, sides: d.contrast(len(y))}
		typical, out := f.withoutSingle(y)
		got := 0
		for j := range out {
			got += btoi(out[j] && typical[j] != y[j])
		}
		if got != c.want {
			t.Errorf("of %v against %v, %d runs are single, want %d", c.base, c.cand, got, c.want)
		}
	}
}

// A single run says nothing of a total, so that the interval of the total is as long as if there were no such run. Where it counted as the
// median of its side, intervals were 8 % shorter.
func TestSingleRunsMakeNoIntervalShorter(t *testing.T) {
	sum, n := 0.0, 0.0
	for seed := range uint64(40) {
		costs := noisy(100+seed, 5, 4)
		for j := 5; j < 9; j++ {
			c := &costs[7][j]
			c.Q10Ns, c.Q25Ns, c.MedianNs, c.GeoNs = c.Q10Ns/3, c.Q25Ns/3, c.MedianNs/3, c.GeoNs/3
		}
		preempted(&costs[7][4], 600)
		c := Judge(costs, Design{Base: 5}, Defaults()).Changes[7]
		for i := range costs {
			costs[i] = append(costs[i][:4:4], costs[i][5:]...)
		}
		if without := Judge(costs, Design{Base: 4}, Defaults()).Changes[7]; c.Contradicted && without.Contradicted {
			sum += math.Log((c.TotalHi - c.TotalLo) / (without.TotalHi - without.TotalLo))
			n++
		}
	}
	if ratio := math.Exp(sum / n); n < 20 || ratio < .95 || ratio > 1.1 {
		t.Errorf("of %.0f comparisons, intervals with a single run are %.3f times as long as without", n, ratio)
	}
}

// In blocks and without, the runs that are left have the difference, the variance and the degrees of freedom that all runs have by least squares
// with a constant for the run that is out: with the value at which it has no residual.
func TestLeaveIsAConstantForTheRun(t *testing.T) {
	y := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}
	for _, d := range []Design{{Base: 7}, {Base: 6, Blocks: []int{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}}} {
		f := &family{design: d, sides: d.contrast(len(y))}
		out := make([]bool, len(y))
		out[4] = true
		sides, kept := f.leave(out, y)
		got := sides.fitRow(kept, false)
		filled := append([]float64{}, y...)
		for range 200 { // a step to the fitted value, until it stays
			difference, _ := f.sides.fit(filled)
			centred := f.sides.withinBlocks(make([]float64, len(y)), filled)
			filled[4] -= centred[4] - difference*f.sides.x[4]
		}
		difference, variance := f.sides.fit(filled)
		variance *= f.sides.df / (f.sides.df - 1)
		if math.Abs(got.test.Estimate-difference) > 1e-9 || math.Abs(got.own-variance) > 1e-9 || got.df != f.sides.df-1 || got.xx >= f.sides.xx {
			t.Errorf("%+v: %+v, want a difference of %g and a variance of %g on %g degrees of freedom", d, got, difference, variance, f.sides.df-1)
		}
	}
}
