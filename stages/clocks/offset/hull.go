package offset

import "sort"

// point is what a message says: the first clock showed x when the second showed at most, or at least, y. Both in ns, x
// since the origin of the first clock, y as the second clock's distance to it.
type point struct{ x, y float64 }

// hull keeps the points of a set through which a line that bounds the set can go: those of its lower side, with
// ascending slopes between them.
type hull struct {
	points []point // by x
	late   []point // came out of order, or wait to be sorted in
}

// mostLate is how many points wait before the hull is made again.
const mostLate = 1 << 12

func (h *hull) add(p point) {
	if h.late = append(h.late, p); len(h.late) == mostLate {
		h.settle()
	}
}

// settle brings the points that wait into the hull (the monotone chain of Andrew, Information Processing Letters 9,
// 1979).
func (h *hull) settle() {
	if len(h.late) == 0 {
		return
	}
	all := append(h.points, h.late...)
	sort.Slice(all, func(i, j int) bool { return all[i].x < all[j].x || all[i].x == all[j].x && all[i].y < all[j].y })
	chain := all[:0:0]
	for _, p := range all {
		if n := len(chain); n > 0 && chain[n-1].x == p.x {
			continue
		}
		for len(chain) >= 2 && cross(chain[len(chain)-2], chain[len(chain)-1], p) <= 0 {
			chain = chain[:len(chain)-1]
		}
		chain = append(chain, p)
	}
	h.points, h.late = chain, h.late[:0]
}

// cross is positive where b lies below the line from a to c.
func cross(a, b, c point) float64 { return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x) }

// slopes are those of the sides, ascending.
func (h *hull) slopes() []float64 {
	var s []float64
	for i := 1; i < len(h.points); i++ {
		s = append(s, (h.points[i].y-h.points[i-1].y)/(h.points[i].x-h.points[i-1].x))
	}
	return s
}

// least is min(y - slope x) over the points: the highest line of that slope below all of them, at x = 0.
func (h *hull) least(slope float64, slopes []float64) float64 {
	p := h.points[sort.SearchFloat64s(slopes, slope)]
	return p.y - slope*p.x
}
