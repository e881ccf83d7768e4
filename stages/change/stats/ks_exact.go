package stats

// KolmogorovSmirnovExact returns P(D >= observed) over all assignments of the pooled values to the
// two samples, so it is conditional on the ties (Schroeer and Trenkler 1995, as in R's psmirnov):
// a lattice path is checked only where a distinct value ends. Work: len(x)*len(y) cells at most.
//
// Every path is equally likely, so the path is a Markov chain, and the mass that leaves the band is
// summed as it leaves. That keeps small p accurate: nothing is subtracted from 1.
func KolmogorovSmirnovExact[T Number](x, y []T) float64 {
	d := ksScaled(x, y)
	if d == 0 {
		return 1
	}
	c := ksChain{n: int64(len(x)), m: int64(len(y)), d: d, mass: make([]float64, len(x)+2)}
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
