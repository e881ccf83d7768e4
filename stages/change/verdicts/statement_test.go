package verdicts

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// runOf sums up the calls of one run.
func runOf(calls []float64) Run {
	slices.Sort(calls)
	r := Run{Count: float64(len(calls)), N: float64(len(calls)), Quantiles: new([len(Quantiles)]float64)}
	for _, ns := range calls {
		r.TotalNs += ns
	}
	for i, q := range Quantiles {
		r.Quantiles[i] = calls[int(q*float64(len(calls)-1))]
	}
	return r
}

// observedCalls draws five runs a side; change turns the calls of the candidate into what they are after the change.
func observedCalls(seed uint64, change func([]float64) []float64) (*Observed, *Sides) {
	rng := rand.New(rand.NewPCG(seed, 5))
	o, s := new(Observed), &Sides{Base: []int{0, 1, 2, 3, 4}, Cand: []int{5, 6, 7, 8, 9}}
	for i := range 10 {
		calls := make([]float64, 400)
		for k := range calls {
			calls[k] = 10_000 * math.Exp(.1*rng.NormFloat64())
		}
		if i >= 5 {
			calls = change(calls)
		}
		o.Runs = append(o.Runs, runOf(calls))
		s.Roots = append(s.Roots, 1)
	}
	return o, s
}

func TestState(t *testing.T) {
	each := func(by float64) func([]float64) []float64 {
		return func(calls []float64) []float64 {
			for k := range calls {
				calls[k] *= by
			}
			return calls
		}
	}
	tail := func(every int, ns float64) func([]float64) []float64 {
		return func(calls []float64) []float64 {
			for k := 0; k < len(calls); k += every {
				calls[k] += ns
			}
			return calls
		}
	}
	for _, c := range []struct {
		name   string
		change func([]float64) []float64
		want   Statement
	}{
		{"each call 23 % longer", each(1.23), Statement{Kind: schema.EachCall, Ratio: 1.23}},
		{"each call half as long", each(.5), Statement{Kind: schema.EachCall, Ratio: .5}},
		{"1 call in 20 takes 3 ms longer", tail(20, 3e6), Statement{Kind: schema.SomeCalls, Share: .05, Ns: 3e6}},
		{"1 call in 5 takes 3 ms longer", tail(5, 3e6), Statement{Kind: schema.SomeCalls, Share: .2, Ns: 3e6}},
		{"1 call in 7 takes 3 ms longer", tail(7, 3e6), Statement{Kind: schema.SomeCalls, Share: .143, Ns: 3e6}},
		{"1 call in 200 takes 3 ms longer", tail(200, 3e6), Statement{Kind: schema.SomeCalls, Share: .01, Ns: 1.5e6}},
		{"twice as often", func(calls []float64) []float64 { return append(calls, calls...) }, Statement{Kind: schema.Called, Ratio: 2}},
		{"a quarter of the calls", func(calls []float64) []float64 { return calls[:100] }, Statement{Kind: schema.Called, Ratio: .25}},
	} {
		for seed := range uint64(5) {
			got := State(observedCalls(seed, c.change))
			near := func(x, y float64) bool { return math.Abs(x-y) <= .05*math.Abs(y) }
			if got.Kind != c.want.Kind || !near(got.Ratio, c.want.Ratio) || !near(got.Share, c.want.Share) || !near(got.Ns, c.want.Ns) {
				t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
			}
			o, s := observedCalls(seed, c.change)
			s.Base, s.Cand = s.Cand, s.Base
			back := State(o, s)
			if back.Kind != got.Kind || !near(back.Share, got.Share) || !near(back.Ns, -got.Ns) || got.Ratio > 0 && !near(back.Ratio, 1/got.Ratio) {
				t.Errorf("%s, sides swapped: %+v, want the opposite of %+v", c.name, back, got)
			}
		}
	}
}

// TestStateOfAMix checks that fewer calls which take longer on average are short ones that are gone, and not each call that takes longer,
// where those that remain take what they took; and the other way round.
func TestStateOfAMix(t *testing.T) {
	spread := func(calls []float64) []float64 { // 10 us and less, evenly by their logarithm
		for k := range calls {
			calls[k] = 10_000 * math.Exp(-4*float64(k)/float64(len(calls)))
		}
		return calls
	}
	for _, c := range []struct {
		name   string
		change func([]float64) []float64
		want   Statement
	}{
		{"the short ones are gone", func(calls []float64) []float64 { return spread(calls)[:100] }, Statement{Kind: schema.Mix, Ratio: .25}},
		{"any are gone, and the others take twice as long", func(calls []float64) []float64 {
			var kept []float64
			for k, ns := range spread(calls) {
				if k%4 == 0 {
					kept = append(kept, 2*ns)
				}
			}
			return kept
		}, Statement{Kind: schema.EachCall, Ratio: 2}},
		{"the short ones are gone, and the others take twice as long", func(calls []float64) []float64 {
			calls = spread(calls)[:100]
			for k := range calls {
				calls[k] *= 2
			}
			return calls
		}, Statement{Kind: schema.EachCall}},
		{"those are gone that took 0 ns by the clock", func(calls []float64) []float64 { return spread(calls)[:100] }, Statement{Kind: schema.Mix, Ratio: .25}},
		{"few short ones are gone", func(calls []float64) []float64 { return spread(calls)[:300] }, Statement{Kind: schema.EachCall}},
	} {
		o, s := observedCalls(1, c.change)
		for i := range s.Base {
			calls := spread(make([]float64, 400))
			if strings.Contains(c.name, " 0 ns ") {
				clear(calls[100:])
			}
			o.Runs[i] = runOf(calls)
		}
		got := State(o, s)
		if got.Kind != c.want.Kind || c.want.Ratio > 0 && math.Abs(got.Ratio/c.want.Ratio-1) > .05 {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		s.Base, s.Cand = s.Cand, s.Base
		if back := State(o, s); c.want.Kind == schema.Mix && (back.Kind != schema.Mix || math.Abs(back.Ratio*got.Ratio-1) > 1e-9) {
			t.Errorf("%s, sides swapped: %+v, want the opposite of %+v", c.name, back, got)
		}
	}
}

// What the runs do not know is not said.
func TestStateOfLittle(t *testing.T) {
	sides := &Sides{Base: []int{0}, Cand: []int{1}, Roots: []float64{1, 1}}
	for _, c := range []struct {
		name       string
		base, cand Run
		costOnly   bool
		want       string
	}{
		{"one side only", Run{}, Run{Count: 1, N: 1, TotalNs: 5}, false, ""},
		{"totals without calls", Run{Count: 1, N: 1, TotalNs: 4}, Run{Count: 1, N: 1, TotalNs: 5}, true, ""},
		{"no quantiles", Run{Count: 1, N: 1, TotalNs: 4}, Run{Count: 1, N: 1, TotalNs: 5}, false, schema.InTotal},
	} {
		o := &Observed{CostOnly: c.costOnly, Runs: []Run{c.base, c.cand}}
		if got := State(o, sides); got.Kind != c.want {
			t.Errorf("%s: %+v, want %q", c.name, got, c.want)
		}
	}
}

// TestMixWithCallsOfNoTime has half of the calls gone, where six of ten took 0 ns by the clock: of those that are left two of ten do. It is no mix where more of them
// take no time than are left of such, or where a quantile is not known.
func TestMixWithCallsOfNoTime(t *testing.T) {
	many := side{count: 2, mean: 800, quantiles: []float64{0, 0, 0, 0, 0, 0, 1000, 2000, 3000, 3500, 3900}}
	for name, c := range map[string]struct {
		few  [5]float64 // quantiles up to the median
		want bool
	}{
		"as many as are left":  {[5]float64{0, 0, 500, 1000, 1500}, true},
		"more than are left":   {[5]float64{0, 0, 0, 1000, 1500}, false},
		"fewer than are left":  {[5]float64{1, 1, 500, 1000, 1500}, false},
		"one is not known":     {[5]float64{0, 0, 500, math.NaN(), 1500}, false},
		"1.25 times, just so":  {[5]float64{0, 0, 625, 1000, 1500}, true},
		"more than 1.25 times": {[5]float64{0, 0, 626, 1000, 1500}, false},
	} {
		few := side{count: 1, mean: 1600, quantiles: append(c.few[:], 2000, 2400, 3000, 3500, 3700, 3900)}
		expect.Equal(t, isMix(many, few), c.want, "%s", name)
		expect.Equal(t, isMix(few, many), c.want, "%s, the other way", name)
	}
}
