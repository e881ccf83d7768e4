package stats

import "math"

// AndersonDarling is the two-sample Anderson-Darling statistic in both versions of Scholz and
// Stephens (1987): with right-continuous distribution functions (equation 6) and with midranks
// (equation 7).
type AndersonDarling struct {
	Right, Midrank float64
	sigma          float64
}

// StandardRight returns (A2 - 1)/sigma of the right-continuous version.
func (a AndersonDarling) StandardRight() float64 { return (a.Right - 1) / a.sigma }

// StandardMidrank returns (A2 - 1)/sigma of the midrank version.
func (a AndersonDarling) StandardMidrank() float64 { return (a.Midrank - 1) / a.sigma }

// Anderson returns the Anderson-Darling statistics of x and y. They are NaN if fewer than four
// values or only one distinct value is there.
func Anderson[T Number](x, y []T) AndersonDarling {
	nan := math.NaN()
	n, m := float64(len(x)), float64(len(y))
	if n == 0 || m == 0 || n+m < 4 || max(x[len(x)-1], y[len(y)-1]) == min(x[0], y[0]) {
		return AndersonDarling{nan, nan, nan}
	}
	a := AndersonDarling{sigma: andersonSigma(n, m)}
	all := n + m
	for s := walk(x, y); s.next(); {
		l, b := float64(s.nx+s.ny), float64(s.i+s.j)
		if b < all {
			d := all*float64(s.i) - b*n
			a.Right += l / all * d * d / (b * (all - b))
		}
		b -= l / 2
		d := all*(float64(s.i)-float64(s.nx)/2) - b*n
		a.Midrank += l / all * d * d / (b*(all-b) - all*l/4)
	}
	// Both samples' sums have the same numerators, so 1/n + 1/m takes the place of the second sum.
	a.Right *= 1/n + 1/m
	a.Midrank *= (1/n + 1/m) * (all - 1) / all
	return a
}

// andersonSigma returns the standard deviation of A2 for two samples (Scholz and Stephens 1987,
// equation 4 with k = 2).
func andersonSigma(n, m float64) float64 {
	all, inv := n+m, 1/n+1/m
	sum, g := 0.0, 0.0
	for i := 2.0; i < all; i++ {
		sum += 1 / (all - i + 1)
		g += sum / i
	}
	h := sum + 1
	a := (4*g - 6) + (10-6*g)*inv
	b := (2*g-4)*4 + 16*h + (2*g-14*h-4)*inv - 8*h + 4*g - 6
	c := (6*h+2*g-2)*4 + (4*h-4*g+6)*2 + (2*h-6)*inv + 4*h
	d := (2*h+6)*4 - 8*h
	return math.Sqrt((((a*all+b)*all+c)*all + d) / ((all - 1) * (all - 2) * (all - 3)))
}
