package stl

import (
	"math"
	"slices"
)

// window is the greatest value on t + [from, to] for each t, to infinite for no end, or the smallest; nil where no window begins in the
// domain.
//
// It is one pass with three hands: the pieces in which a window begins and ends, and the breaks within it. A break stays in a queue until
// a later one is as great; the front is the greatest.
func window(s *Signal, from, to float64, greatest bool) *Signal {
	if s == nil {
		return nil
	}
	start, end := s.Start(), s.End()-from // of the result
	if end < start {
		return nil
	}
	if end == start {
		return newBuilder(0).signal(start, s.last)
	}
	m := s.monotone()
	if to >= s.End()-start { // no window ends in the domain
		return m.since(greatest).cut(start+from, s.End(), from)
	}
	w := windowPass{Signal: m, from: from, to: to, greatest: greatest, none: math.Inf(1)}
	if greatest {
		w.none = math.Inf(-1)
	}
	b := newBuilder(len(m.poly))
	for t := start; t < end; {
		t = w.next(b, t, end)
	}
	return b.signal(start, s.last)
}

// windowPass goes over a signal that does not turn within pieces.
type windowPass struct {
	*Signal
	from, to float64
	greatest bool
	none     float64 // what every value exceeds
	first    int     // the piece in which the window begins
	enter    int     // the break that comes next behind its end
	queue    []queued
	front    int
}

// queued is a break with the value around it.
type queued struct {
	number int
	value  float64
}

// next adds what windows from t on have, until one of them begins or ends in another piece, and returns when that is.
func (w *windowPass) next(b *builder, t, end float64) float64 {
	for w.enter < len(w.at) && w.at[w.enter]-w.to <= t {
		w.push()
	}
	for w.first+1 < len(w.poly) && w.at[w.first+1]-w.from <= t {
		w.first++
	}
	for w.front < len(w.queue) && w.queue[w.front].number <= w.first {
		w.front++
	}
	next := min(end, w.at[w.first+1]-w.from)
	if w.enter < len(w.at) {
		next = min(next, w.at[w.enter]-w.to)
	}
	within := w.none
	if w.front < len(w.queue) {
		within = w.queue[w.front].value
	}
	length := next - t
	left := w.poly[w.first].moved(t - (w.at[w.first] - w.from))
	right := constant(w.none)
	if last := w.enter - 1; last < len(w.poly) {
		right = w.poly[last].moved(t - (w.at[last] - w.to))
	}
	leftRules, rightRules := w.exceeds(left, length, within), w.exceeds(right, length, within)
	switch {
	case !leftRules && !rightRules:
		b.add(t, next, constant(within))
	case !rightRules:
		b.extreme(t, next, left, constant(within), w.greatest)
	case !leftRules:
		b.extreme(t, next, constant(within), right, w.greatest)
	default:
		var parts [3]part
		n := extreme(&parts, left, constant(within), length, w.greatest)
		for k := range n {
			x := &parts[k]
			to := next
			if k < n-1 {
				to = t + x.to
			}
			b.extreme(t+x.from, to, x.poly, right.moved(x.from), w.greatest)
		}
	}
	return next
}

// exceeds reports whether a polynomial that does not turn is greater than a value somewhere.
func (w *windowPass) exceeds(p poly, length, value float64) bool {
	if w.greatest {
		return p.c > value || p.at(length) > value
	}
	return p.c < value || p.at(length) < value
}

// push takes the next break into the queue.
func (w *windowPass) push() {
	k := w.enter
	v := 0.0
	switch k {
	case 0:
		v = w.poly[0].c
	case len(w.poly):
		v = choose(w.ending(k-1), w.last, w.greatest)
	default:
		v = choose(w.ending(k-1), w.poly[k].c, w.greatest)
	}
	n := len(w.queue)
	if w.greatest {
		for n > w.front && w.queue[n-1].value <= v {
			n--
		}
	} else {
		for n > w.front && w.queue[n-1].value >= v {
			n--
		}
	}
	if n == w.front { // empty: it begins anew
		n, w.front = 0, 0
	} else if w.front > len(w.queue)/2 && w.front > 1024 {
		n = copy(w.queue, w.queue[w.front:n])
		w.front = 0
	}
	w.queue = append(w.queue[:n], queued{k, v})
	w.enter++
}

// since is the greatest value from t on, or the smallest, of a signal that does not turn within pieces: one pass from the end.
func (s *Signal) since(greatest bool) *Signal {
	b := &backBuilder{at: make([]float64, 0, 64), poly: make([]poly, 0, 64), end: s.End()}
	now := s.last
	var parts [3]part
	for i := len(s.poly) - 1; i >= 0; i-- {
		p, from, to := s.poly[i], s.at[i], s.at[i+1]
		ending := p.at(to - from)
		if ending == p.c || (ending > p.c) == greatest { // the best of the piece is its end
			now = choose(now, ending, greatest)
			b.add(from, to, constant(now))
			continue
		}
		n := extreme(&parts, p, constant(now), to-from, greatest)
		for k := n - 1; k >= 0; k-- {
			end := to
			if k < n-1 {
				end = from + parts[k].to
			}
			b.add(from+parts[k].from, end, parts[k].poly)
		}
		now = choose(now, p.c, greatest)
	}
	return b.signal(s.Start(), s.last)
}

// backBuilder puts a signal together from right to left.
type backBuilder struct {
	at   []float64 // the beginning of each piece
	poly []poly
	end  float64
}

// add appends a piece before those that were added. Equal constants become one piece, and a piece of no length is left out.
func (b *backBuilder) add(from, to float64, p poly) {
	if to <= from {
		return
	}
	if n := len(b.poly); n > 0 && p.b == 0 && p.a == 0 && b.poly[n-1] == p {
		b.at[n-1] = from
		return
	}
	b.at, b.poly = append(b.at, from), append(b.poly, p)
}

// signal returns what was added, or a single instant where nothing was.
func (b *backBuilder) signal(at, last float64) *Signal {
	if len(b.poly) == 0 {
		return newBuilder(0).signal(at, last)
	}
	slices.Reverse(b.at)
	slices.Reverse(b.poly)
	return &Signal{at: append(b.at, b.end), poly: b.poly, last: last}
}
