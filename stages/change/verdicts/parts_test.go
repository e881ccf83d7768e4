package verdicts

import (
	"math"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/testdata/expect"
)

// closeTo reports a number that is not the one that was worked out by hand.
func closeTo(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(got == want || math.Abs(got-want) <= 1e-12*math.Max(math.Abs(want), 1)) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// sidesOf are sides of so many runs, without older ones.
func sidesOf(base, cand int) Sides {
	var s Sides
	for i := range base + cand {
		if i < base {
			s.Base = append(s.Base, i)
		} else {
			s.Cand = append(s.Cand, i)
		}
	}
	return s
}

// withPrior is a row whose prior takes part with two degrees of freedom of a variance of .04.
func withPrior(base, cand int, vBase, vCand float64) *row {
	return &row{Moments: &Moments{RunsBase: int32(base), RunsCand: int32(cand), BaseVariance: vBase, CandVariance: vCand}, prior: &stats.Prior{DF: 2, Variance: .04}}
}

// TestDifferenceIsWelchs works the interval of a difference of costs out by hand: squeezed variances, and the degrees of freedom of Welch.
func TestDifferenceIsWelchs(t *testing.T) {
	e := newEngine(sidesOf(2, 4), Defaults())
	m, known := e.difference(withPrior(2, 4, .01, .09), 10, 30)
	// base: (2*.04 + 1*.01)/3 = .03 of 3 degrees; cand: (2*.04 + 3*.09)/5 = .07 of 5
	a, b := 100*.03/2, 900*.07/4
	expect.Equal(t, known, true, "a variance of two runs is known")
	closeTo(t, "estimate", m.Estimate, 20)
	closeTo(t, "standard error", m.SE, math.Sqrt(a+b))
	closeTo(t, "degrees of freedom", m.DF, (a+b)*(a+b)/(a*a/3+b*b/5))
	small, _ := e.difference(withPrior(2, 4, .01, .09), .1, .3) // variances far below a square nanosecond
	closeTo(t, "degrees of freedom of small costs", small.DF, m.DF)
	for _, c := range []struct{ base, cand int }{{1, 4}, {4, 1}} {
		if _, known := newEngine(sidesOf(c.base, c.cand), Defaults()).difference(withPrior(c.base, c.cand, 0, 0), 10, 30); known {
			t.Errorf("%d runs against %d have a variance each", c.base, c.cand)
		}
	}
	blocks := sidesOf(2, 2)
	blocks.Blocks = []int{0, 1, 0, 1}
	if _, known := newEngine(blocks, Defaults()).difference(withPrior(2, 2, .1, .1), 10, 30); known {
		t.Error("blocks have a variance of each side")
	}
	certain := &row{Moments: &Moments{RunsBase: 2, RunsCand: 2}, prior: &stats.Prior{DF: math.Inf(1), Variance: .04}}
	m, _ = e.difference(certain, 10, 30)
	expect.Equal(t, math.IsInf(m.DF, 1), true, "a prior that is certain leaves no degrees of freedom open")
	free := &row{Moments: &Moments{RunsBase: 2, RunsCand: 2}, prior: new(stats.Prior)}
	m, _ = e.difference(free, 0, 0)
	expect.Equal(t, math.IsInf(m.DF, 1) && m.SE == 0, true, "costs of nothing do not vary")
}

// TestRounded checks that degrees of freedom are rounded down, by little.
func TestRounded(t *testing.T) {
	for _, c := range []struct{ df, want float64 }{{.5, .5}, {1, 1}, {1.05, 1}, {2.2, 2.125}, {15.99, 15.875}, {16, 16}, {math.Inf(1), math.Inf(1)}} {
		closeTo(t, "rounded", rounded(c.df), c.want)
	}
	for df := 16.; df < 1e4; df *= 1.01 {
		if got := rounded(df); got > df*(1+1e-12) || got < df*28/29 {
			t.Errorf("%g is rounded to %g", df, got)
		}
	}
}

// TestRunsNeeded compares the answers for rounded margins with plans made for them, and at the bounds.
func TestRunsNeeded(t *testing.T) {
	e := newEngine(sidesOf(3, 3), Defaults())
	at := func(quantity int, margin, sd, prior float64) *row {
		return &row{Moments: &Moments{Quantity: int32(quantity), Margin: margin}, sd: sd, prior: &stats.Prior{DF: prior}}
	}
	expect.Equal(t, e.runsFor(at(cost, 8, 1, 0)), MinRuns, "a margin of eight deviations")
	expect.Equal(t, e.runsFor(at(cost, 1./64, 1, 0)), stats.MostRuns, "a margin of a 64th")
	plan := func(margin, prior float64) int {
		return max(MinRuns, stats.Plan{SD: 1, PriorDF: prior, Alpha: .05, Power: .8}.RunsForEquivalence(margin))
	}
	for _, c := range []struct{ margin, prior, rounded, power float64 }{
		{.5, 0, .5, 0}, {.6, 1, .5, 1}, {.75, 3.9, math.Exp2(-.5), 2}, {1, 64, 1, 64}, {1, 1000, 1, 64}, {.25, .99, .25, 0}, {.5, 4, .5, 4},
	} {
		for range 2 { // the second answer is a kept one
			expect.Equal(t, e.runsFor(at(cost, c.margin, 1, c.prior)), plan(c.rounded, c.power), "margin %g, prior of %g", c.margin, c.prior)
		}
	}
	for i, want := range []int{0, 1, 2, 2, 4, 4, 4, 4, 8} {
		expect.Equal(t, powerOfTwo(float64(i)), want, "power of two up to %d", i)
	}
	expect.Equal(t, powerOfTwo(1e6), 64, "power of two up to a million")
	count := &hypothesis{rows: []*row{at(count, .02, 1, 0)}}
	place := &hypothesis{rows: []*row{at(location, .5, 1, 0)}}
	expect.Equal(t, e.runsNeeded([]*hypothesis{{rows: []*row{at(cost, 8, 1, 0)}}, count}), MinRuns, "counts are not asked for")
	expect.Equal(t, e.runsNeeded([]*hypothesis{{rows: []*row{at(cost, 8, 1, 0)}}, place}), plan(.5, 0), "medians are")
}

// valued is a run of n values that are a little apart.
func valued(n, each float64) Run {
	r := Run{Count: n, N: n, TotalNs: n * each, Quantiles: new([len(Quantiles)]float64)}
	for i, p := range Quantiles {
		r.Quantiles[i] = each * (.5 + p)
	}
	return r
}

// TestSpread works out how noisy a subject is taken to be where runs are too few for verdicts.
func TestSpread(t *testing.T) {
	e := newEngine(sidesOf(1, 1), Defaults())
	o := &Observed{Runs: []Run{valued(4, 9000), valued(16, 4000)}}
	// The ninth decile is .8 above the first, in units of the mean; the median is the mean, and the resolution is added.
	want := shorter + .8*9000/10000/2 + .8*4000/5000/4
	closeTo(t, "spread", e.spread(o), want)
	r := e.reduce(o)
	closeTo(t, "spread of a reduction", r.Spread, want)
	closeTo(t, "noise by the spread", r.noise(&r.Moments[0]), want)
	one := &Observed{Runs: []Run{valued(4, 9000), valued(1, 4000)}}
	two := &Observed{Runs: []Run{valued(2, 9000), valued(2, 4000)}}
	bare := &Observed{Runs: []Run{valued(4, 9000), {Count: 4, N: 4, TotalNs: 4}}}
	bareBase := &Observed{Runs: []Run{{Count: 4, N: 4, TotalNs: 4}, valued(4, 9000)}}
	expect.Equal(t, math.IsNaN(e.spread(one)), true, "the spread of one value is not known")
	expect.Equal(t, math.IsNaN(e.spread(two)), false, "the spread of two values is known")
	expect.Equal(t, math.IsNaN(e.spread(bare)) && math.IsNaN(e.spread(bareBase)), true, "a run without quantiles has no spread")
	r = e.reduce(one)
	closeTo(t, "noise by the length", r.noise(&Moments{Base: 3, Cand: 4}), -7)
}

// TestAgainstABin tests three subjects of one bin by hand: the deviation of all of them is the median absolute one.
func TestAgainstABin(t *testing.T) {
	var rows []*row
	for _, estimate := range []float64{.1, -.3, .2} {
		r := &row{Moments: &Moments{Margin: .05}}
		r.test.Estimate = estimate
		rows = append(rows, r)
	}
	testAgainstBin(rows)
	for _, r := range rows {
		want := stats.Moderated{Estimate: r.test.Estimate, SE: madToSigma * .2, DF: math.Inf(1)}
		closeTo(t, "standard error", r.test.SE, want.SE)
		closeTo(t, "deviation of a run", r.sd, want.SE/math.Sqrt2)
		closeTo(t, "p", r.p, want.P())
		closeTo(t, "equivalence p", r.equal, want.Equivalence(.05))
		expect.Equal(t, math.IsInf(r.test.DF, 1), true, "degrees of freedom")
	}
}

// TestCandidatesOfRuns sees that two against one are tested against how much runs differ, and one against one against the others.
func TestCandidatesOfRuns(t *testing.T) {
	e := newEngine(sidesOf(2, 1), Defaults())
	r := &row{Moments: &Moments{DF: 1}, p: .5}
	r.test = stats.Moderated{Estimate: 1, SE: .1, DF: 1}
	e.testCandidates(nil, []*row{r})
	closeTo(t, "p", r.p, r.test.P())
}

// TestReduction works out the means of a subject, per root execution and as they are.
func TestReduction(t *testing.T) {
	s := sidesOf(3, 3)
	s.Roots = []float64{2, 1, 1, 4, 0, 1}
	e := newEngine(s, Defaults())
	o := &Observed{Runs: []Run{valued(4, 10), valued(1, 30), valued(2, 25), valued(8, 5), valued(3, 10), valued(6, 10)}}
	r := e.reduce(o)
	closeTo(t, "cost of the baseline", r.CostBase, (20+30+50)/3.)
	closeTo(t, "cost of the candidate", r.CostCand, (10+30+60)/3.)
	closeTo(t, "total of the baseline", r.TotalBase, (40+30+50)/3.)
	closeTo(t, "total of the candidate", r.TotalCand, (40+30+60)/3.)
	closeTo(t, "count of the baseline", r.CountBase, (2+1+2)/3.)
	closeTo(t, "count of the candidate", r.CountCand, (2+3+6)/3.)
	expect.Equal(t, r.TakenBase, 3, "runs")
	expect.Equal(t, math.IsNaN(r.Spread) || r.Spread == 0, true, "enough runs need no spread")
}

// TestMomentsOfTheSides sees that each side has a variance of its own from two runs on, without blocks, and that odd runs are drawn in
// only from three runs on.
func TestMomentsOfTheSides(t *testing.T) {
	for _, c := range []struct {
		base, cand int
		own        bool
	}{{2, 2, true}, {1, 2, false}, {2, 1, false}, {3, 3, true}} {
		e := newEngine(sidesOf(c.base, c.cand), Defaults())
		y := []float64{1, 2, 10, 1, 1, 1}[:c.base+c.cand]
		m := e.moments(cost, 0, append([]float64(nil), y...), c.base, c.cand, nil)
		expect.Equal(t, m.BaseVariance > 0, c.own, "variance of the baseline of %d against %d", c.base, c.cand)
		if c.base+c.cand == 4 {
			closeTo(t, "variance of the baseline", m.BaseVariance, .5)
			closeTo(t, "variance of the candidate", m.CandVariance, 40.5)
			closeTo(t, "nothing is drawn in", m.Estimate, m.Plain)
		}
		if c.base == 3 {
			expect.Equal(t, math.Abs(m.Estimate) < math.Abs(m.Plain), true, "the odd run is drawn in")
		}
	}
	blocks := sidesOf(3, 3)
	blocks.Blocks = []int{0, 1, 2, 0, 1, 2}
	e := newEngine(blocks, Defaults())
	m := e.moments(cost, 0, []float64{1, 2, 10, 1, 1, 1}, 3, 3, e.blocks)
	closeTo(t, "runs in blocks are not drawn in", m.Estimate, (0-1-9)/3.)
	closeTo(t, "variance of a side in blocks", m.BaseVariance, 0)
}

// TestWhichQuantities sees which quantities are compared at the bounds of how many values runs need.
func TestWhichQuantities(t *testing.T) {
	names := func(runs ...Run) (all []int) {
		s := sidesOf(1, len(runs)-1)
		for _, m := range newEngine(s, Defaults()).momentsOf(&Observed{Runs: runs}) {
			all = append(all, int(m.Quantity))
		}
		return all
	}
	late := func(r Run) Run { r.ArrivalNs = 1e6; return r }
	expect.Slice(t, names(valued(4, 9), valued(4, 9)), []int{cost}, "four values")
	expect.Slice(t, names(valued(5, 9), valued(5, 9)), []int{cost, location}, "five values")
	expect.Slice(t, names(valued(5, 9), valued(6, 9)), []int{cost, count, location}, "counts differ")
	expect.Slice(t, names(late(valued(4, 9)), valued(4, 9)), []int{cost, arrival}, "one run reaches it late")
	expect.Slice(t, names(late(valued(4, 9)), Run{}), []int{cost, count}, "one run never reaches it")
	expect.Slice(t, names(valued(5, 9), Run{Count: 5, N: 5}), []int{cost}, "one run has no quantiles")
	// Ten values lie beyond the fifth and the fourth and sixth deciles from 25 on; the median is no shape.
	expect.Slice(t, names(valued(25, 9), valued(25, 9)), []int{cost, location, firstShape + 3, firstShape + 4}, "25 values")
	expect.Slice(t, names(valued(24, 9), valued(25, 9)), []int{cost, count, location}, "24 values of one run")
	gap := valued(25, 9)
	gap.Quantiles[3] = math.NaN()
	expect.Slice(t, names(gap, valued(25, 9)), []int{cost, location, firstShape + 4}, "one run lacks a quantile")
	closeTo(t, "a number of calls and a half, by roots", func() float64 {
		s := sidesOf(1, 1)
		s.Roots = []float64{1, 4}
		return newEngine(s, Defaults()).momentsOf(&Observed{Runs: []Run{valued(1, 9), valued(2, 9)}})[1].Cand
	}(), math.Log(2.5/4))
}

// TestRunOf sees that a summary without values has no quantiles, and one that lacks some has gaps there.
func TestRunOf(t *testing.T) {
	half := 7.
	none, one := RunOf(&schema.Summary{Count: 3, Q50Ns: &half}), RunOf(&schema.Summary{Count: 3, N: 1, TotalNs: 7, ArrivalNs: 5, Q50Ns: &half})
	expect.Equal(t, none.Quantiles == nil, true, "no values have no quantiles")
	expect.Equal(t, one.Quantiles[median], 7., "the median")
	expect.Equal(t, math.IsNaN(one.Quantiles[0]) && one.TotalNs == 7 && one.ArrivalNs == 5, true, "gaps")
}

// TestCertain sees that counts per root execution are compared over all runs of each side.
func TestCertain(t *testing.T) {
	s := sidesOf(2, 2)
	s.Roots = []float64{1, 2, 1, 1}
	e := newEngine(s, Defaults())
	of := func(n ...float64) *Observed {
		o := new(Observed)
		for _, count := range n {
			o.Runs = append(o.Runs, Run{Count: count})
		}
		return o
	}
	expect.Equal(t, e.certain(of(2, 4, 3, 3)), true, "2 against 3")
	expect.Equal(t, e.certain(of(3, 6, 3, 3)), false, "3 against 3")
	expect.Equal(t, e.certain(of(2, 2, 3, 3)), false, "the baseline varies")
	expect.Equal(t, e.certain(of(2, 4, 3, 4)), false, "the candidate varies")
}

// TestEqualAtItsBounds takes subjects that are shown to lie within the margin, of which something else speaks against it.
func TestEqualAtItsBounds(t *testing.T) {
	e := newEngine(sidesOf(4, 4), Defaults())
	cases := []struct {
		name string
		of   Reduction
		m    Moments
		p    float64 // of a change beyond the margin
		want string
	}{
		{"equal", Reduction{TakenBase: 4, TakenCand: 4}, Moments{Margin: .05}, .01, schema.Unchanged},
		{"not shown", Reduction{TakenBase: 4, TakenCand: 4}, Moments{Margin: .05}, .05, ""},
		{"half of a side has it", Reduction{TakenBase: 2, TakenCand: 4}, Moments{Margin: .05}, .01, ""},
		{"half of the other side has it", Reduction{TakenBase: 4, TakenCand: 2}, Moments{Margin: .05}, .01, ""},
		{"most of a side has it", Reduction{TakenBase: 3, TakenCand: 3}, Moments{Margin: .05}, .01, schema.Unchanged},
		{"an odd run is beyond", Reduction{TakenBase: 4, TakenCand: 4}, Moments{Margin: .05, Plain: -.06}, .01, ""},
		{"an odd run lies on the bound", Reduction{TakenBase: 4, TakenCand: 4}, Moments{Margin: .05, Plain: .05}, .01, schema.Unchanged},
		{"an odd pair is beyond", Reduction{TakenBase: 4, TakenCand: 4}, Moments{Margin: .05, Plain: .06, Blocks: 1}, .01, schema.Unchanged},
	}
	for _, c := range cases {
		c.m.Quantity = cost
		r := &row{Moments: &c.m, equal: c.p}
		var j Judgement
		e.decideEqual(&j, &c.of, []*hypothesis{{rows: []*row{r}}})
		expect.Equal(t, j.Verdict, c.want, "%s", c.name)
	}
	both := Reduction{TakenBase: 4, TakenCand: 4}
	median := func(p float64) *hypothesis {
		return &hypothesis{rows: []*row{{Moments: &Moments{Quantity: location}, equal: p}}}
	}
	total := &hypothesis{rows: []*row{{Moments: &Moments{Quantity: cost, Margin: .05}, equal: .01}}}
	var j Judgement
	if e.decideEqual(&j, &both, []*hypothesis{total, median(.05)}); j.Verdict != "" {
		t.Error("the median is not shown to be unchanged")
	}
	if e.decideEqual(&j, &both, []*hypothesis{total, median(.04)}); j.Verdict != schema.Unchanged {
		t.Error("the median is shown to be unchanged")
	}
}

// TestAtTheRate sees that a q of just the rate is found, by each rule.
func TestAtTheRate(t *testing.T) {
	e := newEngine(sidesOf(4, 4), Defaults())
	for quantity, rule := range map[int]func(*Judgement, *Reduction, []*hypothesis) *hypothesis{
		cost: e.decideTime, location: e.decideTime, firstShape: e.decideShape, count: e.decideCount, arrival: e.decideArrival,
	} {
		for q, found := range map[float64]bool{.05: true, .0501: false} {
			r := &row{Moments: &Moments{Quantity: int32(quantity)}, q: q}
			if got := rule(new(Judgement), new(Reduction), []*hypothesis{{rows: []*row{r}}}) != nil; got != found {
				t.Errorf("quantity %d at a q of %g is found: %t", quantity, q, got)
			}
		}
	}
	j := new(Judgement)
	if e.decideCount(j, &Reduction{Certain: true}, []*hypothesis{{rows: []*row{{Moments: &Moments{Quantity: count}, q: 1}}}}); j.Verdict != schema.CountChanged {
		t.Error("numbers that do not vary need no test")
	}
}

// TestBlocksOfBothSides sees that a block of one side only is none, and what its number means for the scale of a variance.
func TestBlocksOfBothSides(t *testing.T) {
	s := sidesOf(3, 3)
	s.Blocks = []int{0, 1, 2, 1, 3, 0}
	blocks := blocksOf(&s)
	expect.Equal(t, len(blocks), 2, "blocks of both sides")
	closeTo(t, "scale of two blocks", scale(&row{Moments: &Moments{RunsBase: 3, RunsCand: 3, Blocks: 2}}), .5)
	closeTo(t, "scale of one block", scale(&row{Moments: &Moments{RunsBase: 3, RunsCand: 3, Blocks: 1}}), 1)
	closeTo(t, "scale of no blocks", scale(&row{Moments: &Moments{RunsBase: 2, RunsCand: 4}}), .75)
}

// TestCallsOfSomeRuns works out the cost of what some runs lack: the time of a call, times the mean number of calls.
func TestCallsOfSomeRuns(t *testing.T) {
	s := sidesOf(4, 4)
	e := newEngine(s, Defaults())
	o := &Observed{Runs: []Run{{Count: 2, TotalNs: 8e6}, {Count: 2, TotalNs: 8e6}, {Count: 2, TotalNs: 8e6}, {},
		{Count: 4, TotalNs: 32e6}, {Count: 4, TotalNs: 32e6}, {Count: 4, TotalNs: 32e6}, {Count: 4, TotalNs: 32e6}}}
	m, sporadic := e.costOfCalls(o)
	calls := (2*3 + 4*4) / 8.
	expect.Equal(t, sporadic, true, "one run lacks it")
	closeTo(t, "baseline", m.Base, math.Log(4e6*calls+ResolutionNs))
	closeTo(t, "candidate", m.Cand, math.Log(8e6*calls+ResolutionNs))
	expect.Equal(t, m.RunsBase*10+m.RunsCand, 34, "runs")
}

// TestLeastP takes the first of the least p of a hypothesis, and none that is not known.
func TestLeastP(t *testing.T) {
	h := &hypothesis{rows: []*row{{p: .3}, {p: math.NaN()}, {p: .1, subject: 2}, {p: .1, subject: 3}, {p: .2}}}
	expect.Equal(t, h.leastP() == h.rows[2], true, "the first least one")
}
