package stats

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRankTestsAreTheFunctions compares pairs of samples of all sizes, with and without ties, by one RankTests after the other pairs.
func TestRankTestsAreTheFunctions(t *testing.T) {
	var kept RankTests
	rng := rand.New(rand.NewPCG(21, 22))
	for round := range 4000 {
		distinct := int64(5 + 40*(round%3) + 1_000_000*(round%2))
		draw := func() []int64 {
			values := make([]int64, rng.IntN(45))
			for i := range values {
				values[i] = rng.Int64N(distinct)
			}
			slices.Sort(values)
			return values
		}
		x, y := draw(), draw()
		if got, want := kept.MannWhitney(x, y), MannWhitney(x, y); got != want {
			t.Fatalf("Mann-Whitney of %v and %v: %v, want %v", x, y, got, want)
		}
		if got, want := kept.KolmogorovSmirnov(x, y), KolmogorovSmirnov(x, y); got != want {
			t.Fatalf("Kolmogorov-Smirnov of %v and %v: %v, want %v", x, y, got, want)
		}
	}
	if len(kept.untied) == 0 || len(kept.apart) == 0 {
		t.Error("nothing was kept")
	}
}
