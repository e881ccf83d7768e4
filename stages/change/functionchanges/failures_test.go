package functionchanges

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// failing draws runs of so many calls, each of which fails with the probability of its run.
func failing(r *rand.Rand, runs, calls int, p func() float64) (out []Failures) {
	for range runs {
		f, share := Failures{Calls: float64(calls)}, p()
		for range calls {
			if r.Float64() < share {
				f.Failed++
			}
		}
		out = append(out, f)
	}
	return out
}

// A function that fails in 3 instead of 0.5 % of 1,000 calls a run is found with five runs a side, with an interval around the truth.
func TestFailuresAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	found, held := 0, 0
	for range 200 {
		runs := append(failing(r, 5, 1000, func() float64 { return .005 }), failing(r, 5, 1000, func() float64 { return .03 })...)
		c := CompareFailures(runs, Design{Base: 5})
		lo, hi := c.Test.Interval(.95)
		found += btoi(c.Test.P() < .001)
		held += btoi(lo <= .025 && .025 <= hi)
	}
	if found < 190 || held < 180 {
		t.Errorf("found in %d and held by the interval in %d of 200", found, held)
	}
}

// Where both sides fail alike, a change is claimed at 5 % in no more than 7 % of comparisons: with one share, with few failures, with
// shares that differ from run to run, and with other numbers of calls on either side.
func TestFailuresOfEqualSides(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for name, c := range map[string]struct {
		base, cand int // calls
		p          func() float64
	}{
		"one share":   {1000, 1000, func() float64 { return .02 }},
		"few":         {200, 200, func() float64 { return .002 }},
		"bursts":      {500, 500, func() float64 { return .1 * r.Float64() * r.Float64() }},
		"other calls": {20, 2000, func() float64 { return .01 }},
	} {
		claimed := 0
		for range 1000 {
			runs := append(failing(r, 5, c.base, c.p), failing(r, 5, c.cand, c.p)...)
			claimed += btoi(CompareFailures(runs, Design{Base: 5}).Test.P() < .05)
		}
		if claimed > 70 {
			t.Errorf("%s: claimed in %d of 1000", name, claimed)
		}
	}
}

// A burst in one run shows nothing, and the interval says the same as p.
func TestFailuresInBursts(t *testing.T) {
	runs := make([]Failures, 10)
	for i := range runs {
		runs[i].Calls = 100
	}
	runs[7].Failed = 12
	c := CompareFailures(runs, Design{Base: 5})
	if p := c.Test.P(); p < .2 {
		t.Errorf("p is %g", p)
	}
	expect.Equal(t, math.Abs(c.Test.Estimate-.024) < 1e-12, true, "difference of the shares")
	lo, hi := c.Test.Interval(.95)
	expect.Equal(t, lo*hi < 0, true, "the interval holds 0")
}

// Runs of one block are compared with each other: blocks that fail more on both sides hide nothing.
func TestFailuresWithinBlocks(t *testing.T) {
	var runs []Failures
	d := Design{Base: 4, Blocks: []int{0, 1, 2, 3, 0, 1, 2, 3}}
	for _, more := range []float64{0, 30} {
		for _, of := range []float64{5, 100, 300, 600} {
			runs = append(runs, Failures{Failed: of + more, Calls: 1000})
		}
	}
	within := CompareFailures(runs, d)
	across := CompareFailures(runs, Design{Base: 4})
	if math.Abs(within.Test.Estimate-.03) > 1e-12 || within.Test.P() > .05 || across.Test.P() < .5 {
		t.Errorf("within blocks %+v, across %+v", within.Test, across.Test)
	}
}

// One run against one has a test, and without calls, failures, or a second side there is none.
func TestFailuresOfFewRuns(t *testing.T) {
	one := CompareFailures([]Failures{{0, 1000}, {50, 1000}}, Design{Base: 1})
	expect.Equal(t, one.Test.P() < .001, true, "one run against one")
	for _, runs := range [][]Failures{{{0, 0}, {3, 10}}, {{0, 10}, {0, 10}}, {{0, 0}, {0, 0}}} {
		expect.Equal(t, CompareFailures(runs, Design{Base: 1}).Test.P(), 1, "p of nothing")
	}
	expect.Equal(t, CompareFailures([]Failures{{5, 5}, {5, 5}, {5, 5}, {5, 5}}, Design{Base: 2}).Test.P(), 1, "p where all calls fail")
}
