package signals

import (
	"errors"
	"io"
)

// Average is the w-average of a signal: at t, its mean over [t - w, t], where it is 0 outside its domain (Hendriks et al. 2024,
// Definition 10). It is defined over a span, also for w longer than that. It has the degree of the signal plus 1, so signals of degree 2
// have none. The steps stay.
//
// With F the integral of the signal f, the average is (F(t) - F(t-w)) / w, and its slope is (f(t) - f(t-w)) / w: between the
// times at which f breaks, and these w later, it is a polynomial that both ends of the window give (Proposition 1). Each piece is
// made of F and f themselves and not of the piece before, so errors do not add up. It takes time linear in the pieces, and reads
// the signal twice side by side, so that no window is in memory.
func (s Stream) Average(windowNs int64, over Span) Stream {
	if windowNs <= 0 {
		return s
	}
	open := s.Open
	front := func() jumping {
		next := open()
		return func() (Piece, float64, error) {
			p, err := next()
			if p.A != 0 {
				err = &DegreeError{"average", p.degree() + 1}
			}
			return p, 0, err
		}
	}
	s.Open = func() Pieces { return averaged(front(), front(), s.StepNs, windowNs, over) }
	return s
}

// jumping gives the pieces of a signal in the order of time, and by how much its integral jumps where each begins.
type jumping func() (p Piece, jump float64, err error)

// averaged averages a signal that two readers give.
func averaged(first, second jumping, stepNs, windowNs int64, over Span) Pieces {
	front, back := newIntegral(first, stepNs), newIntegral(second, stepNs)
	w := steps(windowNs, stepNs)
	from := over.FromNs
	return joined(func() (Piece, error) {
		if from >= over.ToNs {
			return Piece{}, front.rest()
		}
		front.reach(from)
		back.reach(from - windowNs)
		if err := errors.Join(unlessEnd(front.err), unlessEnd(back.err)); err != nil {
			return Piece{}, err
		}
		to := min(over.ToNs, front.until(), back.until()+windowNs)
		f, b := front.here(from), back.here(from-windowNs)
		p := Piece{FromNs: from, ToNs: to, C: front.area(from).minus(back.area(from-windowNs)) / w, B: (f.C - b.C) / w, A: (f.B - b.B) / (2 * w)}
		from = to
		return p, nil
	})
}

// unlessEnd is an error, but for the end of a stream.
func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// integral goes along a signal and knows the area below it so far.
type integral struct {
	next   jumping
	stepNs int64
	err    error // io.EOF behind the last piece
	begun  bool  // the piece in hand has begun, and its jump is in done
	piece  Piece // in hand, where err is nil
	jump   float64
	done   exact // the area of the pieces before the one in hand
}

func newIntegral(next jumping, stepNs int64) *integral {
	g := &integral{next: next, stepNs: stepNs}
	g.piece, g.jump, g.err = next()
	return g
}

// reach goes on to the piece at a time.
func (g *integral) reach(ns int64) {
	for g.err == nil && g.until() <= ns {
		if !g.begun {
			g.begun = true
			g.done.add(g.jump)
			continue
		}
		end := g.piece.ToNs
		g.done = g.area(end)
		if g.piece, g.jump, g.err = g.next(); g.err != nil {
			return
		}
		// A piece that goes on where this one ends is in hand at once.
		if g.begun = g.piece.FromNs == end; g.begun {
			g.done.add(g.jump)
		}
	}
}

// until is where what is in hand ends: a piece, or what is before it; never, behind the last.
func (g *integral) until() int64 {
	switch {
	case g.err != nil:
		return 1 << 62
	case g.begun:
		return g.piece.ToNs
	}
	return g.piece.FromNs
}

// within reports whether a piece is in hand.
func (g *integral) within() bool { return g.err == nil && g.begun }

// here is the polynomial from a time in the piece in hand.
func (g *integral) here(ns int64) Piece {
	if !g.within() {
		return Piece{}
	}
	return g.piece.from(ns, g.stepNs)
}

// area is the area below the signal up to a time in the piece in hand.
func (g *integral) area(ns int64) exact {
	sum := g.done
	if g.within() {
		sum.addArea(&g.piece, ns, g.stepNs)
	}
	return sum
}

// addArea adds the area below a piece up to a time in it.
func (e *exact) addArea(p *Piece, ns, stepNs int64) {
	x := steps(ns-p.FromNs, stepNs)
	e.add(p.C * x)
	if p.degree() > 0 {
		e.add(p.B * x * x / 2)
		e.add(p.A * x * x * x / 3)
	}
}

// rest reads what is left of the signal, and returns the error that ends it.
func (g *integral) rest() error {
	for g.err == nil {
		_, _, g.err = g.next()
	}
	return g.err
}
