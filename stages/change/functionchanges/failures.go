package functionchanges

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// Failures are the calls of a function in one run, and how many of them failed.
type Failures struct{ Failed, Calls float64 }

// FailureChange is how the share of failed calls differs between the sides.
type FailureChange struct {
	Base, Cand float64         // shares of all calls of a side
	Test       stats.Moderated // of the difference of the shares
}

// CompareFailures compares the shares of failed calls of the runs of both sides, run by run. The difference is that of weighted least
// squares with the calls as weights and a constant for every block, which without blocks is the difference of the shares of all calls.
// Its variance is the binomial one at the share of both sides (of the block), times the dispersion of the runs around their sides where they differ by
// more than chance (quasi-likelihood: Wedderburn 1974, Biometrika 61, 439-447): failures come in bursts, and a burst in one run shows
// nothing. Without degrees of freedom for the dispersion, of one run against one, it is 1, which is too little.
func CompareFailures(runs []Failures, d Design) FailureChange {
	var sides [2]Failures
	for i, r := range runs {
		s := &sides[btoi(i >= d.Base)]
		s.Failed, s.Calls = s.Failed+r.Failed, s.Calls+r.Calls
	}
	share := func(of Failures) float64 { return of.Failed / max(of.Calls, 1) }
	c := FailureChange{Base: share(sides[0]), Cand: share(sides[1]), Test: stats.Moderated{SE: math.Inf(1), DF: math.Inf(1)}}
	x, y, binomial, beyond := centredFailures(runs, d)
	xx, xy, variance := 0.0, 0.0, 0.0
	for i, r := range runs {
		xx, xy = xx+r.Calls*x[i]*x[i], xy+r.Calls*x[i]*y[i]
		variance += r.Calls * x[i] * x[i] * binomial[i]
	}
	if xx <= 0 || variance <= 0 {
		return c // one side is not called, or nothing fails, or all calls do
	}
	c.Test.Estimate = xy / xx
	dispersion, df := 1.0, float64(beyond-1)
	if df > 0 {
		squares := 0.0
		for i, r := range runs {
			if residual := y[i] - c.Test.Estimate*x[i]; binomial[i] > 0 {
				squares += r.Calls * residual * residual / binomial[i]
			}
		}
		dispersion, c.Test.DF = max(1, squares/df), df
	}
	c.Test.SE = math.Sqrt(variance*dispersion) / xx
	return c
}

// centredFailures returns the side of every run (0 or 1) and its share of failed calls, both less the weighted mean of the run's block, the
// binomial variance of a call in its block, and how many runs with calls there are beyond one a block.
func centredFailures(runs []Failures, d Design) (x, y, binomial []float64, beyond int) {
	type sum struct{ calls, side, failed float64 }
	blocks := make(map[int]*sum)
	block := func(i int) int {
		if d.Blocks == nil {
			return 0
		}
		return d.Blocks[i]
	}
	for i, r := range runs {
		if r.Calls == 0 {
			continue
		}
		b := blocks[block(i)]
		if b == nil {
			b = new(sum)
			blocks[block(i)] = b
			beyond--
		}
		beyond++
		b.calls, b.failed = b.calls+r.Calls, b.failed+r.Failed
		if i >= d.Base {
			b.side += r.Calls
		}
	}
	x, y, binomial = make([]float64, len(runs)), make([]float64, len(runs)), make([]float64, len(runs))
	for i, r := range runs {
		if r.Calls > 0 {
			b := blocks[block(i)]
			x[i] = float64(btoi(i >= d.Base)) - b.side/b.calls
			y[i] = r.Failed/r.Calls - b.failed/b.calls
			binomial[i] = b.failed / b.calls * (1 - b.failed/b.calls)
		}
	}
	return x, y, binomial, beyond
}
