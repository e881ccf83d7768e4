package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Welch returns the two-sided p-value of Welch's t-test, which compares the means of x and y with unequal variances (Welch 1947).
// It is NaN if a sample has fewer than two values or both are constant.
func Welch[T Number](x, y []T) float64 {
	if len(x) < 2 || len(y) < 2 {
		return math.NaN()
	}
	meanX, vx := meanAndError(x)
	meanY, vy := meanAndError(y)
	if !(vx+vy > 0) {
		return math.NaN()
	}
	d, se := meanY-meanX, math.Sqrt(vx+vy)
	df := (vx + vy) * (vx + vy) / (vx*vx/float64(len(x)-1) + vy*vy/float64(len(y)-1))
	return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.CDF(-math.Abs(d/se))
}

// meanAndError returns the mean and its squared standard error, in two passes about the first value.
func meanAndError[T Number](v []T) (mean, squared float64) {
	n, sum, squares := float64(len(v)), 0.0, 0.0
	for _, a := range v {
		sum += float64(a - v[0])
	}
	shift := sum / n
	for _, a := range v {
		d := float64(a-v[0]) - shift
		squares += d * d
	}
	return float64(v[0]) + shift, squares / (n - 1) / n
}

// Mean returns the arithmetic mean, NaN of no values. It adds in the order of the values.
func Mean[T Number](v []T) float64 {
	sum := 0.0
	for _, a := range v {
		sum += float64(a)
	}
	return sum / float64(len(v))
}

// Median returns the median of sorted values: of an even number, the mean of the two in the middle. There must be one.
func Median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
