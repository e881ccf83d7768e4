package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Dominance says how far y stands above x.
type Dominance struct {
	Delta    float64 // Cliff's delta: P(Y > X) - P(Y < X)
	Variance float64 // of Delta; NaN if a sample has fewer than two values
	Lo, Hi   float64 // 95 % interval of Delta; NaN at variance 0
}

// Superiority returns P(Y > X) + P(Y = X)/2.
func (d Dominance) Superiority() float64 { return (d.Delta + 1) / 2 }

// CliffDelta returns Cliff's delta of y against x with its consistent variance (Cliff 1996, equation
// 5.9) and the asymmetric 95 % interval with t on n+m-2 degrees of freedom (Feng and Cliff 2004).
func CliffDelta[T Number](x, y []T) Dominance {
	nan := math.NaN()
	n, m := float64(len(x)), float64(len(y))
	if n == 0 || m == 0 {
		return Dominance{nan, nan, nan, nan}
	}
	var net, decided float64
	for s := walk(x, y); s.next(); {
		above, below := float64(s.i-s.nx), float64(len(x)-s.i)
		net += float64(s.ny) * (above - below)
		decided += float64(s.ny) * (above + below)
	}
	d := Dominance{Delta: net / (n * m), Variance: nan, Lo: nan, Hi: nan}
	if n < 2 || m < 2 {
		return d
	}
	rows, cols := dominanceSpread(x, y, d.Delta)
	cells := (decided - n*m*d.Delta*d.Delta) / ((n - 1) * (m - 1))
	d.Variance = ((n-1)*rows/(m-1) + (m-1)*cols/(n-1) + cells) / (n * m)
	d.Lo, d.Hi = cliffInterval(d.Delta, d.Variance, n+m-2)
	return d
}

// dominanceSpread returns the sums of squares of the row means (one a value of y) and of the column
// means (one a value of x) of the dominance matrix about delta.
func dominanceSpread[T Number](x, y []T, delta float64) (rows, cols float64) {
	n, m := float64(len(x)), float64(len(y))
	for s := walk(x, y); s.next(); {
		row := float64(2*s.i-s.nx-len(x))/n - delta
		col := float64(len(y)-2*s.j+s.ny)/m - delta
		rows += float64(s.ny) * row * row
		cols += float64(s.nx) * col * col
	}
	return rows, cols
}

func cliffInterval(delta, variance, df float64) (lo, hi float64) {
	if !(variance > 0) {
		return math.NaN(), math.NaN()
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(0.975)
	free := 1 - delta*delta
	half := t * math.Sqrt(variance) * math.Sqrt(free*free+t*t*variance)
	centre, scale := delta*free, free+t*t*variance
	return (centre - half) / scale, (centre + half) / scale
}
