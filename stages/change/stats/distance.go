package stats

import "math"

// Wasserstein returns the first Wasserstein distance: the area between the distribution functions
// (Vallender 1974).
func Wasserstein[T Number](x, y []T) float64 {
	return between(x, y, math.Abs)
}

// Energy returns the energy distance 2 E|X-Y| - E|X-X'| - E|Y-Y'| as a V-statistic (Szekely and
// Rizzo 2004). In one dimension it is twice the integral of (F-G)^2, so it needs no pairs and cannot
// cancel. Multiply by nm/(n+m) for the test statistic of R's edist.
func Energy[T Number](x, y []T) float64 {
	return 2 * between(x, y, func(d float64) float64 { return d * d })
}

// between integrates f(F_x - F_y) over the line.
func between[T Number](x, y []T, f func(float64) float64) float64 {
	if len(x) == 0 || len(y) == 0 {
		return math.NaN()
	}
	n, m := int64(len(x)), int64(len(y))
	scale := float64(n) * float64(m)
	area, height := 0.0, 0.0
	s := walk(x, y)
	s.next()
	for last := s.value; ; last = s.value {
		height = f(float64(int64(s.i)*m-int64(s.j)*n) / scale)
		if !s.next() {
			return area
		}
		area += height * float64(s.value-last)
	}
}
