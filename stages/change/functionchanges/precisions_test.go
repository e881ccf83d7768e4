package functionchanges

import (
	"math"
	"testing"
)

// TestPrecisions checks that steadier estimates weigh more, and that none takes the others' weight: a quantile of a coarse clock never differs.
func TestPrecisions(t *testing.T) {
	for _, se := range [][estimates]float64{{.1, .1, .1, .1, .1, .1}, {.3, .3, .2, .02, .01, .2}, {.1, .1, 1e-5, .1, 1e-5, .1}} {
		weights, sum := precisions(se), 0.0
		for e, w := range weights {
			sum += w
			if w < 1./(2*estimates) {
				t.Errorf("%v: estimate %d has a weight of %g", se, e, w)
			}
			for other := range weights {
				if se[e] < se[other] && !(w > weights[other]) {
					t.Errorf("%v: estimate %d weighs %g, and %d, which is less steady, %g", se, e, w, other, weights[other])
				}
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%v: the weights add up to %g", se, sum)
		}
	}
}

// TestCoarseClock lets the quantiles of a function be the same in all runs, as where a clock ticks three times a call: what shows in the total
// alone is found all the same, most times.
func TestCoarseClock(t *testing.T) {
	found := 0
	for seed := range uint64(10) {
		costs := noisy(700+seed, 5, 5)
		for j := range costs[4] {
			c := &costs[4][j]
			c.Q10Ns, c.Q25Ns, c.MedianNs = 30, 30, 30
			if j >= 5 {
				c.TotalNs *= 1.6
			}
		}
		c := Judge(costs, Design{Base: 5}, Defaults()).Changes[4]
		found += btoi(c.Found && !c.By.PerCall())
	}
	if found < 8 {
		t.Errorf("found by its total with %d of 10 seeds", found)
	}
}

// TestEffectOnTheTotal takes a quartile of calls that changed by less than the floor in a function that changed by more: the floor is about what a run
// costs.
func TestEffectOnTheTotal(t *testing.T) {
	of := func(change func(c *Change)) *Change {
		c := &Change{Found: true, By: Quartile, BaseNs: 36_000, CandNs: 46_000, Log: .22, LogLo: .1, LogHi: .3, TotalLog: .27, TotalLo: .12, TotalHi: .4}
		change(c)
		return c
	}
	for _, c := range []struct {
		name   string
		change *Change
		floor  float64
		log    float64
	}{
		{"the total exceeds the floor", of(func(*Change) {}), 10_000, .27},
		{"the quartile does as well", of(func(*Change) {}), 5_000, .22},
		{"nothing was found", of(func(c *Change) { c.Found = false }), 10_000, .22},
		{"the total may not have changed", of(func(c *Change) { c.TotalLo = -.01 }), 10_000, .22},
		{"the total changed the other way", of(func(c *Change) { c.TotalLog, c.TotalLo, c.TotalHi = -.27, -.4, -.12 }), 10_000, .22},
	} {
		log, _, _ := c.change.Effect(c.floor)
		if log != c.log {
			t.Errorf("%s: effect %g, want %g", c.name, log, c.log)
		}
		// With the sides swapped it is the same.
		swapped := *c.change
		swapped.BaseNs, swapped.CandNs = c.change.CandNs, c.change.BaseNs
		swapped.Log, swapped.LogLo, swapped.LogHi = -c.change.Log, -c.change.LogHi, -c.change.LogLo
		swapped.TotalLog, swapped.TotalLo, swapped.TotalHi = -c.change.TotalLog, -c.change.TotalHi, -c.change.TotalLo
		if exceeds := c.change.Exceeds(c.floor); exceeds != swapped.Exceeds(c.floor) || exceeds != (c.log == .27 || c.floor == 5_000) {
			t.Errorf("%s: exceeds %t, swapped %t", c.name, exceeds, swapped.Exceeds(c.floor))
		}
	}
}
