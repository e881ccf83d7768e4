package functionchanges

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestContradictedInNs compares pairs of runs under three loads, as a stratified comparison does. A function that waits takes about 0.5 ms,
// 20 ms or 60 ms a run. Its typical call takes a third less in the candidate, and its total does not: which the ratios of the totals cannot show,
// as they vary under the lightest load, and their differences do. A third of 27 ms is no effect then. A function that takes half as long
// under every load is half as dear in both ways.
func TestContradictedInNs(t *testing.T) {
	const perLoad, loads = 3, 3
	const pairs = perLoad * loads
	for seed := range uint64(10) {
		costs, rng := noisy(700+seed, pairs, pairs), rand.New(rand.NewPCG(seed, 2))
		blocks := make([]int, 2*pairs)
		for j := range blocks {
			blocks[j] = j % pairs
			load := blocks[j] / perLoad
			setTotal(&costs[3][j], []float64{.5e6, 20e6, 60e6}[load])
			if c := &costs[3][j]; load == 0 {
				c.TotalNs *= math.Exp(.8 * rng.NormFloat64())
			} else {
				c.TotalNs *= math.Exp(.005 * rng.NormFloat64())
			}
			if c := &costs[3][j]; j >= pairs {
				c.Q10Ns, c.Q25Ns, c.MedianNs, c.GeoNs = c.Q10Ns*.67, c.Q25Ns*.67, c.MedianNs*.67, c.GeoNs*.67
			}
		}
		slow(costs[8], pairs, .5)
		changes := Judge(costs, Design{Base: pairs, Blocks: blocks}, Defaults()).Changes
		wait, halved := &changes[3], &changes[8]
		log, lo, hi := wait.Effect(0)
		if ns := math.Expm1(log) * wait.BaseNs; !wait.Found || math.Abs(ns) > 2e6 || min(lo, -hi) < math.Log(.85) {
			t.Errorf("seed %d: typical calls take a third less, and all together do not: %.0f ns, %+v", seed, ns, *wait)
		}
		if log, _, hi := halved.Effect(0); !halved.Found || halved.Contradicted || hi >= 0 || math.Abs(log-math.Log(.5)) > .15 {
			t.Errorf("seed %d: half as long under every load: %+v", seed, *halved)
		}
	}
}

// setTotal changes all times of a function in one run so that its total is ns.
func setTotal(c *Cost, ns float64) {
	by := ns / c.TotalNs
	c.TotalNs, c.Q10Ns, c.Q25Ns, c.MedianNs, c.GeoNs = ns, c.Q10Ns*by, c.Q25Ns*by, c.MedianNs*by, c.GeoNs*by
}
