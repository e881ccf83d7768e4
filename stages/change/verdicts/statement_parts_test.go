package verdicts

import (
	"math"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// allAt is a run of n calls that take some time together, with the same value at all quantiles.
func allAt(n, total, quantile float64) Run {
	r := Run{Count: n, N: n, TotalNs: total, Quantiles: new([len(Quantiles)]float64)}
	for i := range r.Quantiles {
		r.Quantiles[i] = quantile
	}
	return r
}

// TestStateByHand works statements out by hand where the typical call says nothing.
func TestStateByHand(t *testing.T) {
	s := sidesOf(1, 1)
	of := func(base, cand Run) Statement { return State(&Observed{Runs: []Run{base, cand}}, &s) }
	got := of(Run{Count: 2, N: 2, TotalNs: 20}, Run{Count: 3, N: 3, TotalNs: 90})
	expect.Equal(t, got, Statement{Kind: schema.InTotal, Ratio: 4.5}, "no quantiles")
	got = of(allAt(10, 10, 0), allAt(10, 60, 5))
	expect.Equal(t, got.Kind == schema.SomeCalls && math.Abs(got.Share-.9) < 1e-9 && math.Abs(got.Ns-5/.9) < 1e-9, true, "a median of nothing: %+v", got)
	got = of(allAt(1, 10, 10), allAt(1, 30, 11))
	expect.Equal(t, got, Statement{Kind: schema.EachCall, Ratio: 3}, "one call a run")
	expect.Equal(t, of(allAt(2, 20, 10), allAt(2, 60, 11)).Kind, schema.SomeCalls, "two calls a run")
}

// TestUnchangedBelow finds the quantile up to which nothing changed.
func TestUnchangedBelow(t *testing.T) {
	base, cand := side{mean: 10}, side{mean: 15}
	for _, p := range Quantiles {
		base.quantiles = append(base.quantiles, 10)
		if cand.quantiles = append(cand.quantiles, 10); p > .85 {
			cand.quantiles[len(cand.quantiles)-1] = 60
		}
	}
	closeTo(t, "the eighth decile", unchangedBelow(base, cand), .8)
	closeTo(t, "share", changedShare(base, cand), .1)
}

// TestFloors sees that a number of calls has no floor in ns, that what is reached at once has the resolution of a clock, and that three
// blocks make a verdict.
func TestFloors(t *testing.T) {
	s := sidesOf(1, 1)
	late := valued(2, 9)
	late.ArrivalNs = 4e6
	all := newEngine(s, Defaults()).reduce(&Observed{Runs: []Run{valued(1, 9), late}}).Moments
	expect.Equal(t, all[1].Quantity*10+all[2].Quantity, 10*count+arrival, "quantities")
	closeTo(t, "margin of a number", all[1].Margin, math.Log1p(.05))
	closeTo(t, "reached at once", all[2].Base, math.Log(ResolutionNs))
	blocks := sidesOf(3, 3)
	blocks.Blocks = []int{0, 1, 2, 0, 1, 2}
	expect.Equal(t, newEngine(blocks, Defaults()).hasVerdicts(), true, "three blocks")
	blocks.Blocks = []int{0, 1, 1, 0, 1, 1}
	expect.Equal(t, newEngine(blocks, Defaults()).hasVerdicts(), false, "two blocks")
}
