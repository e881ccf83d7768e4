package scores

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Split is a division of runs into two sides, as positions in ascending order.
type Split struct{ Base, Cand []int } // no run is on both

// Splits are the ways to take two sides of k of n runs, without regard to which side is the baseline: all of them if
// they are at most most, else most different ones, drawn from a fixed seed. Which side is called the baseline alternates,
// so that what differs between the two roles shows as well.
func Splits(n, k, most int) []Split {
	if k < 1 || 2*k > n || most < 1 {
		return nil
	}
	var all []Split
	if ways(n, k) <= float64(most) {
		all = everySplit(n, k)
	} else {
		all = drawnSplits(n, k, most)
	}
	for i := 1; i < len(all); i += 2 {
		all[i].Base, all[i].Cand = all[i].Cand, all[i].Base
	}
	return all
}

// ways is n over k, times n-k over k, halved.
func ways(n, k int) float64 {
	w := 0.5
	for i := range k {
		w = w * float64(n-i) / float64(i+1) * float64(n-k-i) / float64(i+1)
	}
	return w
}

// everySplit lists the splits whose base has the lesser first run.
func everySplit(n, k int) (all []Split) {
	for _, base := range subsets(0, n, k, nil) {
		for _, cand := range subsets(base[0]+1, n, k, base) {
			all = append(all, Split{base, cand})
		}
	}
	return all
}

// subsets are the k-element subsets of from, ..., n-1 without those taken, in lexicographic order.
func subsets(from, n, k int, without []int) (all [][]int) {
	if k == 0 {
		return [][]int{nil}
	}
	for first := from; first < n; first++ {
		if slices.Contains(without, first) {
			continue
		}
		for _, rest := range subsets(first+1, n, k-1, without) {
			all = append(all, append([]int{first}, rest...))
		}
	}
	return all
}

// drawnSplits draws until it has enough different splits.
func drawnSplits(n, k, most int) (all []Split) {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(k)))
	seen := make(map[string]bool)
	for len(all) < most {
		s := Draw(rng, n, k, k)
		if s.Base[0] > s.Cand[0] {
			s.Base, s.Cand = s.Cand, s.Base
		}
		if key := fmt.Sprint(s); !seen[key] {
			seen[key] = true
			all = append(all, s)
		}
	}
	return all
}

// Draw takes two sides of the given size out of n runs at random.
func Draw(rng *rand.Rand, n, base, cand int) Split {
	order := rng.Perm(n)
	s := Split{slices.Clone(order[:base]), slices.Clone(order[base : base+cand])}
	slices.Sort(s.Base)
	slices.Sort(s.Cand)
	return s
}
