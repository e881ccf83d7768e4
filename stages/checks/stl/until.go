package stl

// until is the robustness of A until B without a bound: sup over t' >= t of min(B(t'), inf of A on [t, t']).
func until(a, b *Signal) *Signal {
	if a == nil || b == nil {
		return nil
	}
	a, b = a.monotone(), b.monotone()
	start, end := max(a.Start(), b.Start()), min(a.End(), b.End())
	if end < start {
		return nil
	}
	last := min(a.At(end), b.At(end))
	u := &untilPass{now: last, backBuilder: backBuilder{at: make([]float64, 0, len(b.poly)), poly: make([]poly, 0, len(b.poly)), end: end}}
	i, j := len(a.poly)-1, len(b.poly)-1
	for to := end; to > start; {
		for a.at[i] >= to {
			i--
		}
		for b.at[j] >= to {
			j--
		}
		from := max(a.at[i], b.at[j], start)
		u.piece(from, to, a.poly[i].moved(from-a.at[i]), b.poly[j].moved(from-b.at[j]))
		to = from
	}
	return u.signal(start, last)
}

// untilPass goes from the last piece to the first.
type untilPass struct {
	backBuilder
	now    float64 // the result at the end of the piece that comes next
	aside  bool    // parts are put aside
	behind []part  // parts that were put aside, from the last to the first, at absolute times

	whole, rest [3]part // memory of piece and of greatestSince
}

// piece adds a piece on which A, which is p, and B, which is q, do not turn.
func (u *untilPass) piece(from, to float64, p, q poly) {
	length, parts := to-from, &u.whole
	if ending := p.at(length); ending <= p.c {
		// A falls, so that its inf over [t, t'] is A(t'): the greatest min(A, B) from t on, or what comes behind.
		u.now = min(u.now, ending)
		n := extreme(parts, p, q, length, false)
		for k := n - 1; k >= 0; k-- {
			end := to
			if k < n-1 {
				end = from + parts[k].to
			}
			u.greatestSince(from+parts[k].from, end, parts[k].poly)
		}
		return
	}
	// A rises, so that its inf is A(t): the greatest B from t on or what comes behind, as far as A(t) allows.
	u.aside, u.behind = true, u.behind[:0]
	u.greatestSince(from, to, q)
	u.aside = false
	for _, y := range u.behind { // from the last to the first
		n := extreme(parts, p.moved(y.from-from), y.poly, y.to-y.from, false)
		for k := n - 1; k >= 0; k-- {
			end := y.to
			if k < n-1 {
				end = y.from + parts[k].to
			}
			u.add(y.from+parts[k].from, end, parts[k].poly)
		}
		u.now = parts[0].poly.c
	}
}

// greatestSince adds the greatest value of a polynomial from t on, or now where that is greater. The polynomial does not turn.
func (u *untilPass) greatestSince(from, to float64, p poly) {
	ending := p.at(to - from)
	if ending >= p.c {
		u.now = max(u.now, ending)
		u.put(from, to, constant(u.now))
		return
	}
	parts := &u.rest
	n := extreme(parts, p, constant(u.now), to-from, true)
	for k := n - 1; k >= 0; k-- {
		end := to
		if k < n-1 {
			end = from + parts[k].to
		}
		u.put(from+parts[k].from, end, parts[k].poly)
	}
	u.now = max(u.now, p.c)
}

// put adds a part, or puts it aside.
func (u *untilPass) put(from, to float64, p poly) {
	if u.aside {
		u.behind = append(u.behind, part{from, to, p})
	} else {
		u.add(from, to, p)
	}
}
