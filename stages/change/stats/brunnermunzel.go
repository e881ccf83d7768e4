package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// BrunnerMunzel tests P(X < Y) + P(X = Y)/2 = 1/2 without assuming equal shapes (Brunner and Munzel
// 2000), with p by t. Where the samples do not overlap the variance is 0: the statistic is infinite
// and p NaN.
func BrunnerMunzel[T Number](x, y []T) (statistic, p float64) {
	n, m := float64(len(x)), float64(len(y))
	if n < 2 || m < 2 {
		return math.NaN(), math.NaN()
	}
	p0 := 1 - Rank(x, y).U()/(n*m)
	var sx, sy float64 // sums of squares of the placements
	for s := walk(x, y); s.next(); {
		dx := float64(2*s.j-s.ny)/2 - m*(1-p0)
		dy := float64(2*s.i-s.nx)/2 - n*p0
		sx += float64(s.nx) * dx * dx
		sy += float64(s.ny) * dy * dy
	}
	vx, vy := n*sx/(n-1), m*sy/(m-1)
	// The difference of the mean pooled ranks is (n+m)(p0 - 1/2).
	statistic = n * m * (p0 - 0.5) / math.Sqrt(vx+vy)
	if !(vx+vy > 0) {
		return statistic, math.NaN()
	}
	df := (vx + vy) * (vx + vy) / (vx*vx/(n-1) + vy*vy/(m-1))
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}
	return statistic, clampP(2 * t.CDF(-math.Abs(statistic)))
}
