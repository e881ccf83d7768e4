package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// draw returns a sorted sample; few distinct values make ties.
func draw(r *rand.Rand, n, distinct int) []int64 {
	v := make([]int64, n)
	for i := range v {
		v[i] = int64(r.IntN(distinct)) - int64(distinct/3)
	}
	slices.Sort(v)
	return v
}

// eachPair runs a check on seeded pairs of many sizes, with and without ties.
func eachPair(t *testing.T, greatest int, check func(t *testing.T, x, y []int64)) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		distinct := []int{1, 2, 5, 30, 1 << 30}[r.IntN(5)]
		check(t, draw(r, 1+r.IntN(greatest), distinct), draw(r, 1+r.IntN(greatest), distinct))
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12+1e-10*math.Abs(b) }

func TestSwapKeepsTwoSidedAndFlipsDirection(t *testing.T) {
	eachPair(t, 40, func(t *testing.T, x, y []int64) {
		a, b := MannWhitney(x, y), MannWhitney(y, x)
		if !near(a.P, b.P) || a.U+b.U != float64(len(x)*len(y)) {
			t.Errorf("MWU %v %v: %+v, swapped %+v", x, y, a, b)
		}
		if a, b := KolmogorovSmirnov(x, y), KolmogorovSmirnov(y, x); !near(a.P, b.P) || a.D != b.D {
			t.Errorf("KS %v %v: %+v, swapped %+v", x, y, a, b)
		}
		if a, b := HodgesLehmann(x, y), HodgesLehmann(y, x); a != -b {
			t.Errorf("HL %v %v: %v, swapped %v", x, y, a, b)
		}
	})
}

func TestProbabilitiesStayInRange(t *testing.T) {
	eachPair(t, 60, func(t *testing.T, x, y []int64) {
		e, r := MannWhitneyExact(x, y), Rank(x, y)
		for i, p := range []float64{
			e, MannWhitney(x, y).P, KolmogorovSmirnov(x, y).P,
			r.Normal(true), r.Normal(false),
			KolmogorovSmirnovLimit(KolmogorovSmirnovD(x, y), len(x), len(y)),
		} {
			if !(p >= 0 && p <= 1) {
				t.Errorf("p number %d of %v %v is %v", i, x, y, p)
			}
		}
	})
}

func TestMonotoneTransformKeepsRankTests(t *testing.T) {
	cube := func(v []int64) []float64 {
		out := make([]float64, len(v))
		for i, a := range v {
			out[i] = math.Cbrt(float64(a)) - 7
		}
		return out
	}
	eachPair(t, 40, func(t *testing.T, x, y []int64) {
		cx, cy := cube(x), cube(y)
		if MannWhitney(x, y) != MannWhitney(cx, cy) || KolmogorovSmirnov(x, y) != KolmogorovSmirnov(cx, cy) {
			t.Errorf("%v %v: a monotone transform changed a rank test", x, y)
		}
	})
}

func TestHodgesLehmannEqualsMatrix(t *testing.T) {
	eachPair(t, 300, func(t *testing.T, x, y []int64) {
		var all []int64
		for _, a := range x {
			for _, b := range y {
				all = append(all, b-a)
			}
		}
		slices.Sort(all)
		mid := float64(all[(len(all)-1)/2]+all[len(all)/2]) / 2
		expect.Equal(t, HodgesLehmann(x, y), mid, "n=%d m=%d", len(x), len(y))
		k := 1 + len(all)/7
		lo, _ := selectPair(x, y, int64(k), 0)
		hi, _ := selectPair(x, y, int64(len(all)+1-k), 0)
		if lo != all[k-1] || hi != all[len(all)-k] {
			t.Errorf("n=%d m=%d: interval %d..%d, want %d..%d", len(x), len(y), lo, hi, all[k-1], all[len(all)-k])
		}
	})
}

// TestExactEqualsEnumeration counts all assignments of the pooled values.
func TestExactEqualsEnumeration(t *testing.T) {
	eachPair(t, 6, func(t *testing.T, x, y []int64) {
		var total, far, apart float64
		u0 := Rank(x, y).U()
		d0, _ := ksScaled(x, y)
		mean := float64(len(x)*len(y)) / 2
		subsets(append(slices.Clone(x), y...), len(x), func(a, b []int64) {
			u := Rank(a, b).U()
			total++
			far += is(math.Abs(u-mean) >= math.Abs(u0-mean))
			d, _ := ksScaled(a, b)
			apart += is(d >= d0)
		})
		if p := MannWhitneyExact(x, y); !near(p, far/total) {
			t.Errorf("%v %v: %v, want %v", x, y, p, far/total)
		}
		if p := KolmogorovSmirnovExact(x, y); !near(p, apart/total) {
			t.Errorf("%v %v: KS %v, want %v", x, y, p, apart/total)
		}
	})
}

func is(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// subsets yields every split of v into k values and the rest, each sorted.
func subsets(v []int64, k int, yield func(a, b []int64)) {
	slices.Sort(v)
	for mask := range 1 << len(v) {
		var a, b []int64
		for i, x := range v {
			if mask>>i&1 == 1 {
				a = append(a, x)
			} else {
				b = append(b, x)
			}
		}
		if len(a) == k {
			yield(a, b)
		}
	}
}

// TestWeightsFromDensity compares the two ways to compute the weights where both work.
func TestWeightsFromDensity(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{100, 137, 1000, 10_500} {
		v := make([]float64, n)
		for i := range v {
			v[i] = math.Exp(r.NormFloat64())
		}
		slices.Sort(v)
		for _, p := range []float64{0.1, 0.3, 0.5, 0.9} {
			d := quantileBeta(n, p)
			if !d.smooth {
				t.Fatalf("n=%d p=%v is not smooth", n, p)
			}
			exact := d
			exact.smooth = false
			a, am := betaMean(v, d)
			b, bm := betaMean(v, exact)
			if math.Abs(a-b) > 1e-9*b || math.Abs(am-bm) > 1e-9*bm {
				t.Errorf("n=%d p=%v: %v by density, %v by incomplete Beta", n, p, a, b)
			}
		}
	}
}

// TestLargeQuantiles uses a sample whose estimate is known: number i is i + 1/2, so the estimate is n
// times the mean p of the Beta distribution, up to the rounding of a cell to its middle.
func TestLargeQuantiles(t *testing.T) {
	const n = 2_000_000
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i) + 0.5
	}
	for _, p := range []float64{0.0001, 0.1, 0.5, 0.99} {
		if got := HarrellDavis(v, p); math.Abs(got-n*p) > 1e-3 {
			t.Errorf("p=%v: %v, want %v", p, got, n*p)
		}
	}
}

func TestNoValuesAndBadProbabilities(t *testing.T) {
	var none []int64
	one := []int64{3}
	if MannWhitney(none, one).P != 1 || KolmogorovSmirnov(one, none).P != 1 {
		t.Error("an empty sample must give p = 1")
	}
	for i, v := range []float64{
		HodgesLehmann(none, one), HarrellDavis(none, 0.5), HarrellDavis(one, math.NaN()), Welch(one, one),
	} {
		if !math.IsNaN(v) {
			t.Errorf("number %d is %v, want NaN", i, v)
		}
	}
	if a, b := HarrellDavis([]int64{1, 2, 9}, 0), HarrellDavis([]int64{1, 2, 9}, 1); a != 1 || b != 9 {
		t.Errorf("extremes are %v and %v", a, b)
	}
	nan := []float64{1, math.NaN(), 2}
	_, _ = KolmogorovSmirnov(nan, nan), MannWhitney(nan, nan) // must end
	wide := []int64{math.MinInt64, -5, 0, 5, math.MaxInt64}
	inf := []float64{math.Inf(-1), 0, math.Inf(1)}
	_, _, _ = HodgesLehmann(nan, nan), HodgesLehmann(wide, wide), HodgesLehmann(inf, inf) // must not panic
}

func TestDecilesEqualQuantiles(t *testing.T) {
	eachPair(t, 200, func(t *testing.T, x, _ []int64) {
		for i, q := range Deciles(x) {
			if want := HarrellDavis(x, float64(i+1)/10); math.Abs(q-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("%v: decile %d is %v, want %v", x, i+1, q, want)
			}
		}
	})
}

func TestConstantSampleHasConstantQuantiles(t *testing.T) {
	for _, n := range []int{2, 7, 50, 333} {
		v := slices.Repeat([]int64{123_456_789}, n)
		for _, q := range Deciles(v) {
			expect.Equal(t, q, 123_456_789, "n=%d", n)
		}
	}
}
