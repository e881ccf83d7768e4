package offset

import (
	"cmp"
	"slices"
	"sort"
)

// point is one bound from one message: the first clock showed x when the second showed at most, or at
// least, a certain time. x is in ns since the origin of the first clock, y is the distance in ns of the
// second clock to the first.
type point struct{ x, y float64 }

// hull keeps those points of a set through which a line that bounds the set from below can go: its lower
// side, with ascending slopes. Points that cannot bound a line are dropped, so the memory does not grow
// with the messages.
type hull struct {
	points []point // by x
	late   []point // came out of order, or wait to be sorted in
}

// maxLate is how many points wait before the hull is rebuilt. Soon after the first few most points lie above the hull and are dropped
// at once, so that few wait at all.
const maxLate = 1 << 6

// addPoint adds a point, in O(log n) amortised, and in O(1) where points come in the order of x.
func (h *hull) addPoint(p point) {
	if n := len(h.points); n > 0 && p.x > h.points[n-1].x {
		h.points = append(trim(h.points, p), p)
		return
	}
	if h.isAbove(p) {
		return
	}
	if h.late = append(h.late, p); len(h.late) >= max(maxLate, len(h.points)) {
		h.rebuild()
	}
}

// addAll adds the points of another hull.
func (h *hull) addAll(g *hull) {
	g.rebuild()
	for _, p := range g.points {
		h.addPoint(p)
	}
}

// isAbove reports whether a point lies on the side of the hull or above it, where it bounds no line.
func (h *hull) isAbove(p point) bool {
	from, to := 0, len(h.points)-1
	if to < 1 || p.x < h.points[0].x || p.x > h.points[to].x {
		return false
	}
	for to-from > 1 {
		if middle := (from + to) / 2; h.points[middle].x <= p.x {
			from = middle
		} else {
			to = middle
		}
	}
	return turn(h.points[from], p, h.points[to]) <= 0
}

// rebuild brings the waiting points into the hull with the monotone chain algorithm (Andrew, Information
// Processing Letters 9, 1979), O(n log n).
func (h *hull) rebuild() {
	if len(h.late) == 0 {
		return
	}
	all := append(h.points, h.late...)
	slices.SortFunc(all, func(p, q point) int { return cmp.Or(cmp.Compare(p.x, q.x), cmp.Compare(p.y, q.y)) })
	chain := all[:0:0]
	for _, p := range all {
		if n := len(chain); n > 0 && chain[n-1].x == p.x {
			continue
		}
		chain = append(trim(chain, p), p)
	}
	h.points, h.late = chain, h.late[:0]
}

// trim drops the corners at the end of a chain that none is once a point follows.
func trim(chain []point, p point) []point {
	for len(chain) >= 2 && turn(chain[len(chain)-2], chain[len(chain)-1], p) <= 0 {
		chain = chain[:len(chain)-1]
	}
	return chain
}

// turn is positive where b lies below the line from a to c.
func turn(a, b, c point) float64 { return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x) }

// sideSlopes returns the slopes of the sides, ascending.
func (h *hull) sideSlopes() []float64 {
	var s []float64
	for i := 1; i < len(h.points); i++ {
		s = append(s, (h.points[i].y-h.points[i-1].y)/(h.points[i].x-h.points[i-1].x))
	}
	return s
}

// minIntercept returns min(y - slope x) over the points: the intercept at x = 0 of the highest line of
// that slope below all of them. It lies at the corner between the sides whose slopes enclose the given
// one, found in O(log n).
func (h *hull) minIntercept(slope float64, slopes []float64) float64 {
	p := h.points[sort.SearchFloat64s(slopes, slope)]
	return p.y - slope*p.x
}
