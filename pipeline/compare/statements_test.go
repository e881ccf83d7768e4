package compare

import (
	"math"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/functionchanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

// Each call takes a fifth longer, in a candidate whose machine was faster: of three runs of the baseline two were slow, so that their
// median is above their mean. Without what the runs share each call is longer; with it some would seem to be.
func TestStatementWithoutFactors(t *testing.T) {
	factors := []float64{1.13, 1.12, .95, .92, .9, .93}
	f := &functions{runs: []int{0, 1, 2, 3, 4, 5}, design: functionchanges.Design{Base: 3}}
	f.result.Asked, f.result.Changes = 1, []functionchanges.Change{{Follows: true}}
	var runs []verdicts.Run
	for i, factor := range factors {
		call := 100 * factor
		if i >= 3 {
			call *= 1.2
		}
		r := verdicts.Run{Count: 50, N: 50, TotalNs: 50 * call, Quantiles: new([len(verdicts.Quantiles)]float64)}
		for q := range r.Quantiles {
			r.Quantiles[q] = call
		}
		runs = append(runs, r)
		f.result.Factors.Log = append(f.result.Factors.Log, math.Log(factor))
	}
	sides := &verdicts.Sides{Base: []int{0, 1, 2}, Cand: []int{3, 4, 5}, Roots: []float64{10, 10, 10, 10, 10, 10}}
	with, without := verdicts.State(&verdicts.Observed{Runs: runs}, sides), verdicts.State(&verdicts.Observed{Runs: f.withoutFactors(0, runs)}, sides)
	expect.Equal(t, with.Kind, schema.SomeCalls, "statement with the factors")
	expect.Equal(t, without.Kind, schema.EachCall, "statement without them")
	expect.Equal(t, math.Round(100*without.Ratio), 120, "per cent")
	expect.Equal(t, math.Round(runs[0].TotalNs), 5650, "the runs themselves stay as they are, ns")
	f.result.Changes[0].Follows = false
	expect.Equal(t, verdicts.State(&verdicts.Observed{Runs: f.withoutFactors(0, runs)}, sides).Kind, schema.SomeCalls, "of a function that waits")
}
