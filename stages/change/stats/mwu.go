package stats

import "math"

// Alternative says which differences count against the null hypothesis, for x against y.
type Alternative int

const (
	TwoSided Alternative = iota
	Less                 // x tends to be smaller than y
	Greater              // x tends to be greater than y
)

// MWU is the result of a Mann-Whitney U test.
type MWU struct {
	U     float64 // pairs with x > y, ties count one half
	P     float64 // two-sided
	Exact bool    // P is exact, conditional on the ties
}

// MannWhitney tests whether x or y tends to be greater (Mann and Whitney 1947). P is exact when the
// dynamic programme takes at most 2^19 additions (32 against 32 values with ties, 38 against 38
// without, any number against 1), else normal with tie and continuity correction. An empty sample gives P = 1.
func MannWhitney[T Number](x, y []T) MWU {
	if len(x) == 0 || len(y) == 0 {
		return MWU{P: 1}
	}
	r := Rank(x, y)
	if affordable(r.N, r.M, r.Ties == 0, mwuExactAdditions) {
		return MWU{U: r.U(), P: MannWhitneyExact(x, y).TwoSided, Exact: true}
	}
	return MWU{U: r.U(), P: r.Normal(TwoSided, true)}
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

// Normal returns the normal approximation of the p-value with tie correction, and with a continuity
// correction of one half if asked for. If all values are equal it is 1: nothing speaks against the null.
func (r Ranks) Normal(alt Alternative, continuity bool) float64 {
	sigma := r.sigma()
	if !(sigma > 0) {
		return 1
	}
	d := float64(r.TwiceU-int64(r.N)*int64(r.M)) / 2
	c := 0.0
	if continuity {
		c = 0.5
	}
	switch alt {
	case Less:
		return upperTail(-(d + c) / sigma)
	case Greater:
		return upperTail((d - c) / sigma)
	}
	return clampP(2 * upperTail((math.Abs(d)-c)/sigma))
}

// upperTail returns P(Z >= z) of the standard normal distribution without cancellation.
func upperTail(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }
