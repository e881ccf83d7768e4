package signals

// Average is the w-average of a signal: at t, its mean over [t - w, t], where it is 0 outside its domain (Hendriks et al. 2024,
// Definition 10). It is defined for w longer than the signal. It has the degree of the signal plus 1, so signals of degree 2 have
// none. The steps stay.
//
// With F the integral of the signal f, the average is (F(t) - F(t-w)) / w, and its slope is (f(t) - f(t-w)) / w: between the
// times at which f breaks, and these w later, it is a polynomial that both ends of the window give (Proposition 1). Each piece is
// made of F and f themselves and not of the piece before, so errors do not add up. It takes time linear in the pieces.
func Average(s *Signal, windowNs int64) (Signal, error) {
	if windowNs <= 0 || len(s.Pieces) == 0 {
		return Signal{StepNs: s.StepNs, Pieces: append([]Piece(nil), s.Pieces...)}, nil
	}
	if s.Degree() > 1 {
		return Signal{}, &DegreeError{"average", s.Degree() + 1}
	}
	out := Signal{StepNs: s.StepNs}
	front, back := newIntegral(s), newIntegral(s)
	w := steps(windowNs, s.StepNs)
	from, end := s.Domain()
	end += windowNs
	for from < end {
		front.reach(from)
		back.reach(from - windowNs)
		to := min(end, front.until(), back.until()+windowNs)
		f, b := front.here(from), back.here(from-windowNs)
		out.append(Piece{FromNs: from, ToNs: to, C: front.area(from).minus(back.area(from-windowNs)) / w, B: (f.C - b.C) / w, A: (f.B - b.B) / (2 * w)})
		from = to
	}
	return out, nil
}

// integral goes along a signal and knows the area below it so far.
type integral struct {
	*Signal
	at   int   // the piece in hand; that of what is before the first has -1
	done exact // the area of the pieces before the one in hand
}

func newIntegral(s *Signal) *integral { return &integral{Signal: s, at: -1} }

// reach goes on to the piece at a time.
func (g *integral) reach(ns int64) {
	for g.at < len(g.Pieces) && g.until() <= ns {
		if g.at >= 0 {
			g.done = g.area(g.Pieces[g.at].ToNs)
		}
		g.at++
	}
}

// until is where the piece in hand ends; never, behind the last.
func (g *integral) until() int64 {
	switch {
	case g.at < 0:
		return g.Pieces[0].FromNs
	case g.at < len(g.Pieces):
		return g.Pieces[g.at].ToNs
	}
	return 1 << 62
}

// here is the polynomial from a time in the piece in hand.
func (g *integral) here(ns int64) Piece {
	if g.at < 0 || g.at == len(g.Pieces) {
		return Piece{}
	}
	return g.Pieces[g.at].from(ns, g.StepNs)
}

// area is the area below the signal up to a time in the piece in hand.
func (g *integral) area(ns int64) exact {
	sum := g.done
	if g.at >= 0 && g.at < len(g.Pieces) {
		p := &g.Pieces[g.at]
		x := steps(ns-p.FromNs, g.StepNs)
		sum.add(p.C * x)
		if p.degree() == 0 {
			return sum
		}
		sum.add(p.B * x * x / 2)
		sum.add(p.A * x * x * x / 3)
	}
	return sum
}
