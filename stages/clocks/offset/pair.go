package offset

import (
	"math"
	"sort"
)

// Pair collects what messages between two units say about their clocks. Times are in ns and must lie
// within 104 days of the origin, the range in which a float64 distinguishes nanoseconds. The origins of a zero Pair are 0.
type Pair struct {
	// ns of the first clock; other is the matching time of the second. Only differences to them are kept.
	origin, other int64
	upper, lower  hull // bounds from above; lower holds the bounds from below, upside down
	// The slowest messages, which bound nothing: upperLate holds those of upper upside down, lowerLate those of lower.
	upperLate, lowerLate hull
	Forth, Back          int64 // messages from the first unit to the second; Back counts the others
	forth, back          sums
}

// sums are those of the bounds of one direction. They are whole, so that they do not depend on the order of messages.
type sums struct {
	x int64 // of us of the first clock since the origin
	y int64 // of ns of the distance to the second clock
}

func (s *sums) add(x, y int64) { s.x, s.y = s.x+x/1000, s.y+y }

// meanAbove returns by how much the mean of n bounds lies above a line, in ns.
func (s *sums) meanAbove(offset, drift float64, n int64) float64 {
	return float64(s.y)/float64(n) - drift*float64(s.x)/float64(n)*1000 - offset
}

// NewPair returns a pair whose offset is given for the time origin of the first clock, when the second
// shows about other.
func NewPair(origin, other int64) *Pair { return &Pair{origin: origin, other: other} }

// Before records that something at x of the first clock happened before something at y of the second.
func (p *Pair) Before(x, y int64) {
	p.Forth++
	x, y = x-p.origin, (y-p.other)-(x-p.origin)
	p.forth.add(x, y)
	p.upper.addPoint(point{float64(x), float64(y)})
	p.upperLate.addPoint(point{float64(x), -float64(y)})
}

// After records that something at x of the first clock happened after something at y of the second.
func (p *Pair) After(x, y int64) {
	p.Back++
	x, y = x-p.origin, (y-p.other)-(x-p.origin)
	p.back.add(x, y)
	p.lower.addPoint(point{float64(x), -float64(y)})
	p.lowerLate.addPoint(point{float64(x), float64(y)})
}

// Line is a relation of two clocks: y = x + Offset + Drift (x - origin).
type Line struct {
	Offset float64 // ns, y - x at the origin
	Drift  float64 // ns per ns: 50e-6 is 50 ppm
}

// Bounds describe the lines y(x) that the messages of a pair allow. Where messages go one way only,
// bounds are infinite; where no line is possible, they are NaN.
type Bounds struct {
	Line // the estimate
	// Whether some line respects all messages. Lines that gain, or lose, more than any two messages one way suggest do not count: a few messages
	// after a clock was set would always allow one.
	Possible  bool
	MinDrift  float64 // smallest drift of possible lines, ns per ns
	MaxDrift  float64 // greatest drift of possible lines, ns per ns
	MinOffset float64 // smallest offset of possible lines, ns
	MaxOffset float64 // greatest offset of possible lines, ns
	// ns between the bounds at the estimated drift; negative: by how much the messages contradict the
	// line
	Gap float64
}

// Bounds returns what the messages so far allow. Without messages it is the offset of the origins. More
// may be added afterwards.
func (p *Pair) Bounds() Bounds {
	p.upper.rebuild()
	p.lower.rebuild()
	shift := float64(p.other - p.origin)
	inf := math.Inf(1)
	b := Bounds{Possible: true, MinDrift: -inf, MaxDrift: inf, MinOffset: -inf, MaxOffset: inf, Gap: inf}
	switch up, low := len(p.upper.points) > 0, len(p.lower.points) > 0; {
	case up && low:
		return p.boundsBothWays(shift)
	case up:
		b.Offset = p.upper.minIntercept(0, p.upper.sideSlopes()) + shift
	case low:
		b.Offset = -p.lower.minIntercept(0, p.lower.sideSlopes()) + shift
	default:
		b.Offset = shift
	}
	return b
}

// gapFunction is the width g - f between the offset bounds as a function of the drift: concave, and
// linear between its corners, which are the slopes of the hulls.
type gapFunction struct {
	upper, lower *hull
	up, low      []float64 // slopes of the hulls
}

// boundsAt returns the greatest lower bound f and the least upper bound g of the offset at a drift.
func (g *gapFunction) boundsAt(drift float64) (f, most float64) {
	return -g.lower.minIntercept(-drift, g.low), g.upper.minIntercept(drift, g.up)
}

// widthAt returns g - f at a drift. A line of that drift is possible where it is not negative.
func (g *gapFunction) widthAt(drift float64) float64 {
	f, most := g.boundsAt(drift)
	return most - f
}

// boundsBothWays computes the bounds where there are messages both ways. Its time is linear in the
// corners but for one sort.
func (p *Pair) boundsBothWays(shift float64) Bounds {
	g := &gapFunction{upper: &p.upper, lower: &p.lower, up: p.upper.sideSlopes(), low: p.lower.sideSlopes()}
	corners := append([]float64{0}, g.up...)
	for _, s := range g.low {
		corners = append(corners, -s)
	}
	sort.Float64s(corners)
	drift, nan := g.estimateDrift(corners), math.NaN()
	b := Bounds{Possible: g.widthAt(drift) >= 0, MinDrift: nan, MaxDrift: nan, MinOffset: nan, MaxOffset: nan}
	if b.Possible {
		b.MinDrift, b.MaxDrift = g.possibleEnd(corners, drift, -1), g.possibleEnd(corners, drift, +1)
		b.MinOffset, b.MaxOffset = g.offsetExtent(corners, b.MinDrift, b.MaxDrift)
		b.MinOffset, b.MaxOffset = b.MinOffset+shift, b.MaxOffset+shift
		if math.IsInf(b.MaxDrift-b.MinDrift, 1) {
			drift = min(max(0, b.MinDrift), b.MaxDrift)
		}
	}
	f, most := g.boundsAt(drift)
	b.Line, b.Gap = Line{(f+most)/2 + shift, drift}, most-f
	return b
}

// driftWorth is how much the gap must widen, as a share of the time that messages cover times the drift,
// for the drift to be believed: the messages at one end of that time may have been slower than those at
// the other by chance.
const driftWorth = 0.1

// estimateDrift returns the drift where the gap is widest after subtracting what a drift must be worth;
// or where it is widest at all, if no line is possible at the former.
func (g *gapFunction) estimateDrift(corners []float64) float64 {
	span := g.coveredTime()
	careful := g.widestCorner(corners, func(d float64) float64 { return g.widthAt(d) - driftWorth*span*math.Abs(d) })
	if g.widthAt(careful) >= 0 {
		return careful
	}
	return g.widestCorner(corners, g.widthAt)
}

// widestCorner returns the corner where a concave function is greatest; of several the middle, or 0 if it
// lies between them.
func (g *gapFunction) widestCorner(corners []float64, width func(float64) float64) float64 {
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

// coveredTime returns the ns of the first clock that messages cover, as far as the hulls know.
func (g *gapFunction) coveredTime() float64 {
	u, l := g.upper.points, g.lower.points
	return max(u[len(u)-1].x, l[len(l)-1].x) - min(u[0].x, l[0].x)
}

// possibleEnd walks from a possible drift down (step -1) or up (+1) to where the gap closes, and returns
// the smallest or greatest possible drift.
func (g *gapFunction) possibleEnd(corners []float64, drift float64, step int) float64 {
	at := drift
	from, to := sort.SearchFloat64s(corners, drift), len(corners)
	if step < 0 {
		from, to = from-1, -1
	}
	for i := from; i != to; i += step {
		if g.widthAt(corners[i]) < 0 {
			return g.whereClosed(at, corners[i])
		}
		at = corners[i]
	}
	beyond := at + float64(step)*max(1, math.Abs(at))
	if g.widthAt(beyond) >= g.widthAt(at) {
		return math.Inf(step)
	}
	return g.whereClosed(at, beyond)
}

// whereClosed returns the drift where the gap, linear from a to b and beyond, closes.
func (g *gapFunction) whereClosed(a, b float64) float64 {
	wa, wb := g.widthAt(a), g.widthAt(b)
	return a + wa*(b-a)/(wa-wb)
}

// offsetExtent returns the smallest f and the greatest g over the possible drifts. Both lie at corners or
// ends, because f is convex and g concave.
func (g *gapFunction) offsetExtent(corners []float64, least, most float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, d := range append([]float64{least, most}, corners...) {
		if d < least || d > most {
			continue
		}
		if math.IsInf(d, 0) {
			return math.Inf(-1), math.Inf(1)
		}
		f, g := g.boundsAt(d)
		lo, hi = min(lo, f), max(hi, g)
	}
	return lo, hi
}

// LineAt returns the line in the middle of what messages both ways allow at a drift, and the ns between the bounds there.
func (p *Pair) LineAt(drift float64) (l Line, gap float64) {
	p.upper.rebuild()
	p.lower.rebuild()
	g := &gapFunction{upper: &p.upper, lower: &p.lower, up: p.upper.sideSlopes(), low: p.lower.sideSlopes()}
	least, most := g.boundsAt(drift)
	return Line{(least+most)/2 + float64(p.other-p.origin), drift}, most - least
}

// Covered returns the ns of the first clock that messages both ways cover.
func (p *Pair) Covered() float64 {
	return (&gapFunction{upper: &p.upper, lower: &p.lower}).coveredTime()
}

// Margin returns how far the closest message is from contradicting a line, in ns; negative: by how much the worst one does. Without
// messages it is infinite.
func (p *Pair) Margin(l Line) float64 {
	p.upper.rebuild()
	p.lower.rebuild()
	l.Offset -= float64(p.other - p.origin) // as bounds are kept
	margin := math.Inf(1)
	if len(p.upper.points) > 0 {
		margin = p.upper.minIntercept(l.Drift, p.upper.sideSlopes()) - l.Offset
	}
	if len(p.lower.points) > 0 {
		margin = min(margin, p.lower.minIntercept(-l.Drift, p.lower.sideSlopes())+l.Offset)
	}
	return margin
}

// Add takes the messages of another pair of the same clocks and origins.
func (p *Pair) Add(q *Pair) {
	p.upper.addAll(&q.upper)
	p.lower.addAll(&q.lower)
	p.upperLate.addAll(&q.upperLate)
	p.lowerLate.addAll(&q.lowerLate)
	p.Forth, p.Back = p.Forth+q.Forth, p.Back+q.Back
	p.forth, p.back = sums{p.forth.x + q.forth.x, p.forth.y + q.forth.y}, sums{p.back.x + q.back.x, p.back.y + q.back.y}
}

// Grain returns how far apart, in ns, the fastest messages of both directions lie by chance at the drift of a line, both added: messages
// that are equally likely to be late by anything up to twice their mean lateness are that far apart, and all together by as much as
// they are many. A gap that another drift widens by a few grains is widened by the few messages that happened to be fastest.
func (p *Pair) Grain(drift float64) float64 {
	if p.Forth == 0 || p.Back == 0 {
		return math.Inf(1)
	}
	middle, gap := p.LineAt(drift)
	offset := middle.Offset - float64(p.other-p.origin)
	forth := p.forth.meanAbove(offset+gap/2, drift, p.Forth)
	back := -p.back.meanAbove(offset-gap/2, drift, p.Back)
	return 2*forth/float64(p.Forth) + 2*back/float64(p.Back)
}

// Corners calls f for every message that can bound a line: those from the first unit to the second, or those back. x is the time of
// the first clock, y that of the second, whichever comes first.
func (p *Pair) Corners(back bool, f func(x, y int64)) {
	h, sign := &p.upper, 1.0
	if back {
		h, sign = &p.lower, -1
	}
	h.rebuild()
	for _, at := range h.points {
		x := int64(at.x)
		f(x+p.origin, x+int64(sign*at.y)+p.other)
	}
}
