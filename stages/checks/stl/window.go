package stl

import "math"

// sup is the greatest value on t + [from, to] for each t, to infinite for no end; nil where no window begins in the domain.
func sup(s *Signal, from, to float64) *Signal {
	if s == nil {
		return nil
	}
	start, end := s.Start(), s.End()-from // of the result
	if end < start {
		return nil
	}
	m := s.monotone()
	left := m.cut(start+from, s.End(), from)
	if end == start {
		return left
	}
	most := join(left, m.greatestBreaks(start, end, from, to), true)
	if to < s.End()-start { // else no window ends in the domain
		b := newBuilder(len(m.poly) + 1)
		right := m.cut(start+to, s.End(), to)
		for i, p := range right.poly {
			b.add(right.at[i], right.at[i+1], p)
		}
		b.add(right.End(), end, constant(math.Inf(-1)))
		most = join(most, b.signal(end, math.Inf(-1)), true)
	}
	return most
}

// inf is the smallest value on t + [from, to].
func inf(s *Signal, from, to float64) *Signal {
	if s == nil {
		return nil
	}
	if most := sup(s.negated(), from, to); most != nil {
		return most.negated()
	}
	return nil
}

// greatestBreaks is a step function on [start, end]: the greatest value around the breaks in (t + from, t + to] for each t, minus
// infinity where there are none. A break stays in a queue until a later one is as great; the front is the greatest.
func (s *Signal) greatestBreaks(start, end, from, to float64) *Signal {
	value := func(i int) float64 {
		switch i {
		case 0:
			return s.poly[0].c
		case len(s.poly):
			return max(s.ending(i-1), s.last)
		}
		return max(s.ending(i-1), s.poly[i].c)
	}
	b := newBuilder(2 * len(s.poly))
	var queue []int // breaks with descending values
	front, enter := 0, 0
	for t := start; t < end; {
		for ; enter < len(s.at) && s.at[enter]-to <= t; enter++ {
			v := value(enter)
			for len(queue) > front && value(queue[len(queue)-1]) <= v {
				queue = queue[:len(queue)-1]
			}
			queue = append(queue, enter)
		}
		for front < len(queue) && s.at[queue[front]]-from <= t {
			front++
		}
		next, greatest := end, math.Inf(-1)
		if enter < len(s.at) {
			next = min(next, s.at[enter]-to)
		}
		if front < len(queue) {
			greatest = value(queue[front])
			next = min(next, s.at[queue[front]]-from)
		}
		b.add(t, next, constant(greatest))
		t = next
	}
	return b.signal(start, math.Inf(-1))
}

// until is the robustness of A until B without a bound: sup over t' >= t of min(B(t'), inf of A on [t, t']).
func until(a, b *Signal) *Signal {
	if a == nil || b == nil {
		return nil
	}
	all := make([]span, 0, len(a.poly)+len(b.poly))
	start, end := common(a.monotone(), b.monotone(), func(from, to float64, p, q poly) { all = append(all, span{from, to, p, q}) })
	if end < start {
		return nil
	}
	last := min(a.At(end), b.At(end))
	u := &untilPass{now: last, pieces: make([]part, 0, 2*len(all))}
	for i := len(all) - 1; i >= 0; i-- {
		u.piece(&all[i])
	}
	to := newBuilder(len(u.pieces))
	for i := len(u.pieces) - 1; i >= 0; i-- {
		to.add(u.pieces[i].from, u.pieces[i].to, u.pieces[i].poly)
	}
	return to.signal(start, last)
}

// span is the instants on which two signals have one polynomial each.
type span struct {
	from, to float64
	p, q     poly
}

// untilPass goes from the last piece to the first.
type untilPass struct {
	pieces []part  // of the result, from the last to the first; they begin and end at absolute times
	behind []part  // memory of piece
	now    float64 // the result at the end of the piece that comes next
}

// piece adds a piece on which A, which is p, and B, which is q, do not turn.
func (u *untilPass) piece(x *span) {
	length := x.to - x.from
	if x.p.at(length) <= x.p.c {
		// A falls, so that its inf over [t, t'] is A(t'): the greatest min(A, B) from t on, or what comes behind.
		u.now = min(u.now, x.p.at(length))
		parts, n := extreme(x.p, x.q, length, false)
		for k := n - 1; k >= 0; k-- {
			u.greatestSince(x.from, parts[k])
		}
		return
	}
	// A rises, so that its inf is A(t): the greatest B from t on or what comes behind, as far as A(t) allows.
	first := len(u.pieces)
	u.greatestSince(x.from, part{0, length, x.q})
	u.behind = append(u.behind[:0], u.pieces[first:]...)
	u.pieces = u.pieces[:first]
	for _, y := range u.behind { // from the last to the first
		parts, n := extreme(x.p.moved(y.from-x.from), y.poly, y.to-y.from, false)
		for k := n - 1; k >= 0; k-- {
			u.add(y.from, parts[k], y.to, parts[k].to == y.to-y.from)
		}
	}
	u.now = u.pieces[len(u.pieces)-1].poly.c
}

// greatestSince adds the greatest value of a part from t on, or now where that is greater. The part does not turn.
func (u *untilPass) greatestSince(start float64, x part) {
	length := x.to - x.from
	ending := x.poly.at(length)
	if ending >= x.poly.c {
		u.now = max(u.now, ending)
		u.pieces = append(u.pieces, part{start + x.from, start + x.to, constant(u.now)})
		return
	}
	parts, n := extreme(x.poly, constant(u.now), length, true)
	for k := n - 1; k >= 0; k-- {
		u.add(start+x.from, parts[k], start+x.to, parts[k].to == length)
	}
	u.now = max(u.now, x.poly.c)
}

// add adds a part that begins and ends so long behind a time; the last one ends exactly at an end.
func (u *untilPass) add(start float64, x part, end float64, last bool) {
	to := start + x.to
	if last {
		to = end
	}
	u.pieces = append(u.pieces, part{start + x.from, to, x.poly})
}
