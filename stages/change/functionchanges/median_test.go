package functionchanges

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// sortedMedian is the weighted median by its definition.
func sortedMedian(votes []ballot) float64 {
	votes = slices.Clone(votes)
	slices.SortStableFunc(votes, func(a, b ballot) int { return cmp.Compare(a.value, b.value) })
	total, below := weightOf(votes), 0.0
	for at, v := range votes {
		below += v.weight
		switch over := below - total/2; {
		case over > halfTolerance*total:
			return v.value
		case over >= -halfTolerance*total && at+1 < len(votes):
			return (v.value + votes[at+1].value) / 2
		}
	}
	return 0
}

// TestWeightedMedian selects what sorting finds, with equal values, equal weights, halves that meet between two values, and votes
// that weigh nearly all.
func TestWeightedMedian(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for n := range 3000 {
		votes := make([]ballot, n%40)
		for i := range votes {
			votes[i] = ballot{rng.NormFloat64(), 1}
			if n%2 == 0 {
				votes[i].value = float64(rng.IntN(6))
			}
			switch n % 3 {
			case 0:
				votes[i].weight = rng.Float64() + .01
			case 1:
				votes[i].weight = float64(1 + rng.IntN(3))
			}
		}
		if n%7 == 0 && len(votes) > 0 {
			votes[0].weight = 30
		}
		want := sortedMedian(votes)
		if got := weightedMedian(slices.Clone(votes)); got != want {
			t.Fatalf("%v: %g, want %g", votes, got, want)
		}
	}
}
