package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// The standard error of how often intervals hold the truth is about by how much that share differs between worlds: 100 times twenty runs of a
// baseline and ten of a candidate are drawn, and 1,000 splits of each are judged, whose t intervals hold a difference of 0. It is 1.5 times that
// with three runs a side and 1.8 times with five, since a jackknife errs to the safe side where many of the runs are drawn. The binomial error alone is a
// quarter of the truth, and less.
func TestErrorOfShares(t *testing.T) {
	for _, size := range []int{3, 5} {
		rng := rand.New(rand.NewPCG(20, uint64(size)))
		var shares []float64
		variance := 0.0
		const worlds, splits = 100, 1000
		for range worlds {
			var of []outcome
			world(rng, size, splits, func(s split, holds bool) { of = append(of, outcome{runsText(s.base), runsText(s.cand), holds}) })
			shares = append(shares, shareOf(of))
			e := errorOf(of)
			variance += e * e / worlds
		}
		between := math.Sqrt(squares(shares) / (worlds - 1))
		told, binomial := math.Sqrt(variance), math.Sqrt(stats.Mean(shares)*(1-stats.Mean(shares))/splits)
		if told < between || told > 2*between || between < 3*binomial {
			t.Errorf("%d runs a side: shares differ by %.4f, their standard error is said to be %.4f, and the binomial one is %.4f", size, between, told, binomial)
		}
	}
}

// world draws runs of a baseline and of a candidate, and judges splits of them; each is told to a function.
func world(rng *rand.Rand, size, splits int, tell func(s split, holds bool)) {
	values := make([]float64, 30)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	base, cand := make([]int, 20), make([]int, 10)
	for i := range base {
		base[i] = i
	}
	for i := range cand {
		cand[i] = 20 + i
	}
	for range splits {
		s := split{pick(rng, base, size), pick(rng, cand, size)}
		tell(s, pooledT(valuesOf(values, s.base), valuesOf(values, s.cand)) > .05)
	}
}

func valuesOf(of []float64, at []int) (some []float64) {
	for _, i := range at {
		some = append(some, of[i])
	}
	return some
}

// Of splits with all runs of a side nothing can be said, nor of one split.
func TestErrorOfTheSameRuns(t *testing.T) {
	same := []outcome{{"0 1", "2 3", true}, {"1 4", "2 3", false}}
	for _, of := range [][]outcome{same, same[:1], nil} {
		if e := errorOf(of); !math.IsNaN(e) {
			t.Errorf("%d splits have the standard error %g", len(of), e)
		}
	}
}

// If all intervals were exact, how often would a cell of 100 splits of twenty runs and ten hold between 93 and 97 %? The figures of rates.md.
func TestExactIntervals(t *testing.T) {
	for _, size := range []int{3, 4, 5, 8, 10} {
		rng := rand.New(rand.NewPCG(20, uint64(size)))
		var shares []float64
		const worlds = 1000
		below, within := 0, 0
		for range worlds {
			share := 0.0
			world(rng, size, 100, func(_ split, holds bool) {
				if holds {
					share += .01
				}
			})
			shares = append(shares, share)
			switch {
			case share < .925:
				below++
			case share < .975:
				within++
			}
		}
		slices.Sort(shares)
		mean := stats.Mean(shares)
		t.Logf("%d runs a side: %.1f %% on average, standard deviation %.1f; below 93 in %.0f %% of cells, from 93 to 97 in %.0f %%; one in a hundred is below %.0f",
			size, 100*mean, 100*math.Sqrt(squares(shares)/(worlds-1)), 100*float64(below)/worlds, 100*float64(within)/worlds, 100*shares[worlds/100])
		if math.Abs(mean-.95) > .015 || below < .1*worlds || below > .25*worlds {
			t.Errorf("%d runs a side: %.3f on average, %d of %d below 93 %%", size, mean, below, worlds)
		}
	}
}

// The error over cells is that of the jackknife: three cells of which a half, a half and all are decided.
func TestErrorOverCells(t *testing.T) {
	e, known := errorOver([]kept{{10, 5}, {10, 5}, {}, {10, 10}})
	if want := math.Sqrt(2. / 3 * (2*.75*.75 + .5*.5 - 3*(2./3)*(2./3))); !known || math.Abs(e-want) > 1e-9 {
		t.Errorf("%g, want %g", e, want)
	}
	if _, known := errorOver([]kept{{10, 5}, {}}); known {
		t.Error("one cell has no error over cells")
	}
}

// pooledT is the p-value of Student's t with a common variance, of samples of one size.
func pooledT(x, y []float64) float64 {
	n := float64(len(x))
	variance := (squares(x) + squares(y)) / (2*n - 2)
	return stats.Moderated{Estimate: stats.Mean(y) - stats.Mean(x), SE: math.Sqrt(2 * variance / n), DF: 2*n - 2}.P()
}

// Bounds of shares are those that SciPy 1.10.1 gives: beta.ppf(.025, k, n-k+1) and beta.ppf(.975, k+1, n-k).
func TestExactBinomial(t *testing.T) {
	for _, c := range []struct {
		count, n int
		lo, hi   float64
	}{{0, 10, 0, 0.3084971}, {10, 10, 0.6915029, 1}, {87, 100, 0.7879593, 0.9289270}, {1, 2, 0.0125791, 0.9874209}} {
		lo, hi := exactBinomial(c.count, c.n)
		if math.Abs(lo-c.lo) > 1e-6 || math.Abs(hi-c.hi) > 1e-6 {
			t.Errorf("%d of %d: %.7f to %.7f, want %.7f to %.7f", c.count, c.n, lo, hi, c.lo, c.hi)
		}
	}
}
