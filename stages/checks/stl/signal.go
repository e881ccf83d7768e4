package stl

import (
	"math"
	"slices"
)

// Signal is a piecewise polynomial: at[i] <= t < at[i+1] has piece i. It has at least one piece, and a domain of a single
// instant has one of no length. It is read only.
type Signal struct {
	at   []float64 // the breaks, ascending; one more than pieces
	poly []poly
	last float64 // the value at the last instant

	ownAt   []float64 // what at is in, if it is that of no other signal
	ownPoly []poly    // what poly is in
}

// poly is c + b x + a x^2, where x is the time since the piece began.
type poly struct{ c, b, a float64 }

func (p poly) at(x float64) float64 { return p.c + x*(p.b+x*p.a) }

// moved is the polynomial as it is from x = d on.
func (p poly) moved(d float64) poly {
	if d == 0 {
		return p
	}
	return poly{p.at(d), p.b + 2*p.a*d, p.a}
}

func (p poly) minus(q poly) poly { return poly{p.c - q.c, p.b - q.b, p.a - q.a} }

func constant(c float64) poly { return poly{c: c} }

// Fragment is C + B x + A x^2 on [From, To), where x is the time since From.
type Fragment struct{ From, To, C, B, A float64 }

// New returns the sum of fragments. Its domain goes from the first start to the last end; where there is no fragment it is 0.
func New(fragments []Fragment) *Signal {
	var breaks []float64
	for _, f := range fragments {
		breaks = append(breaks, f.From, f.To)
	}
	slices.Sort(breaks)
	breaks = slices.Compact(breaks)
	if len(breaks) < 2 {
		return nil
	}
	s := &Signal{at: breaks, poly: make([]poly, len(breaks)-1)}
	for _, f := range fragments {
		first, _ := slices.BinarySearch(breaks, f.From)
		for i := first; i < len(s.poly) && breaks[i] < f.To; i++ {
			p := poly{f.C, f.B, f.A}.moved(breaks[i] - f.From)
			s.poly[i] = poly{s.poly[i].c + p.c, s.poly[i].b + p.b, s.poly[i].a + p.a}
		}
	}
	s.last = s.ending(len(s.poly) - 1)
	return s
}

// Start and End are the first and the last instant of the domain.
func (s *Signal) Start() float64 { return s.at[0] }
func (s *Signal) End() float64   { return s.at[len(s.at)-1] }

// At is the value at an instant of the domain.
func (s *Signal) At(t float64) float64 {
	if t >= s.End() {
		return s.last
	}
	i, exact := slices.BinarySearch(s.at, t)
	if !exact {
		i--
	}
	i = max(i, 0)
	return s.poly[i].at(t - s.at[i])
}

// ending is the value that piece i approaches at its end.
func (s *Signal) ending(i int) float64 { return s.poly[i].at(s.at[i+1] - s.at[i]) }

// scaled is the signal less a value, times 1 or -1, and moved up.
func (m *memory) scaled(s *Signal, less, sign, up float64) *Signal {
	own := last(&m.poly, len(s.poly))
	to := &Signal{at: s.at, poly: own[:len(s.poly)], last: s.last, ownPoly: own}
	to.scale(s.poly, less, sign, up)
	return to
}

// scale makes the signal that of other pieces, or of its own, less a value, times 1 or -1, and moved up.
func (s *Signal) scale(of []poly, less, sign, up float64) {
	s.last = sign*(s.last-less) + up
	for i := range of {
		p := &of[i]
		s.poly[i] = poly{sign*(p.c-less) + up, sign * p.b, sign * p.a}
	}
}

// Slope is the derivative, from the right at breaks, per unit of time, which is so many units of the fragments' times.
func (s *Signal) Slope(unit float64) *Signal {
	to := &Signal{at: s.at, poly: make([]poly, len(s.poly))}
	for i, p := range s.poly {
		to.poly[i] = poly{c: p.b * unit, b: 2 * p.a * unit}
	}
	to.last = to.ending(len(to.poly) - 1)
	return to
}

// builder puts a signal together from left to right.
type builder struct {
	at    []float64 // the beginning of each piece
	poly  []poly
	to    float64 // the end of the last piece
	parts [3]part // memory of extreme
}

// add appends a piece up to a time. Equal constants become one piece, and a piece of no length is left out.
func (b *builder) add(from, to float64, p poly) {
	if to <= from {
		return
	}
	b.to = to
	if n := len(b.poly); n > 0 && p.b == 0 && p.a == 0 && b.poly[n-1] == p {
		return
	}
	b.at, b.poly = append(b.at, from), append(b.poly, p)
}

// signal returns what was added, or a single instant where nothing was. last is the value at the last instant.
func (b *builder) signal(at, last float64) *Signal {
	if len(b.poly) == 0 {
		return &Signal{at: []float64{at, at}, poly: []poly{constant(last)}, last: last}
	}
	ends := append(b.at, b.to)
	return &Signal{at: ends, poly: b.poly, last: last, ownAt: ends, ownPoly: b.poly}
}

// cut is the signal on a part of its domain, and then moved back in time.
func (m *memory) cut(s *Signal, from, to, earlier float64) *Signal {
	if from == s.Start() && to == s.End() && earlier == 0 && from < to {
		return s
	}
	b := m.builder(len(s.poly))
	first, exact := slices.BinarySearch(s.at, from)
	if !exact {
		first--
	}
	for i := max(first, 0); i < len(s.poly) && s.at[i] < to; i++ {
		start, end := max(s.at[i], from), min(s.at[i+1], to)
		b.add(start-earlier, end-earlier, s.poly[i].moved(start-s.at[i]))
	}
	return b.signal(from-earlier, s.At(to))
}

// monotone is the signal with further breaks where it turns.
func (s *Signal) monotone() *Signal {
	if !slices.ContainsFunc(s.poly, func(p poly) bool { return p.a != 0 }) {
		return s
	}
	to := &Signal{at: make([]float64, 0, len(s.at)), poly: make([]poly, 0, len(s.poly)), last: s.last}
	for i, p := range s.poly {
		to.at, to.poly = append(to.at, s.at[i]), append(to.poly, p)
		if p.a != 0 {
			if x := -p.b / (2 * p.a); x > 0 && s.at[i]+x > s.at[i] && s.at[i]+x < s.at[i+1] {
				to.at, to.poly = append(to.at, s.at[i]+x), append(to.poly, p.moved(x))
			}
		}
	}
	to.at = append(to.at, s.End())
	return to
}

// roots returns the zeros of a polynomial strictly between 0 and an end, ascending; a zero at which it does not change its sign may
// be among them.
func (p poly) roots(end float64) (zeros [2]float64, n int) {
	add := func(x float64) {
		if x > 0 && x < end && (n == 0 || x > zeros[0]) {
			zeros[n] = x
			n++
		}
	}
	if math.IsInf(p.c, 0) || math.IsNaN(p.c) {
		return zeros, 0
	}
	if p.a == 0 {
		if p.b != 0 {
			add(-p.c / p.b)
		}
		return zeros, n
	}
	root := p.b*p.b - 4*p.a*p.c
	if root < 0 {
		return zeros, 0
	}
	// The form that does not subtract numbers of nearly equal size.
	q := -(p.b + math.Copysign(math.Sqrt(root), p.b)) / 2
	x, y := q/p.a, 0.0
	if q != 0 {
		y = p.c / q
	}
	add(min(x, y))
	add(max(x, y))
	return zeros, n
}

// Crossings appends to instants those from one to another, within the domain, at which the signal breaks or meets a value.
func (s *Signal) Crossings(instants []float64, value, from, to float64) []float64 {
	add := func(t float64) {
		if t >= from && t <= to {
			instants = append(instants, t)
		}
	}
	for i, p := range s.poly {
		add(s.at[i])
		p.c -= value
		zeros, n := p.roots(s.at[i+1] - s.at[i])
		for _, x := range zeros[:n] {
			add(s.at[i] + x)
		}
	}
	add(s.End())
	return instants
}
