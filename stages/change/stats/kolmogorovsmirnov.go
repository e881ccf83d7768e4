package stats

import "math"

// ksExactCells bounds the lattice of the exact Kolmogorov-Smirnov p: about one millisecond.
const ksExactCells = 1 << 18

// KS is the result of a two-sample Kolmogorov-Smirnov test.
type KS struct {
	D float64 // the greatest distance between the two empirical distribution functions
	P float64 // two-sided
}

// kolmogorovSmirnov tests whether x and y come from one distribution (Smirnov 1939). P is exact when
// len(x)*len(y) is at most 2^18, else the Kolmogorov limit. An empty sample gives P = 1.
func kolmogorovSmirnov[T Number](of *RankTests, x, y []T) KS {
	if len(x) == 0 || len(y) == 0 {
		return KS{P: 1}
	}
	scaled, tied := ksScaled(x, y)
	d := float64(scaled) / (float64(len(x)) * float64(len(y)))
	if len(x) > ksExactCells/len(y) {
		return KS{D: d, P: KolmogorovSmirnovLimit(d, len(x), len(y))}
	}
	key := distance{int64(len(x)), int64(len(y)), scaled}
	p, known := of.apart[key]
	if tied || !known {
		if p = ksExact(of, x, y, scaled); !tied {
			of.keepP(key, p)
		}
	}
	return KS{D: d, P: p}
}

// ksScaled returns D * len(x) * len(y), an integer, so that exact tests compare without rounding, and whether any values are equal.
func ksScaled[T Number](x, y []T) (greatest int64, tied bool) {
	n, m := int64(len(x)), int64(len(y))
	for s := walk(x, y); s.next(); {
		d := int64(s.i)*m - int64(s.j)*n
		greatest = max(greatest, d, -d)
		tied = tied || s.nx+s.ny > 1
	}
	return greatest, tied
}

// KolmogorovSmirnovLimit returns the p of distance d by Kolmogorov's limit distribution at
// lambda = d sqrt(nm/(n+m)) (Kolmogorov 1933; the second series is its theta-function dual,
// Feller 1948, which converges where the first does not).
func KolmogorovSmirnovLimit(d float64, n, m int) float64 {
	nf, mf := float64(n), float64(m)
	lambda := d * math.Sqrt(nf*mf/(nf+mf))
	if !(lambda > 0) {
		return 1
	}
	if lambda < 1 {
		return clampP(1 - kolmogorovSmall(lambda))
	}
	p, sign := 0.0, 2.0
	for k := 1.0; k <= 20; k++ {
		p += sign * math.Exp(-2*k*k*lambda*lambda)
		sign = -sign
	}
	return clampP(p)
}

// kolmogorovSmall returns the limit distribution function for small lambda.
func kolmogorovSmall(lambda float64) float64 {
	sum := 0.0
	for k := 1.0; k <= 39; k += 2 {
		sum += math.Exp(-k * k * math.Pi * math.Pi / (8 * lambda * lambda))
	}
	return math.Sqrt(2*math.Pi) / lambda * sum
}

// clampP moves a p-value that rounding pushed out of [0, 1] back to the end it passed.
func clampP(p float64) float64 { return min(1, max(0, p)) }

// ksExact returns P(D >= observed) over all assignments of the pooled values to the two samples, where d is the
// scaled distance of these (ksScaled), so it is conditional on the ties (Schroeer and Trenkler 1995, as in R's psmirnov):
// a lattice path is checked only where a distinct value ends. Work: len(x)*len(y) cells at most.
//
// Every path is equally likely, so the path is a Markov chain, and the mass that leaves the band is
// summed as it leaves. That keeps small p accurate: nothing is subtracted from 1.
func ksExact[T Number](of *RankTests, x, y []T, d int64) float64 {
	if d == 0 {
		return 1
	}
	of.mass = grow(of.mass[:0], len(x)+2)
	c := ksChain{n: int64(len(x)), m: int64(len(y)), d: d, mass: of.mass}
	c.mass[0] = 1
	for s := walk(x, y); s.next() && c.lo <= c.hi; {
		for range s.nx + s.ny {
			c.step()
		}
		c.absorb()
	}
	return clampP(c.exit)
}

// ksChain is the distribution of the number of values of x among the first t pooled values.
type ksChain struct {
	n, m, d int64
	t       int64     // pooled values taken
	lo, hi  int64     // where mass is
	mass    []float64 // by the number of values of x
	exit    float64   // mass that reached distance d
}

// step takes one more pooled value. Of the values that are left, n - a are of x and m - (t - a) of y, so those are the odds
// of the next one (a urn without replacement).
func (c *ksChain) step() {
	left := float64(c.n + c.m - c.t)
	for a := c.hi; a >= c.lo; a-- {
		p := c.mass[a] / left
		c.mass[a+1] += p * float64(c.n-a)
		c.mass[a] = p * float64(c.m-(c.t-a))
	}
	c.t++
	c.hi = min(c.hi+1, c.n)
	for c.lo < c.t-c.m {
		c.lo++
	}
}

// absorb moves the mass that reached distance d to exit. Only the ends of the band can have reached it, because the distance
// grows with a.
func (c *ksChain) absorb() {
	for c.lo <= c.hi && c.lo*c.m-(c.t-c.lo)*c.n <= -c.d {
		c.exit += c.mass[c.lo]
		c.mass[c.lo] = 0
		c.lo++
	}
	for c.lo <= c.hi && c.hi*c.m-(c.t-c.hi)*c.n >= c.d {
		c.exit += c.mass[c.hi]
		c.mass[c.hi] = 0
		c.hi--
	}
}
