package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// HodgesLehmann returns the shift from x to y: the median of all differences y - x (Hodges and Lehmann
// 1963), selected without building the matrix of differences. An empty sample gives NaN.
func HodgesLehmann[T Number](x, y []T) float64 {
	if len(x) == 0 || len(y) == 0 {
		return math.NaN()
	}
	pairs := int64(len(x)) * int64(len(y))
	a, b := selectPair(x, y, (pairs+1)/2, 1-pairs%2)
	return float64(a) + float64(b-a)/2
}

// HodgesLehmannRatio returns the factor from x to y: the exponential of the shift of the logarithms.
// It is NaN unless all values are positive.
func HodgesLehmannRatio[T Number](x, y []T) float64 {
	if len(x) == 0 || len(y) == 0 || !(x[0] > 0 && y[0] > 0) {
		return math.NaN()
	}
	return math.Exp(HodgesLehmann(logs(x), logs(y)))
}

func logs[T Number](v []T) []float64 {
	out := make([]float64, len(v))
	for i, a := range v {
		out[i] = math.Log(float64(a))
	}
	return out
}

// Interval is a confidence interval with the level it attains.
type Interval struct{ Lo, Hi, Level float64 }

// ShiftIntervalNormal returns the order-statistic interval of the shift: the differences number C from
// either end, C = floor(nm/2 - z sqrt(nm(n+m+1)/12)) (Hollander and Wolfe, section 4.3). If C is below
// 1 the samples are too small for the level, and the interval is unbounded.
func ShiftIntervalNormal[T Number](x, y []T, level float64) Interval {
	n, m := float64(len(x)), float64(len(y))
	sigma := math.Sqrt(n * m * (n + m + 1) / 12)
	return orderInterval(x, y, math.Floor(n*m/2-normalQuantile(level)*sigma), level)
}

// ShiftIntervalCorrected is the interval of the shifts that the normal Mann-Whitney test with tie and
// continuity correction does not reject, as R's wilcox.test approximates with a root finder. Ties are
// those within x and within y, as at any shift but those that make differences 0.
func ShiftIntervalCorrected[T Number](x, y []T, level float64) Interval {
	r := Ranks{N: len(x), M: len(y), Ties: Rank(x, nil).Ties + Rank(nil, y).Ties}
	return orderInterval(x, y, math.Ceil(r.pairs()/2+0.5-normalQuantile(level)*r.sigma())-1, level)
}

// normalQuantile returns z of a two-sided interval.
func normalQuantile(level float64) float64 {
	return distuv.UnitNormal.Quantile(0.5 + min(1, max(0, level))/2)
}

// orderInterval returns the differences number c from either end.
func orderInterval[T Number](x, y []T, c, level float64) Interval {
	if len(x) == 0 || len(y) == 0 || !(c >= 1) {
		return Interval{math.Inf(-1), math.Inf(1), level}
	}
	pairs := int64(len(x)) * int64(len(y))
	k := min(int64(c), pairs)
	lo, _ := selectPair(x, y, k, 0)
	hi, _ := selectPair(x, y, pairs+1-k, 0)
	return Interval{float64(lo), float64(hi), level}
}

// intervalAdditions bounds the dynamic programme of the exact interval: about ten milliseconds.
const intervalAdditions = 1 << 23

// ShiftIntervalExact returns the order-statistic interval from the exact distribution of U without ties
// (Bauer 1972, as in R's wilcox.test) and the level attained. It is ShiftIntervalNormal above about
// 50 against 50 values. If the level cannot be reached it is the widest interval.
func ShiftIntervalExact[T Number](x, y []T, level float64) Interval {
	if len(x) == 0 || len(y) == 0 || !affordable(len(x), len(y), true, intervalAdditions) {
		return ShiftIntervalNormal(x, y, level)
	}
	k := min(len(x), len(y))
	ranks := make([]int, len(x)+len(y))
	for i := range ranks {
		ranks[i] = i
	}
	counts, total := rankSums(ranks, k), 0.0
	for _, c := range counts {
		total += c
	}
	below, q := counts[0]/total, 0 // P(U <= q)
	for below < (1-min(1, max(0, level)))/2 {
		q++
		below += counts[q] / total
	}
	out := orderInterval(x, y, float64(max(1, q)), level)
	outside := below - counts[q]/total
	if q == 0 {
		outside = below
	}
	out.Level = 1 - 2*outside
	return out
}
