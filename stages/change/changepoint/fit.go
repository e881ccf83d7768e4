package changepoint

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// step is the step that describes a part of a series best.
type step struct {
	at      int     // position of the first value after it; 0 where there is none
	p       float64 // of Student's t at this place, for noise that is correlated as the residuals are; 1 where there is none
	squares float64 // of the residuals
}

// fitStep fits a step at every place with minSegment values on either side, on a level or, with slope, on a line that goes
// through both sides. With the values less their mean or line, the best step at a place is a sum over a square norm, so
// that all places together take linear time.
func fitStep(values []float64, minSegment int, slope bool) step {
	n := len(values)
	rest := make([]float64, n) // values less the mean or line
	base := line{n: n, mean: stats.Mean(values)}
	if slope {
		base = fitLine(values)
	}
	total := 0.0
	for i, v := range values {
		rest[i] = v - base.at(i)
		total += rest[i] * rest[i]
	}
	best, bestChange := step{p: 1, squares: total}, 0.0
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
			best.at, best.squares, bestChange = at, squares, sum/norm
		}
	}
	if best.at == 0 {
		return best
	}
	parameters := 2
	if slope {
		parameters++
	}
	// The residuals: a step less its mean and, with slope, less its line.
	indicator := make([]float64, n)
	for i := best.at; i < n; i++ {
		indicator[i] = 1
	}
	shape := line{n: n, mean: stats.Mean(indicator)}
	if slope {
		shape = fitLine(indicator)
	}
	norm := 0.0
	for i := range rest {
		x := indicator[i] - shape.at(i)
		rest[i] -= bestChange * x
		norm += x * x
	}
	best.p = pOf(bestChange, norm, rest, parameters)
	return best
}

// line is a straight line through the values of a part, by least squares, or their mean.
type line struct {
	n           int
	mean, slope float64
	squares     float64 // of the residuals
	p           float64 // of no slope
}

// fitLine fits a line.
func fitLine(values []float64) line {
	l := line{n: len(values), mean: stats.Mean(values), p: 1}
	times := squaresOfPositions(l.n)
	for i, v := range values {
		l.slope += l.time(i) * (v - l.mean) / times
	}
	residuals := make([]float64, l.n)
	for i, v := range values {
		residuals[i] = v - l.at(i)
	}
	l.squares = sumOfSquares(residuals)
	l.p = pOf(l.slope, times, residuals, 2)
	return l
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

// pOf is the p of a coefficient whose regressor has a square norm, given the residuals of a fit with some parameters.
func pOf(coefficient, norm float64, residuals []float64, parameters int) float64 {
	df := float64(len(residuals) - parameters)
	if df < 1 {
		return 1
	}
	inflation := inflate(residuals, parameters)
	t := stats.Moderated{
		Estimate: coefficient, SE: math.Sqrt(inflation * sumOfSquares(residuals) / df / norm), DF: math.Max(df/inflation, 1),
	}
	return t.P()
}

// shortest is the number of values from which on their correlation is estimated: from fewer nothing can be told.
const shortest = 20

// inflate is by how much the variance of a mean is greater than that of as many independent values: (1 + r)/(1 - r) for an
// autoregression of order one with the correlation r of neighbours (Zwiers and von Storch 1995, Journal of Climate 8). The
// correlation of residuals is too small by about (k + (k + 2) r)/n each for what k parameters take away (Kendall 1954,
// Biometrika 41, for k = 1), and half as much again is added: the place of a step was searched for, which takes more away. Only
// positive correlation counts, and none that comes from further steps, which the fit has not found yet.
func inflate(residuals []float64, parameters int) float64 {
	n := float64(len(residuals))
	if n < shortest {
		return 1
	}
	residuals = withoutJumps(residuals)
	squares, products := sumOfSquares(residuals), 0.0
	if squares == 0 {
		return 1
	}
	for i := range len(residuals) - 1 {
		products += residuals[i] * residuals[i+1]
	}
	r, k := products/squares, float64(parameters)
	r = math.Min(math.Max(r+1.5*(k+(k+2)*math.Max(r, 0))/n, 0), .9)
	return (1 + r) / (1 - r)
}

// withoutJumps takes jumps out of values, and their mean: differences of neighbours far beyond what they usually are.
func withoutJumps(values []float64) []float64 {
	differences := make([]float64, len(values)-1)
	for i := range differences {
		differences[i] = math.Abs(values[i+1] - values[i])
	}
	slices.Sort(differences)
	far, jumps := jump*1.4826*stats.Median(differences), 0.0
	out := []float64{values[0]}
	for i := 1; i < len(values); i++ {
		if d := values[i] - values[i-1]; math.Abs(d) > far {
			jumps += d
		}
		out = append(out, values[i]-jumps)
	}
	mean := stats.Mean(out)
	for i := range out {
		out[i] -= mean
	}
	return out
}

// jump is how many standard deviations of a difference make it a jump.
const jump = 4
