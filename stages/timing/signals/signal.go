package signals

import (
	"fmt"
	"slices"
)

// Piece is a signal on [FromNs, ToNs): C + B x + A x^2, where x is the time since FromNs in steps of the signal.
type Piece struct {
	FromNs, ToNs int64
	C, B, A      float64
}

// Signal is a piecewise polynomial. Its pieces are in the order of time and do not overlap, and each begins where the one
// before ends: where nothing is known of a signal within its domain it is 0 (Hendriks et al. 2024, Definition 6).
type Signal struct {
	StepNs int64 // unit of time of B and A
	Pieces []Piece
}

// DegreeError says that the result of an operation is no piecewise polynomial of degree 2.
type DegreeError struct {
	Operation string // such as "product"
	Degree    int    // that the result would have
}

// Error implements error.
func (e *DegreeError) Error() string {
	return fmt.Sprintf("the %s of these signals has degree %d: signals have degree 2 at most", e.Operation, e.Degree)
}

// Domain returns the beginning and the end of the signal; both are 0 for a signal without pieces.
func (s *Signal) Domain() (fromNs, toNs int64) {
	if len(s.Pieces) == 0 {
		return 0, 0
	}
	return s.Pieces[0].FromNs, s.Pieces[len(s.Pieces)-1].ToNs
}

// Degree is the highest degree of the pieces.
func (s *Signal) Degree() (degree int) {
	for i := range s.Pieces {
		degree = max(degree, s.Pieces[i].degree())
	}
	return degree
}

func (p *Piece) degree() int {
	switch {
	case p.A != 0:
		return 2
	case p.B != 0:
		return 1
	}
	return 0
}

// steps is a length of time in steps. It is exact for whole steps below 2^53.
func steps(ns, stepNs int64) float64 { return float64(ns) / float64(stepNs) }

// from is the same polynomial with another beginning.
func (p *Piece) from(ns, stepNs int64) Piece {
	x := steps(ns-p.FromNs, stepNs)
	return Piece{FromNs: ns, ToNs: p.ToNs, C: p.C + x*(p.B+x*p.A), B: p.B + 2*x*p.A, A: p.A}
}

// same reports whether q goes on as p does, so that both are one piece. It compares constants only: the value of any other
// polynomial at a later time is rounded.
func (p *Piece) same(q *Piece) bool {
	return p.degree() == 0 && q.degree() == 0 && p.C == q.C && p.ToNs == q.FromNs
}

// append adds a piece behind the others, and nothing where it has no length.
func (s *Signal) append(p Piece) {
	if p.ToNs <= p.FromNs {
		return
	}
	if n := len(s.Pieces); n > 0 && s.Pieces[n-1].same(&p) {
		s.Pieces[n-1].ToNs = p.ToNs
		return
	}
	s.Pieces = append(s.Pieces, p)
}

// Within is the signal on [fromNs, toNs) alone: pieces outside are cut off, and it is 0 where it had no value.
func (s *Signal) Within(fromNs, toNs int64) Signal {
	out := Signal{StepNs: s.StepNs}
	at := fromNs
	for i := range s.Pieces {
		p := s.Pieces[i]
		if p.ToNs <= fromNs || p.FromNs >= toNs {
			continue
		}
		if p.FromNs < fromNs {
			p = p.from(fromNs, s.StepNs)
		}
		p.ToNs = min(p.ToNs, toNs)
		out.append(Piece{FromNs: at, ToNs: p.FromNs})
		out.append(p)
		at = p.ToNs
	}
	out.append(Piece{FromNs: at, ToNs: toNs})
	return out
}

// FromFragments makes a signal of fragments in the order of their beginnings, as a trace has them: those that overlap add up,
// and between them it is 0 (Hendriks et al. 2024, Definition 6).
func FromFragments(fragments []Piece, stepNs int64) Signal {
	out := Signal{StepNs: stepNs}
	if len(fragments) == 0 {
		return out
	}
	var open []Piece // at a time, few
	at := fragments[0].FromNs
	// until writes the sum of what is open from at to a time, cut where any of it ends.
	until := func(to int64) {
		for at < to {
			p := Piece{FromNs: at, ToNs: to}
			for i := range open {
				q := open[i].from(at, stepNs)
				p.C, p.B, p.A, p.ToNs = p.C+q.C, p.B+q.B, p.A+q.A, min(p.ToNs, q.ToNs)
			}
			out.append(p)
			at = p.ToNs
			open = slices.DeleteFunc(open, func(q Piece) bool { return q.ToNs <= at })
		}
	}
	end := at
	for _, f := range fragments {
		until(f.FromNs)
		open, end = append(open, f), max(end, f.ToNs)
	}
	until(end)
	return out
}
