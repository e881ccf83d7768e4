package offset

import (
	"math"
	"sort"
)

// Pair collects what messages between two units say of their clocks. Times are ns of either clock, not too far apart to
// be told by a float64 to the nanosecond: within 104 days of the origin.
type Pair struct {
	origin, other int64 // of the first and of the second clock; differences are kept
	upper, lower  hull  // lower is kept upside down
	Forth, Back   int64
}

// NewPair returns a pair whose offset is meant at the time origin of the first clock, near which other is of the second.
func NewPair(origin, other int64) *Pair { return &Pair{origin: origin, other: other} }

// Before notes that something at x of the first clock came before something at y of the second.
func (p *Pair) Before(x, y int64) {
	p.Forth++
	p.upper.add(point{float64(x - p.origin), float64((y - p.other) - (x - p.origin))})
}

// After notes that something at x of the first clock came after something at y of the second.
func (p *Pair) After(x, y int64) {
	p.Back++
	p.lower.add(point{float64(x - p.origin), -float64((y - p.other) - (x - p.origin))})
}

// Line is a relation of two clocks: y = x + Offset + Drift (x - origin).
type Line struct {
	Offset float64 // ns, y - x at the origin
	Drift  float64 // ns per ns: 50e-6 is 50 ppm
}

// Bounds are the lines that the messages of a pair allow.
type Bounds struct {
	Line               // the estimate
	Possible   bool    // a line respects all messages
	LeastDrift float64 // of possible lines; infinite where messages go one way only
	MostDrift  float64
	Least      float64 // offset of possible lines; infinite likewise
	Most       float64
	Gap        float64 // ns between the bounds at the estimate; negative: by how much messages contradict the line
}

// Bounds returns what the messages so far say.
func (p *Pair) Bounds() Bounds {
	p.upper.settle()
	p.lower.settle()
	shift := float64(p.other - p.origin)
	inf := math.Inf(1)
	b := Bounds{Possible: true, LeastDrift: -inf, MostDrift: inf, Least: -inf, Most: inf, Gap: inf}
	switch up, low := len(p.upper.points) > 0, len(p.lower.points) > 0; {
	case up && low:
		return p.between(shift)
	case up:
		b.Offset = p.upper.least(0, p.upper.slopes()) + shift
	case low:
		b.Offset = -p.lower.least(0, p.lower.slopes()) + shift
	default:
		b.Offset = shift
	}
	return b
}

// gap is g - f as a function of the drift: concave and linear between its corners.
type gap struct {
	upper, lower *hull
	up, low      []float64 // slopes of the hulls
}

// at returns f, g at a drift.
func (g *gap) at(drift float64) (f, most float64) {
	return -g.lower.least(-drift, g.low), g.upper.least(drift, g.up)
}

func (g *gap) width(drift float64) float64 {
	f, most := g.at(drift)
	return most - f
}

// between finds the possible lines where there are messages both ways.
func (p *Pair) between(shift float64) Bounds {
	g := &gap{upper: &p.upper, lower: &p.lower, up: p.upper.slopes(), low: p.lower.slopes()}
	corners := append([]float64{0}, g.up...)
	for _, s := range g.low {
		corners = append(corners, -s)
	}
	sort.Float64s(corners)
	drift, nan := g.estimate(corners), math.NaN()
	b := Bounds{Possible: g.width(drift) >= 0, LeastDrift: nan, MostDrift: nan, Least: nan, Most: nan}
	if b.Possible {
		b.LeastDrift, b.MostDrift = g.end(corners, drift, -1), g.end(corners, drift, +1)
		b.Least, b.Most = g.extent(corners, b.LeastDrift, b.MostDrift)
		b.Least, b.Most = b.Least+shift, b.Most+shift
		if math.IsInf(b.MostDrift-b.LeastDrift, 1) {
			drift = min(max(0, b.LeastDrift), b.MostDrift)
		}
	}
	f, most := g.at(drift)
	b.Line, b.Gap = Line{(f+most)/2 + shift, drift}, most-f
	return b
}

// worth is how much wider, as a part of the time that messages cover, the gap must become for a drift to be taken for
// one: the messages at one end of that time may by chance have been slower than those at the other.
const worth = 0.1

// estimate is the drift where the gap is widest, less what a drift must be worth; or where it is widest at all, if only
// there a line is possible.
func (g *gap) estimate(corners []float64) float64 {
	span := g.span()
	careful := g.widest(corners, func(d float64) float64 { return g.width(d) - worth*span*math.Abs(d) })
	if g.width(careful) >= 0 {
		return careful
	}
	return g.widest(corners, g.width)
}

// widest is the corner where a concave function is largest; of several the middle, or 0 where it lies between them.
func (g *gap) widest(corners []float64, width func(float64) float64) float64 {
	best := 0
	for i, d := range corners {
		if width(d) > width(corners[best]) {
			best = i
		}
	}
	last, most := best, width(corners[best])
	for last+1 < len(corners) && width(corners[last+1]) == most {
		last++
	}
	if corners[best] <= 0 && corners[last] >= 0 {
		return 0
	}
	return (corners[best] + corners[last]) / 2
}

// span is the time of the first clock that messages cover, as far as the hulls know.
func (g *gap) span() float64 {
	u, l := g.upper.points, g.lower.points
	return max(u[len(u)-1].x, l[len(l)-1].x) - min(u[0].x, l[0].x)
}

// end walks from a possible drift down or up to where the gap closes: the least or the most possible drift.
func (g *gap) end(corners []float64, drift float64, step int) float64 {
	at := drift
	from, to := sort.SearchFloat64s(corners, drift), len(corners)
	if step < 0 {
		from, to = from-1, -1
	}
	for i := from; i != to; i += step {
		if g.width(corners[i]) < 0 {
			return g.zero(at, corners[i])
		}
		at = corners[i]
	}
	beyond := at + float64(step)*max(1, math.Abs(at))
	if g.width(beyond) >= g.width(at) {
		return math.Inf(step)
	}
	return g.zero(at, beyond)
}

// zero is where the gap, linear from a to b and beyond, closes.
func (g *gap) zero(a, b float64) float64 {
	wa, wb := g.width(a), g.width(b)
	return a + wa*(b-a)/(wa-wb)
}

// extent is the least f and the greatest g over the possible drifts. Both are at corners or ends, being convex and
// concave.
func (g *gap) extent(corners []float64, least, most float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, d := range append([]float64{least, most}, corners...) {
		if d < least || d > most {
			continue
		}
		if math.IsInf(d, 0) {
			return math.Inf(-1), math.Inf(1)
		}
		f, g := g.at(d)
		lo, hi = min(lo, f), max(hi, g)
	}
	return lo, hi
}
