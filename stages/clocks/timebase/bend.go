package timebase

import "slices"

// mostPieces is how many lines a clock may take.
const mostPieces = 256

// fewOrders is how many orders a piece must have to be divided: fewer are fitted by chance.
const fewOrders = 32

// bend divides the lines of clocks that are not even, where orders contradict each other, until none does or nothing is left to
// divide. The clock that is to blame is the one that fits no even clock of the most others.
func (s *system) bend(cells []*cell, tight []*cell) ([]*cell, float64) {
	for {
		orders := s.ordersByPiece()
		again := false
		for _, u := range s.blamed(tight) {
			for _, piece := range s.touched(u, tight) {
				again = s.split(u, piece, orders[u]) || again
			}
		}
		if !again {
			by, _ := s.reach(cells)
			return cells, by
		}
		s.number()
		cells = s.cells()
		var by float64
		if by, tight = s.reach(cells); by >= s.least() || len(tight) == 0 {
			return cells, by
		}
	}
}

// blamed returns the clocks to divide: of those that contradict each other the bent ones, or, without any, the one that fits the
// fewest others.
func (s *system) blamed(tight []*cell) []int {
	var all, bent []int
	for _, c := range tight {
		for _, u := range []int{int(c.from), int(c.to)} {
			if u == s.root || slices.Contains(all, u) {
				continue
			}
			if all = append(all, u); len(s.knots[u]) > 2 {
				bent = append(bent, u)
			}
		}
	}
	if len(bent) > 0 || len(all) == 0 {
		return bent
	}
	slices.Sort(all)
	return []int{slices.MaxFunc(all, func(a, b int) int {
		x, y := s.misfits(a), s.misfits(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})}
}

// misfits is the share of the clocks that a clock has orders with that it fits no even line to.
func (s *system) misfits(clock int) float64 {
	var wrong, all float64
	for _, p := range s.pairs {
		if p.A != clock && p.B != clock {
			continue
		}
		if all++; p.Forth > 0 && p.Back > 0 && !p.Bounds.Possible {
			wrong++
		}
	}
	return wrong / max(all, 1)
}

// touched returns the pieces of a clock in which orders contradict others, descending.
func (s *system) touched(clock int, tight []*cell) (pieces []int) {
	for _, c := range tight {
		if int(c.from) == clock {
			pieces = append(pieces, int(c.fromPiece))
		}
		if int(c.to) == clock {
			pieces = append(pieces, int(c.toPiece))
		}
	}
	slices.Sort(pieces)
	slices.Reverse(pieces)
	return slices.Compact(pieces)
}

// split divides a piece in the middle, if enough is ordered in it.
func (s *system) split(clock, piece int, orders []int) bool {
	k := s.knots[clock]
	middle := k[piece] + (k[piece+1]-k[piece])/2
	if len(k) > mostPieces || orders[piece] < fewOrders || middle == k[piece] {
		return false
	}
	s.knots[clock] = slices.Insert(k, piece+1, middle)
	return true
}

// ordersByPiece counts the orders of each piece of each clock.
func (s *system) ordersByPiece() [][]int {
	counts := make([][]int, len(s.knots))
	for u, k := range s.knots {
		counts[u] = make([]int, max(1, len(k)-1))
	}
	o := s.orders
	for i := range o.From {
		counts[o.From[i]][s.piece(o.From[i], o.FromNs[i])]++
		counts[o.To[i]][s.piece(o.To[i], o.ToNs[i])]++
	}
	return counts
}

// straighten gives each clock one line again.
func (s *system) straighten() {
	for u, k := range s.knots {
		if len(k) > 2 {
			s.knots[u] = []int64{k[0], k[len(k)-1]}
		}
	}
	s.number()
}
