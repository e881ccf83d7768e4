package changepoint

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// step is the step that describes a part of a series best.
type step struct {
	at      int     // position of the first value after it; 0 where there is none
	p       float64 // of Student's t at this place, its variance inflated; 1 where there is none
	squares float64 // of the residuals
}

// fitStep fits a step at every place with minSegment values on either side, on a level or, with slope, on a line that goes
// through both sides. With the values less their mean or line, the best step at a place is a sum over a square norm, so
// that all places together take linear time.
func fitStep(values []float64, minSegment int, slope bool, inflation float64) step {
	n := len(values)
	rest := make([]float64, n) // values less the mean or line
	base := line{n: n, mean: stats.Mean(values)}
	if slope {
		base = fitLine(values, 1)
	}
	total := 0.0
	for i, v := range values {
		rest[i] = v - base.at(i)
		total += rest[i] * rest[i]
	}
	best, bestChange, bestNorm := step{p: 1, squares: total}, 0.0, 0.0
	sum, times, timesSquared := 0.0, 0.0, squaresOfPositions(n)
	for at := n - 1; at >= minSegment; at-- {
		sum += rest[at]
		times += base.time(at)
		if n-at < minSegment {
			continue
		}
		norm := float64(at) * float64(n-at) / float64(n) // of the step less its mean
		if slope {
			norm -= times * times / timesSquared
		}
		if norm < 1e-9 {
			continue
		}
		if squares := total - sum*sum/norm; best.at == 0 || squares < best.squares {
			best.at, best.squares, bestChange, bestNorm = at, squares, sum/norm, norm
		}
	}
	if best.at == 0 {
		return best
	}
	parameters := 2
	if slope {
		parameters++
	}
	best.p = pOf(bestChange, bestNorm, best.squares, n-parameters, inflation)
	return best
}

// line is a straight line through the values of a part, by least squares, or their mean.
type line struct {
	n           int
	mean, slope float64
	squares     float64 // of the residuals
	p           float64 // of no slope
}

// fitLine fits a line, and tests its slope with an inflated variance.
func fitLine(values []float64, inflation float64) line {
	l := line{n: len(values), mean: stats.Mean(values), p: 1}
	times := squaresOfPositions(l.n)
	for i, v := range values {
		l.slope += l.time(i) * (v - l.mean) / times
	}
	l.squares = sumOfSquares(l.residuals(values))
	l.p = pOf(l.slope, times, l.squares, l.n-2, inflation)
	return l
}

// residuals returns what the line leaves of the values.
func (l *line) residuals(values []float64) []float64 {
	residuals := make([]float64, len(values))
	for i, v := range values {
		residuals[i] = v - l.at(i)
	}
	return residuals
}

// time is the place of a position from the middle of the part.
func (l *line) time(i int) float64 { return float64(i) - float64(l.n-1)/2 }

// at is the value of the line.
func (l *line) at(i int) float64 { return l.mean + l.slope*l.time(i) }

// change is the change of the line from the first value to the last.
func (l *line) change() float64 { return l.slope * float64(l.n-1) }

// squaresOfPositions is the sum of the squares of line.time over a part of n values.
func squaresOfPositions(n int) float64 { return float64(n) * float64(n*n-1) / 12 }

func sumOfSquares(values []float64) (sum float64) {
	for _, v := range values {
		sum += v * v
	}
	return sum
}

// pOf is the p of a coefficient whose regressor has a square norm, given the squares of the residuals and their degrees of
// freedom for independent values.
func pOf(coefficient, norm, squares float64, df int, inflation float64) float64 {
	if df < 1 {
		return 1
	}
	t := stats.Moderated{
		Estimate: coefficient, SE: math.Sqrt(inflation * math.Max(squares, 0) / float64(df) / norm), DF: math.Max(float64(df)/inflation, 1),
	}
	return t.P()
}

// shortest is the number of values from which on their correlation, and how much they vary at one place, are estimated: from fewer
// nothing can be told.
const shortest = 20

// inflate is by how much the variance of a mean is greater than that of as many independent values: (1 + r)/(1 - r) for an
// autoregression of order one with the correlation r of neighbours (Zwiers and von Storch 1995, Journal of Climate 8). The
// correlation of residuals is too small by about (k + (k + 2) r)/n each for what k parameters take away (Kendall 1954,
// Biometrika 41, for k = 1), and half as much again is added: the place of a step was searched for, which takes more away. Only
// positive correlation counts.
func inflate(residuals []float64, parameters int) float64 {
	n := float64(len(residuals))
	squares, products := sumOfSquares(residuals), 0.0
	if n < shortest || squares == 0 {
		return 1
	}
	for i := range len(residuals) - 1 {
		products += residuals[i] * residuals[i+1]
	}
	r, k := products/squares, float64(parameters)
	r = math.Min(math.Max(r+1.5*(k+(k+2)*math.Max(r, 0))/n, 0), .9)
	return (1 + r) / (1 - r)
}
