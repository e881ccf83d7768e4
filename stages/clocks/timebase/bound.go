package timebase

import "math"

// judge says of each clock whether all that is ordered with it holds by the curves, and how much its offset may move.
func (s *system) judge(clocks []Clock, _ []float64) {
	clockNumber := len(s.knots)
	before, after := make([]float64, clockNumber), make([]float64, clockNumber)
	for u := range clockNumber {
		before[u], after[u] = math.Inf(1), math.Inf(1)
	}
	o := s.orders
	for i := range o.From {
		left := float64(clocks[o.To[i]].Curve.At(o.ToNs[i]) - clocks[o.From[i]].Curve.At(o.FromNs[i]))
		before[o.To[i]], after[o.From[i]] = min(before[o.To[i]], left), min(after[o.From[i]], left)
	}
	for _, u := range s.members {
		clocks[u].GapNs = before[u] + after[u]
		clocks[u].Fits = min(before[u], after[u]) >= -float64(s.unit)
	}
}

// bound finds, for every knot and piece of every clock, the least and the greatest of all that is possible at once: a linear programme
// each, from the vertex of the one before.
func (s *system) bound(cells []*cell, by float64, clocks []Clock) {
	p := newProgramme(s.n)
	s.rows(p, cells, min(0, margin+by), min(0, by), nil)
	c := make([]float64, s.n)
	ends := func(terms []term) (least, most *float64) {
		for sign := -1.0; sign <= 1; sign += 2 {
			clear(c)
			for _, t := range terms {
				c[t.column] = sign * t.value
			}
			if p.active == nil {
				p.maximize(perturbed(c))
			}
			if !p.maximize(c) || p.boxed(c) || s.stands(p) {
				continue
			}
			v := sign * dot(c, p.x)
			if sign < 0 {
				least = &v
			} else {
				most = &v
			}
		}
		return least, most
	}
	for _, u := range s.members[1:] {
		for j, line := range clocks[u].Curve {
			piece := Piece{Line: line}
			terms := s.knotTerms(int32(u), line.OriginNs, 1)
			least, most := ends(terms[:])
			piece.LeastNs, piece.MostNs = s.whole(u, least, math.Floor), s.whole(u, most, math.Ceil)
			piece.Least, piece.Most = ends(s.slope(u, j, 1e9))
			for _, d := range []*float64{piece.Least, piece.Most} {
				if d != nil {
					*d /= 1e9
				}
			}
			clocks[u].Pieces = append(clocks[u].Pieces, piece)
		}
	}
}

// stands reports whether the optimum is bounded because a clock would stand still.
func (s *system) stands(p *programme) bool {
	from := int32(len(p.b)) - s.standRows()
	for i, row := range p.active {
		if row >= from && p.price[i] > 1e-9 {
			return true
		}
	}
	return false
}

// standRows is how many rows, the last ones, say that no clock stands still.
func (s *system) standRows() (n int32) {
	for _, u := range s.members {
		n += int32(max(0, len(s.knots[u])-1))
	}
	return n
}

// whole is an offset to the reference in whole ns.
func (s *system) whole(clock int, v *float64, round func(float64) float64) *int64 {
	if v == nil || math.Abs(*v) >= 1<<62 {
		return nil
	}
	// What rounding in the programme adds is no nanosecond.
	n := s.base[clock] + int64(round(math.Round(*v*100)/100))
	return &n
}
