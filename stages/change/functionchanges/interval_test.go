package functionchanges

import (
	"math"
	"testing"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// TestIntervalOfADifferenceIsBounded takes the difference of a function that waits 40 times as long on one side, with an error that lets
// the baseline be nothing: the ratio then has no upper bound, but the difference of the costs has one, which is what is reported.
func TestIntervalOfADifferenceIsBounded(t *testing.T) {
	f := &family{design: Design{Base: 3}, costs: [][]Cost{make([]Cost, 6)}, reaches: make(map[reachOf]*reach)}
	of := func(estimate, se float64) *row {
		return &row{test: stats.Moderated{Estimate: estimate, SE: se, DF: 4}, df: 4}
	}
	log, lo, hi := f.effect(Linear, of(1.9, .2), .95)
	_, half := f.interval(of(0, .2), .95)
	// In units of the mean of all runs the baseline is at .05 and the candidate at 1.95; the difference is 1.9 +- half.
	if want := math.Log(1.95 / .05); math.Abs(log-want) > 1e-9 {
		t.Errorf("the effect is %g, want %g", log, want)
	}
	if got, want := .05*math.Expm1(hi), 1.9+half; math.Abs(got-want) > 1e-9 {
		t.Errorf("the upper bound of the difference is %g, want %g", got, want)
	}
	if !(lo < log && math.Abs(lo-math.Log((1+(1.9-half)/2)/(1-(1.9-half)/2))) < 1e-9) {
		t.Errorf("the lower bound is %g", lo)
	}
	// Where the bound of the ratio is the lesser one it stands: a function that became faster.
	if _, _, hi := f.effect(Linear, of(-.5, .05), .95); !(hi < 0 && hi > -.6) {
		t.Errorf("the upper bound of a fall is %g", hi)
	}
}

// What a function exceeds, and what it lies within, is the same with the sides swapped.
func TestFloorsOfBothSides(t *testing.T) {
	for _, c := range []Change{
		{Log: .25, LogLo: .1, LogHi: .4, BaseNs: 40_000, CandNs: 52_000},
		{Log: 1.5, LogLo: 1, LogHi: 2, BaseNs: 5_000, CandNs: 9_000}, // a typical call grew, and the total by less
		{Log: -.2, LogLo: -.3, LogHi: .1, BaseNs: 35_000, CandNs: 30_000},
	} {
		swapped := Change{Log: -c.Log, LogLo: -c.LogHi, LogHi: -c.LogLo, BaseNs: c.CandNs, CandNs: c.BaseNs}
		for floor := 1000.; floor < 40_000; floor += 500 {
			if c.Exceeds(floor) != swapped.Exceeds(floor) || c.Within(floor) != swapped.Within(floor) || c.Exceeds(floor) && c.Within(floor) {
				t.Errorf("%+v at a floor of %g: exceeds %t, within %t; swapped %t, %t", c, floor,
					c.Exceeds(floor), c.Within(floor), swapped.Exceeds(floor), swapped.Within(floor))
			}
		}
	}
}
