package stl

// until is the robustness of A until B without a bound, moved back in time: for each t the sup over t' >= t + earlier of
// min(B(t'), inf of A on [t + earlier, t']).
func (m *memory) until(a, b *Signal, earlier float64) *Signal {
	if a == nil || b == nil {
		return nil
	}
	a, b = a.monotone(), b.monotone()
	start, end := max(a.Start(), b.Start())+earlier, min(a.End(), b.End())
	if end < start {
		return nil
	}
	last := min(a.At(end), b.At(end))
	u := &untilPass{now: last, backBuilder: m.backBuilder(max(len(a.poly), len(b.poly)), end-earlier)}
	i, j := len(a.poly)-1, len(b.poly)-1
	for to := end; to > start; {
		for a.at[i] >= to {
			i--
		}
		for b.at[j] >= to {
			j--
		}
		from := max(a.at[i], b.at[j], start)
		u.piece(from-earlier, to-earlier, a.poly[i].moved(from-a.at[i]), b.poly[j].moved(from-b.at[j]))
		to = from
	}
	return u.signal(start-earlier, last)
}

// untilPass goes from the last piece to the first.
type untilPass struct {
	backBuilder
	now   float64 // the result at the end of the piece that comes next
	whole [3]part // memory of piece
}

// piece adds a piece on which A, which is p, and B, which is q, do not turn.
func (u *untilPass) piece(from, to float64, p, q poly) {
	length := to - from
	pEnding, qEnding := p.at(length), q.at(length)
	if pEnding <= p.c {
		// A falls, so that its inf over [t, t'] is A(t'): the greatest min(A, B) from t on, or what comes behind.
		u.now = min(u.now, pEnding)
		if q.c <= u.now && qEnding <= u.now {
			u.add(from, to, constant(u.now))
			return
		}
		n := extreme(&u.whole, p, q, length, false)
		for k := n - 1; k >= 0; k-- {
			x := &u.whole[k]
			u.greatestSince(from+x.from, x.ends(k == n-1, from, to), x.poly)
		}
		return
	}
	// A rises, so that its inf is A(t): the greatest B from t on or what comes behind, as far as A(t) allows.
	if qEnding >= q.c || q.c <= u.now {
		u.now = max(u.now, qEnding)
		u.extreme(from, to, p, constant(u.now), false)
		u.now = min(u.now, p.c)
		return
	}
	n := extreme(&u.whole, q, constant(u.now), length, true)
	for k := n - 1; k >= 0; k-- {
		x := &u.whole[k]
		u.extreme(from+x.from, x.ends(k == n-1, from, to), p.moved(x.from), x.poly, false)
	}
	u.now = min(p.c, max(u.now, q.c))
}

// greatestSince adds the greatest value of a polynomial from t on, or now where that is greater. The polynomial does not turn.
func (u *untilPass) greatestSince(from, to float64, p poly) {
	ending := p.at(to - from)
	if ending >= p.c {
		u.now = max(u.now, ending)
		u.add(from, to, constant(u.now))
		return
	}
	u.extreme(from, to, p, constant(u.now), true)
	u.now = max(u.now, p.c)
}
