package alignment

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/clocks/timebase"
)

// mostJoint is how many clocks are related at once: a linear programme grows with more than the square of the clocks.
const mostJoint = 24

// relateJointly gives the clocks of a tree new lines where those of the tree contradict a pair that is not in it: one linear programme of all pairs
// (package timebase). Clocks that keep their times are one with the reference. Lines bound each other by the corners of their hulls, so
// that no message need be kept. Where no lines hold for all, those of the tree stay.
func (s *solver) relateJointly(root *node) {
	moved := slices.DeleteFunc(slices.Clone(s.nodes), func(n *node) bool { return n.root != root || n.line.Still() })
	if len(moved) < 2 || len(moved) > mostJoint || !s.isBroken(root) {
		return
	}
	number := make(map[*node]int32)
	for i, n := range moved {
		number[n] = int32(i + 1)
	}
	orders := new(timebase.Orders)
	s.eachOrder(root, func(from *node, sent int64, to *node, received int64) {
		if number[from] != number[to] {
			orders.Add(number[from], number[to], sent, received)
		}
	})
	clocks := timebase.Solve(orders, len(moved)+1, 0).Clocks[1:]
	for i := range clocks {
		if c := &clocks[i]; c.Reference != 0 || !c.Fits || len(c.Curve) != 1 {
			return
		}
	}
	for i, n := range moved {
		l := clocks[i].Curve[0]
		n.line = Line{OriginNs: l.OriginNs, WholeNs: -l.OffsetNs, Drift: -l.Drift}
		n.less, n.more = math.Inf(1), math.Inf(1)
		if pieces := clocks[i].Pieces; len(pieces) == 1 && pieces[0].OriginNs == l.OriginNs {
			if most := pieces[0].MostNs; most != nil {
				n.less = float64(*most - l.OffsetNs)
			}
			if least := pieces[0].LeastNs; least != nil {
				n.more = float64(l.OffsetNs - *least)
			}
		}
	}
}

// isBroken reports whether the lines of a tree let something be received before it was sent, by more than what times are multiples of.
func (s *solver) isBroken(root *node) (broken bool) {
	s.eachOrder(root, func(from *node, sent int64, to *node, received int64) {
		broken = broken || from.line.At(sent)-to.line.At(received) > 2*s.collector.unit
	})
	return broken
}

// eachOrder visits what bounds the lines of the clocks of a tree: the corners of all pairs but those of which no line is possible. Messages that go one
// way bound lines, too, once others relate their clocks.
func (s *solver) eachOrder(root *node, visit func(from *node, sent int64, to *node, received int64)) {
	for _, e := range s.edges {
		a, b := s.at[e.key[0]], s.at[e.key[1]]
		if e.verdict == uneven || a.root != root || b.root != root {
			continue
		}
		e.sure.Corners(false, func(x, y int64) { visit(a, e.x0+x, b, e.y0+y) })
		e.sure.Corners(true, func(x, y int64) { visit(b, e.y0+y, a, e.x0+x) })
	}
}
