package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

func TestRankScanByHand(t *testing.T) {
	// Two low then three high: the centred ranks are -2 -1 0 1 2 and D = -3 after two, so the score is
	// 9/(2*3), times 5*4/10 gives z^2 = 3. By counting, 40 of 120 orders have such a score.
	if at, z := bestSplit([]float64{1, 2, 7, 8, 9}); at != 2 || math.Abs(z-math.Sqrt(3)) > 1e-12 {
		t.Errorf("at %d, z %v", at, z)
	}
	expect.Equal(t, RankScan([]float64{1, 2, 7, 8, 9}, 2, 1000, 1), 40.0/120, "p")
	// Ties: 1 1 | 5 5 has six distinct orders, and two of them cut so cleanly.
	expect.Equal(t, RankScan([]float64{1, 1, 5, 5}, 2, 6, 1), 2.0/6, "p with ties")
	// Eight values: 4! 4! orders of low then high, and as many of high then low, of 8!.
	if p := RankScan([]float64{1, 2, 3, 4, 5, 6, 7, 8}, 2, 40_320, 1); !near(p, 2*24*24.0/40_320) {
		t.Errorf("p %v", p)
	}
}

// bestSplit returns the best split of values with its score in standard deviations: rankCut leaves out the factor that the
// orders of a series share (Lehmann 1975, with the correction for ties).
func bestSplit(values []float64) (at int, z float64) {
	ranks := centredRanks(values)
	squares, n := 0.0, float64(len(ranks))
	for _, r := range ranks {
		squares += r * r
	}
	c := rankCut(ranks, 2)
	if squares > 0 {
		z = math.Sqrt(c.statistic * n * (n - 1) / squares)
	}
	return c.at, z
}

// TestRankScoreIsMannWhitney: the standard score of a split is that of the rank test of its sides.
func TestRankScoreIsMannWhitney(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 200 {
		v := make([]float64, 4+r.IntN(20))
		for i := range v {
			v[i] = float64(r.IntN(9))
		}
		_, z := bestSplit(v)
		best := 0.0
		for k := 2; k <= len(v)-2; k++ {
			ranks := Rank(slices.Sorted(slices.Values(v[:k])), slices.Sorted(slices.Values(v[k:])))
			if sigma := ranks.sigma(); sigma > 0 {
				best = max(best, math.Abs(ranks.U()-ranks.pairs()/2)/sigma)
			}
		}
		if math.Abs(z-best) > 1e-9 {
			t.Errorf("%v: %v, want %v", v, z, best)
		}
	}
}

// TestScanIgnoresUnits: a shift and a positive factor change nothing, and the reversed series is cut at the
// mirror place if it has one best place.
func TestScanIgnoresUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 30 {
		v := make([]float64, 6+r.IntN(10))
		for i := range v {
			v[i] = math.Round(16*r.NormFloat64()) / 16
		}
		moved := make([]float64, len(v))
		for i := range v {
			moved[i] = 4*v[i] - 32
		}
		a, b := RankScan(v, 2, 99, 5), RankScan(moved, 2, 99, 5)
		place, z := bestSplit(v)
		if same, _ := bestSplit(moved); same != place || a != b || a != RankScan(v, 2, 99, 5) {
			t.Errorf("%v: at %d, p %v, moved at %d, p %v", v, place, a, same, b)
		}
		slices.Reverse(moved)
		if _, r := bestSplit(moved); math.Abs(r-z) > 1e-9*math.Abs(z) {
			t.Errorf("%v: z %v, reversed %v", v, z, r)
		}
	}
}

// TestScanExactNearRandom compares the exact p with one of many random orders.
func TestScanExactNearRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 5 {
		v := make([]float64, 7)
		for i := range v {
			v[i] = r.NormFloat64() + 2*is(i > 3)
		}
		exact, random := RankScan(v, 2, 5040, 1), RankScan(v, 2, 5039, 1)
		if exact == random || math.Abs(exact-random) > 0.03 {
			t.Errorf("%v: exact %v, random %v", v, exact, random)
		}
	}
}

// TestScanFindsTheFirstBest: two places are equally good.
func TestScanFindsTheFirstBest(t *testing.T) {
	at, _ := bestSplit([]float64{0, 0, 5, 5, 0, 0})
	expect.Equal(t, at, 2, "the place")
}

// TestSeedChangesTheOrders draws few orders, so that seeds show.
func TestSeedChangesTheOrders(t *testing.T) {
	seen := map[float64]bool{}
	for seed := range uint64(20) {
		seen[RankScan([]float64{3, 1, 4, 1, 5, 9, 2, 6, 5}, 2, 50, seed)] = true
	}
	if len(seen) < 5 {
		t.Errorf("twenty seeds gave %d values of p", len(seen))
	}
}

// TestScanTable repeats the case of twelve releases of three runs, one step in the middle, 400 series each: the
// false alarms stay near the level, a step of three standard deviations is found. The standard error of
// a share is 0.011 at 0.05.
func TestScanTable(t *testing.T) {
	for _, c := range []struct{ step, low, great float64 }{{0, 0.02, 0.08}, {1.5, 0.6, 0.9}, {3, 0.97, 1}} {
		r, found := rand.New(rand.NewPCG(19, 20)), 0.0
		const series = 400
		for i := range series {
			found += is(RankScan(releases(r, 12, c.step), 2, 199, uint64(i)) <= 0.05) / series
		}
		if !(found >= c.low && found <= c.great) {
			t.Errorf("step %v: found in %v of the series", c.step, found)
		}
	}
}

// releases are medians of three runs of unit noise, with a step in the middle.
func releases(r *rand.Rand, n int, step float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		runs := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		slices.Sort(runs)
		v[i] = runs[1] + step*is(i >= n/2)
	}
	return v
}

func TestNextOrderVisitsAll(t *testing.T) {
	for _, v := range [][]float64{{1}, {1, 2, 3, 4}, {1, 1, 2, 2, 2}, {3, 3, 3}} {
		seen := map[[5]float64]bool{}
		all := eachOrder(v, 1000, 1, func(order []float64) {
			var key [5]float64
			copy(key[:], order)
			seen[key] = true
		})
		if !all || float64(len(seen)) != distinctOrders(v) {
			t.Errorf("%v: %d orders, want %v", v, len(seen), distinctOrders(v))
		}
	}
}

func TestScanNothing(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, v := range [][]float64{nil, {1}, {1, 2, 3}, {1, nan, 2, 3, 4}, {nan, nan, nan, nan}} {
		expect.Equal(t, RankScan(v, 2, 99, 1), 1, "p of %v", v)
	}
	expect.Equal(t, RankScan([]float64{4, 4, 4, 4, 4, 4}, 2, 99, 1), 1, "equal values have p")
	expect.Equal(t, RankScan([]float64{1, 2, 3, 4, 5, 6}, 2, 0, 1), 1, "without permutations p")
	if p := RankScan([]float64{-1e308, -1e308, inf, inf}, 2, 99, 1); !(p > 0 && p <= 1) {
		t.Errorf("infinities have %v", p)
	}
}

func FuzzScan(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, math.NaN(), math.Inf(1), 2)
	f.Add(1e308, -1e308, 0.0, 1e-300, 5.0, -1)
	f.Fuzz(func(t *testing.T, a, b, c, d, e float64, shortest int) {
		v := []float64{a, b, a, c, d, e, e}
		if p := RankScan(v, shortest%100, 20, 1); !(p > 0 && p <= 1) {
			t.Errorf("%v: %v", v, p)
		}
	})
}
