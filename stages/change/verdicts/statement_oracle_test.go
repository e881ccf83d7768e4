package verdicts

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// means are the number of calls and the time of a call of a side, as an oracle works them out: run by run, with one root each.
func means(runs []Run) (calls, ns float64) {
	for _, r := range runs {
		calls += r.Count
		if r.N > 0 {
			ns += r.TotalNs / r.N
		}
	}
	return calls / float64(len(runs)), ns / float64(len(runs))
}

// statementOf is what State should say of two sides of one run each, found without its split of the difference: the number of calls
// decides where the total that follows from it alone, at the average time, is three times the total that follows from the time alone.
func statementOf(base, cand Run) (kind string, ratio float64) {
	n, ns := means([]Run{base})
	m, ms := means([]Run{cand})
	if n == 0 || m == 0 || ns == 0 || ms == 0 {
		return "", 0
	}
	byCalls, byTime := math.Abs(m-n)*(ns+ms), math.Abs(ms-ns)*(n+m)
	switch {
	case byCalls >= 3*byTime:
		return schema.Called, m / n
	case base.Quantiles == nil || cand.Quantiles == nil:
		return schema.InTotal, m * ms / (n * ns)
	}
	p, q := base.Quantiles[median], cand.Quantiles[median]
	// Half of the relative change of the mean, without a division: the sides may go up or down.
	typical, mean := 2*(q-p)*ns, (ms-ns)*p
	if p > 0 && (mean > 0 && typical >= mean || mean < 0 && typical <= mean) {
		return schema.EachCall, q / p
	}
	if base.N <= 1 && cand.N <= 1 {
		return schema.EachCall, ms / ns
	}
	return schema.SomeCalls, 0
}

// isExact reports whether ratios by the time of a call and by the median of a run are exact, as they are by powers of two: else rounding decides on
// which side of a bound they lie.
func isExact(r Run) bool {
	isPower := func(x float64) bool { fraction, _ := math.Frexp(x); return fraction == .5 || x == 0 }
	return r.N == 0 || r.Quantiles == nil || isPower(r.TotalNs/r.N) && isPower(r.Quantiles[median])
}

// TestStateMeetsItsBounds compares statements with an oracle for small whole numbers, which often lie just on the bounds between two
// kinds of statements. Each kind must come, or the numbers say nothing.
func TestStateMeetsItsBounds(t *testing.T) {
	rng, s, seen := rand.New(rand.NewPCG(13, 9)), sidesOf(1, 1), make(map[string]int)
	draw := func() Run {
		n, each := float64(rng.IntN(5)), float64(rng.IntN(5))
		r := allAt(n, n*each, each)
		for i := range r.Quantiles { // a run of quantiles that ascend
			r.Quantiles[i] = float64(rng.IntN(3))
			if i > 0 {
				r.Quantiles[i] += r.Quantiles[i-1]
			}
		}
		if rng.IntN(4) == 0 {
			r.Quantiles = nil
		}
		return r
	}
	for range 20_000 {
		base, cand := draw(), draw()
		got := State(&Observed{Runs: []Run{base, cand}}, &s)
		kind, ratio := statementOf(base, cand)
		if !isExact(base) {
			continue
		}
		if got.Kind == schema.EachCall && kind == schema.SomeCalls { // all calls changed, as the quantiles show
			o := Observed{Runs: []Run{base, cand}}
			expect.Equal(t, changedShare(s.sideOf(&o, s.Base), s.sideOf(&o, s.Cand)) >= 1, true, "%+v, %+v: a share of all calls", base, cand)
			continue
		}
		if got.Kind == schema.Mix { // what tells it from the others has a test of its own
			n, _ := means([]Run{base})
			m, _ := means([]Run{cand})
			expect.Equal(t, kind == schema.EachCall || kind == schema.SomeCalls, true, "%+v, %+v: it may be a mix", base, cand)
			expect.Equal(t, (n >= 2*m || m >= 2*n) && math.Abs(got.Ratio-m/n) < 1e-12, true, "%+v, %+v: a mix of %+v", base, cand, got)
			continue
		}
		if seen[kind]++; got.Kind != kind || math.Abs(got.Ratio-ratio) > 1e-12 {
			t.Fatalf("%+v, %+v: %+v, want %s by %v", base, cand, got, kind, ratio)
		}
		if kind == schema.SomeCalls && math.Abs(got.Share*got.Ns-(cand.TotalNs/cand.N-base.TotalNs/base.N)) > 1e-9 {
			t.Fatalf("%+v, %+v: %+v does not add up to the difference of the means", base, cand, got)
		}
	}
	for _, kind := range []string{"", schema.EachCall, schema.SomeCalls, schema.Called, schema.InTotal} {
		if seen[kind] < 20 {
			t.Errorf("%d statements are %q", seen[kind], kind)
		}
	}
}

// TestNothingToState leaves out a statement where one side has no calls, or calls without any time: each by itself.
func TestNothingToState(t *testing.T) {
	s := sidesOf(1, 1)
	whole := Run{Count: 2, N: 2, TotalNs: 20}
	expect.Equal(t, State(&Observed{Runs: []Run{whole, {Count: 2, N: 2, TotalNs: 40}}}, &s).Kind, schema.InTotal, "two sides that can be compared")
	for _, none := range []Run{{N: 2, TotalNs: 20}, {Count: 2, N: 2}, {Count: 2, TotalNs: 20}} {
		expect.Equal(t, State(&Observed{Runs: []Run{none, whole}}, &s), Statement{}, "a baseline of %+v", none)
		expect.Equal(t, State(&Observed{Runs: []Run{whole, none}}, &s), Statement{}, "a candidate of %+v", none)
	}
}

// TestCallsThreeTimesTheTime says that something is called more where that is just three times what the time of a call adds.
func TestCallsThreeTimesTheTime(t *testing.T) {
	s := sidesOf(1, 1)
	got := State(&Observed{Runs: []Run{{Count: 1, N: 1, TotalNs: 2}, {Count: 4, N: 4, TotalNs: 12}}}, &s)
	expect.Equal(t, got, Statement{Kind: schema.Called, Ratio: 4}, "on the bound")
	got = State(&Observed{Runs: []Run{{Count: 1, N: 1, TotalNs: 2}, {Count: 4, N: 4, TotalNs: 12.1}}}, &s)
	expect.Equal(t, got.Kind, schema.InTotal, "just below it")
}

// TestSideOfRuns takes the median of each quantile over the runs, of an even number the mean of the two in the middle, and knows none that
// a run does not know.
func TestSideOfRuns(t *testing.T) {
	for n := 1; n <= 5; n++ {
		s, o := sidesOf(n, 1), Observed{}
		s.Roots = make([]float64, n+1)
		for i := range n + 1 {
			o.Runs = append(o.Runs, allAt(float64(4*i), float64(40*i*i), float64((i*3)%n))) // a permutation, of 3 twice over
			s.Roots[i] = 2
		}
		o.Runs[0].Quantiles[10] = math.NaN()
		got := s.sideOf(&o, s.Base)
		var calls, ns float64
		for i := range n {
			calls, ns = calls+2*float64(i)/float64(n), ns+10*float64(i)/float64(n)
		}
		closeTo(t, "calls", got.count, calls)
		closeTo(t, "time of a call", got.mean, ns)
		want := float64(n-1) / 2 // of 0 to n-1
		if n == 3 {
			want = 0
		}
		closeTo(t, "median", got.quantiles[median], want)
		if !math.IsNaN(got.quantiles[10]) {
			t.Errorf("of %d runs: the last quantile is %v, and one run does not know it", n, got.quantiles[10])
		}
		expect.Equal(t, len(got.quantiles), len(Quantiles), "quantiles")
	}
	s, o := sidesOf(2, 1), Observed{Runs: []Run{allAt(1, 1, 1), {Count: 1, N: 1, TotalNs: 1}, allAt(1, 1, 1)}}
	expect.Equal(t, s.sideOf(&o, s.Base).quantiles == nil, true, "quantiles where one run has none")
}

// TestShareOfTheQuantileThatChangedMost divides one by how many times the difference of the means the greatest shift is.
func TestShareOfTheQuantileThatChangedMost(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		base, cand := side{mean: 100}, side{mean: 100 + 10*sign}
		for i := range Quantiles {
			base.quantiles, cand.quantiles = append(base.quantiles, 100), append(cand.quantiles, 100+sign*float64(i*5))
		}
		closeTo(t, "share", changedShare(base, cand), .2) // a shift of 50 at the last quantile
		cand.quantiles[10] = math.NaN()
		closeTo(t, "share without the last quantile", changedShare(base, cand), 1/4.5)
		for i := range cand.quantiles { // against the difference of the means: the calls that changed lie beyond
			cand.quantiles[i] = 100
		}
		closeTo(t, "share beyond all quantiles", changedShare(base, cand), .01)
	}
}

// TestEstimatesNameTheirQuantile has a quantile in estimates of a shape, the one that changed most clearly, and in no others.
func TestEstimatesNameTheirQuantile(t *testing.T) {
	s, rng := sidesOf(5, 5), rand.New(rand.NewPCG(13, 1))
	var all []Observed
	for k := range 30 {
		o := Observed{Level: schema.LevelTransition, Component: "c"}
		for i := range 10 {
			r := valued(400, 1e6*math.Exp(.01*rng.NormFloat64()))
			for q := range r.Quantiles {
				r.Quantiles[q] *= math.Exp(.01 * rng.NormFloat64())
			}
			if k == 0 && i >= 5 {
				r.Quantiles[8] *= 2
			}
			o.Runs = append(o.Runs, r)
		}
		all = append(all, o)
	}
	shapes := 0
	for k, j := range Judge(all, s, Defaults()) {
		for _, e := range j.Estimates {
			expect.Equal(t, e.Quantile != nil, e.Quantity == schema.QuantityShape, "a quantile of %s", e.Quantity)
			if e.Quantile != nil && k == 0 {
				shapes++
				expect.Equal(t, *e.Quantile, .9, "the quantile that changed")
				if e.Ratio < 1.9 || e.Ratio > 2.1 || e.RatioLo >= e.Ratio || e.RatioHi <= e.Ratio {
					t.Errorf("it changed by %v, from %v to %v", e.Ratio, e.RatioLo, e.RatioHi)
				}
			}
		}
	}
	expect.Equal(t, shapes, 1, "estimates of the shape")
}
