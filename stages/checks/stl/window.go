package stl

// window is the greatest value on t + [from, to] for each t, to infinite for no end, or the smallest; nil where no window begins in the
// domain.
//
// It is one pass with three hands: the pieces in which a window begins and ends, and the breaks within it. A break stays in a queue until
// a later one is as great; the front is the greatest. The result is the front for as long as nothing that enters is greater and the window
// does not leave the front behind, whatever other pieces it begins and ends in.
func (m *memory) window(s *Signal, from, to float64, greatest bool) *Signal {
	if s == nil {
		return nil
	}
	start, end := s.Start(), s.End()-from // of the result
	if end < start {
		return nil
	}
	if end == start {
		return new(builder).signal(start, s.last)
	}
	turned := s.monotone()
	if to >= s.End()-start { // no window ends in the domain
		since := m.since(turned, greatest)
		moved := m.cut(since, start+from, s.End(), from)
		if moved != since {
			m.free(since)
		}
		return moved
	}
	w := windowPass{Signal: turned, from: from, to: to, end: end, greatest: greatest}
	b := m.builder(len(turned.poly))
	for t := start; t < end; {
		t = w.next(b, t)
	}
	return b.signal(start, s.last)
}

// windowPass goes over a signal that does not turn within pieces.
type windowPass struct {
	*Signal
	from, to float64
	end      float64 // of the result
	greatest bool
	first    int // the piece in which the window begins
	enter    int // the break that comes next behind its end
	queue    []queued
	front    int
}

// queued is a break with the value around it.
type queued struct {
	number int
	value  float64
}

// next adds what windows from t on have, and returns until when.
func (w *windowPass) next(b *builder, t float64) float64 {
	for w.enter < len(w.at) && w.at[w.enter]-w.to <= t {
		w.push(w.entering())
	}
	for w.front < len(w.queue) && w.at[w.queue[w.front].number]-w.from <= t {
		w.first = w.queue[w.front].number
		w.front++
	}
	for w.first+1 < len(w.poly) && w.at[w.first+1]-w.from <= t {
		w.first++
	}
	left := w.poly[w.first].moved(t - (w.at[w.first] - w.from))
	if w.front == len(w.queue) { // the window is within a piece
		return w.ends(b, t, left, w.right(t))
	}
	// The left piece ends, and the right one begins, at a break that is no greater than the front.
	within := w.queue[w.front].value
	if w.exceeds(left.c, within) {
		if w.enter < len(w.at) && w.exceeds(w.ending(w.enter-1), within) {
			return w.three(b, t, left, constant(within), w.right(t))
		}
		return w.ends(b, t, left, constant(within))
	}
	if next := w.skip(t, within); next > t {
		b.add(t, next, constant(within))
		return next
	}
	return w.ends(b, t, constant(within), w.right(t))
}

// skip takes breaks into the queue for as long as the front is the result, and returns until when it is.
func (w *windowPass) skip(t, within float64) float64 {
	next := min(w.end, w.at[w.queue[w.front].number]-w.from)
	for ; w.enter < len(w.at); w.push(w.entering()) {
		if w.exceeds(w.ending(w.enter-1), within) { // in the piece before it
			return max(t, w.at[w.enter-1]-w.to)
		}
		enters := w.at[w.enter] - w.to
		if enters >= next {
			return next
		}
		if w.exceeds(w.entering(), within) {
			return enters
		}
	}
	return next
}

// right is the piece in which windows end from t on.
func (w *windowPass) right(t float64) poly {
	last := w.enter - 1
	return w.poly[last].moved(t - (w.at[last] - w.to))
}

// until is when a window that begins at t begins or ends in another piece.
func (w *windowPass) until() float64 {
	next := min(w.end, w.at[w.first+1]-w.from)
	if w.enter < len(w.at) {
		next = min(next, w.at[w.enter]-w.to)
	}
	return next
}

// ends adds the greater of two polynomials until the window begins or ends in another piece, or the smaller.
func (w *windowPass) ends(b *builder, t float64, p, q poly) float64 {
	next := w.until()
	b.extreme(t, next, p, q, w.greatest)
	return next
}

// three adds the greatest of three polynomials, or the smallest.
func (w *windowPass) three(b *builder, t float64, p, q, r poly) float64 {
	next := w.until()
	var parts [3]part
	n := extreme(&parts, p, q, next-t, w.greatest)
	for k := range n {
		x := &parts[k]
		b.extreme(t+x.from, x.ends(k == n-1, t, next), x.poly, r.moved(x.from), w.greatest)
	}
	return next
}

// exceeds reports whether a value is greater than another, or smaller.
func (w *windowPass) exceeds(x, y float64) bool {
	if w.greatest {
		return x > y
	}
	return x < y
}

// entering is the value around the break that comes next.
func (w *windowPass) entering() float64 {
	k := w.enter
	switch k {
	case 0:
		return w.poly[0].c
	case len(w.poly):
		return choose(w.ending(k-1), w.last, w.greatest)
	}
	return choose(w.ending(k-1), w.poly[k].c, w.greatest)
}

// push takes the break that comes next into the queue, with the value around it.
func (w *windowPass) push(v float64) {
	n := len(w.queue)
	for n > w.front && !w.exceeds(w.queue[n-1].value, v) {
		n--
	}
	if n == w.front { // empty: it begins anew
		n, w.front = 0, 0
	} else if w.front > len(w.queue)/2 && w.front > 1024 {
		n = copy(w.queue, w.queue[w.front:n])
		w.front = 0
	}
	w.queue = append(w.queue[:n], queued{w.enter, v})
	w.enter++
}

// since is the greatest value from t on, or the smallest, of a signal that does not turn within pieces: one pass from the end.
func (m *memory) since(s *Signal, greatest bool) *Signal {
	b := m.backBuilder(64, s.End())
	now := s.last
	for i := len(s.poly) - 1; i >= 0; i-- {
		p, from, to := s.poly[i], s.at[i], s.at[i+1]
		ending := p.at(to - from)
		if ending == p.c || (ending > p.c) == greatest { // the best of the piece is its end
			now = choose(now, ending, greatest)
			b.add(from, to, constant(now))
			continue
		}
		b.extreme(from, to, p, constant(now), greatest)
		now = choose(now, p.c, greatest)
	}
	return b.signal(s.Start(), s.last)
}
