package stats

// mwuExactAdditions bounds the dynamic programme of the exact test: about half a millisecond.
const mwuExactAdditions = 1 << 19

// Tails are the exact p-values of a Mann-Whitney test for x against y. The two two-sided
// definitions differ when the distribution of U is not symmetric, that is, with ties.
type Tails struct {
	Less, Greater float64
	TwoSided      float64 // P(|U - nm/2| >= observed)
	TwiceMin      float64 // min(1, 2 min(Less, Greater))
}

// MannWhitneyExact returns the exact p-values given the ties: the permutation distribution of the
// rank sum by a dynamic programme over doubled midranks (Streitberg and Roehmel 1986). The work is
// about (len(x)*len(y))^2/2 additions; MannWhitney bounds it.
func MannWhitneyExact[T Number](x, y []T) Tails {
	if len(x) == 0 || len(y) == 0 {
		return Tails{1, 1, 1, 1}
	}
	if len(x) > len(y) {
		t := MannWhitneyExact(y, x)
		t.Less, t.Greater = t.Greater, t.Less
		return t
	}
	ranks, sum, unit := doubledRanks(x, y)
	mean := int64(len(x)) * int64(len(x)+len(y)-1)
	for _, r := range ranks[:len(x)] {
		sum -= int64(r)
		mean -= int64(r) * unit
	}
	return tails(rankSums(ranks, len(x)), sum, mean, unit)
}

// doubledRanks returns the doubled midranks less 2 of the pooled values and their sum over x. Without
// ties all are even, so they are halved and unit is 2.
func doubledRanks[T Number](x, y []T) (ranks []int, sum, unit int64) {
	ranks = make([]int, 0, len(x)+len(y))
	tied := false
	for s := walk(x, y); s.next(); {
		c := s.nx + s.ny
		r := 2*len(ranks) + c - 1
		for range c {
			ranks = append(ranks, r)
		}
		sum += int64(s.nx) * int64(r)
		tied = tied || c > 1
	}
	if tied {
		return ranks, sum, 1
	}
	for i := range ranks {
		ranks[i] /= 2
	}
	return ranks, sum / 2, 2
}

// rankSums returns, for every s, how many subsets of k of the ascending ranks have the sum s above the
// least sum. A subset size is dropped once too few ranks are left to complete it to k.
func rankSums(ranks []int, k int) []float64 {
	counts := make([][]float64, k+1) // by subset size j; element 0 is the sum of the j least ranks
	counts[0] = []float64{1}
	for t, r := range ranks {
		for j := min(t, k-1); j >= max(0, k-(len(ranks)-t)); j-- {
			src, shift := counts[j], r-ranks[j]
			counts[j+1] = grow(counts[j+1], len(src)+shift)
			dst := counts[j+1][shift : shift+len(src)]
			for s, c := range src {
				dst[s] += c
			}
		}
	}
	return counts[k]
}

// grow returns s with at least n elements, the new ones 0.
func grow(s []float64, n int) []float64 {
	if n <= len(s) {
		return s
	}
	if n <= cap(s) {
		return s[:n]
	}
	longer := make([]float64, n, n+n/2)
	copy(longer, s)
	return longer
}

// tails adds up the counts beyond the observed sum. unit is the step between two sums in doubled ranks,
// mean the mean of the doubled sums.
func tails(counts []float64, sum, mean, unit int64) Tails {
	var total, less, greater, two float64
	observed := sum*unit - mean
	for s, c := range counts {
		d := int64(s)*unit - mean
		total += c
		if d <= observed {
			less += c
		}
		if d >= observed {
			greater += c
		}
		if max(d, -d) >= max(observed, -observed) {
			two += c
		}
	}
	less, greater = less/total, greater/total
	return Tails{less, greater, two / total, min(1, 2*min(less, greater))}
}

// affordable says whether rankSums takes at most limit additions: n(m+1) subset sizes, number (j, t) of
// them with j(t-j) sums apart by 1, or by 1/2 with ties.
func affordable(n, m int, untied bool, limit float64) bool {
	k, l := float64(min(n, m)), float64(max(n, m))
	sums := k * (k - 1) / 2 * l * (l + 1) / 2
	if !untied {
		sums *= 2
	}
	return k*(l+1)+sums <= limit
}
