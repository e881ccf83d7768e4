package stats

import "math"

// MWU is the result of a Mann-Whitney U test.
type MWU struct {
	U float64 // pairs with x > y, ties count one half
	P float64 // two-sided
}

// mannWhitney tests whether x or y tends to be greater (Mann and Whitney 1947). P is exact when the
// dynamic programme takes at most 2^19 additions (32 against 32 values with ties, 38 against 38
// without, any number against 1), else normal with tie and continuity correction. An empty sample gives P = 1.
func mannWhitney[T Number](of *RankTests, x, y []T) MWU {
	if len(x) == 0 || len(y) == 0 {
		return MWU{P: 1}
	}
	r := Rank(x, y)
	if affordable(r.N, r.M, r.Ties == 0, mwuExactAdditions) {
		return MWU{U: r.U(), P: mannWhitneyExact(of, x, y)}
	}
	return MWU{U: r.U(), P: r.Normal(true)}
}

// Ranks is what the rank tests need to know of two samples.
type Ranks struct {
	N, M   int     // sizes of x and y
	TwiceU int64   // 2 U of x, an integer also with ties
	Ties   float64 // sum of t^3 - t over the groups of t equal values
}

// Rank counts the pairs with x > y and the ties in one walk.
func Rank[T Number](x, y []T) Ranks {
	r := Ranks{N: len(x), M: len(y)}
	for s := walk(x, y); s.next(); {
		r.TwiceU += int64(s.nx) * int64(2*s.j-s.ny)
		if t := float64(s.nx + s.ny); t > 1 {
			r.Ties += (t - 1) * t * (t + 1)
		}
	}
	return r
}

// U returns the Mann-Whitney U of x.
func (r Ranks) U() float64 { return float64(r.TwiceU) / 2 }

// pairs returns the number of pairs (x, y).
func (r Ranks) pairs() float64 { return float64(r.N) * float64(r.M) }

// sigma returns the standard deviation of U under the null hypothesis given the ties
// (Lehmann 1975, Nonparametrics, equation 1.34).
func (r Ranks) sigma() float64 {
	t := float64(r.N) + float64(r.M)
	if t < 2 {
		return 0
	}
	return math.Sqrt(r.pairs() / 12 * (t + 1 - r.Ties/(t*(t-1))))
}

// Normal returns the normal approximation of the two-sided p-value with tie correction, and with a continuity
// correction of one half if asked for. If all values are equal it is 1: nothing speaks against the null.
func (r Ranks) Normal(continuity bool) float64 {
	sigma := r.sigma()
	if !(sigma > 0) {
		return 1
	}
	d := math.Abs(float64(r.TwiceU-int64(r.N)*int64(r.M))) / 2
	if continuity {
		d -= 0.5
	}
	return clampP(2 * upperTail(d/sigma))
}

// upperTail returns P(Z >= z) of the standard normal distribution without cancellation.
func upperTail(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// mwuExactAdditions bounds the dynamic programme of the exact test: about half a millisecond.
const mwuExactAdditions = 1 << 19

// MannWhitneyExact returns the exact two-sided p-value given the ties, P(|U - nm/2| >= observed): the permutation distribution of
// the rank sum by a dynamic programme over doubled midranks (Streitberg and Roehmel 1986). The work is
// about (len(x)*len(y))^2/2 additions; MannWhitney bounds it.
func MannWhitneyExact[T Number](x, y []T) float64 { return mannWhitneyExact(new(RankTests), x, y) }

func mannWhitneyExact[T Number](of *RankTests, x, y []T) float64 {
	if len(x) == 0 || len(y) == 0 {
		return 1
	}
	if len(x) > len(y) {
		x, y = y, x
	}
	ranks, sum, unit := doubledRanks(of.ranks[:0], x, y)
	of.ranks = ranks
	mean := int64(len(x)) * int64(len(x)+len(y)-1)
	for _, r := range ranks[:len(x)] {
		sum -= int64(r)
		mean -= int64(r) * unit
	}
	if unit == 2 {
		return twoSided(of.untiedSums(ranks, len(x)), sum, mean, unit)
	}
	return twoSided(of.rankSums(ranks, len(x)), sum, mean, unit)
}

// doubledRanks appends the doubled midranks less 2 of the pooled values to no ranks, and returns their sum over x, too. Without
// ties all are even, so they are halved and unit is 2.
func doubledRanks[T Number](ranks []int, x, y []T) (_ []int, sum, unit int64) {
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
// least sum. A subset size is dropped once too few ranks are left to complete it to k. The result holds until the next call.
func (t *RankTests) rankSums(ranks []int, k int) []float64 {
	for len(t.counts) <= k {
		t.counts = append(t.counts, nil)
	}
	counts := t.counts[:k+1] // by subset size j; element 0 is the sum of the j least ranks
	for j := range counts {
		counts[j] = counts[j][:0]
	}
	counts[0] = append(counts[0], 1)
	for at, r := range ranks {
		for j := min(at, k-1); j >= max(0, k-(len(ranks)-at)); j-- {
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
		clear(s[len(s):n])
		return s[:n]
	}
	longer := make([]float64, n, n+n/2)
	copy(longer, s)
	return longer
}

// twoSided returns the share of the counts at least as far from the mean as the observed sum. unit is the step between two sums in
// doubled ranks, mean the mean of the doubled sums.
func twoSided(counts []float64, sum, mean, unit int64) float64 {
	var total, far float64
	observed := sum*unit - mean
	for s, c := range counts {
		d := int64(s)*unit - mean
		total += c
		if max(d, -d) >= max(observed, -observed) {
			far += c
		}
	}
	return far / total
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
