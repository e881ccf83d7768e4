package signals

import "math"

// align visits the stretches on which two signals have one piece each, from the beginning of the later domain to the end of the
// earlier one. The pieces that it passes on begin and end there.
func align(s, t *Signal, visit func(p, q Piece)) {
	i, j := 0, 0
	for i < len(s.Pieces) && j < len(t.Pieces) {
		p, q := s.Pieces[i], t.Pieces[j]
		from, to := max(p.FromNs, q.FromNs), min(p.ToNs, q.ToNs)
		if from < to {
			a, b := p.from(from, s.StepNs), q.from(from, t.StepNs)
			a.ToNs, b.ToNs = to, to
			visit(a, b)
		}
		if p.ToNs <= to {
			i++
		}
		if q.ToNs <= to {
			j++
		}
	}
}

// in is a piece with its slopes in another step.
func (p Piece) in(stepNs, of int64) Piece {
	if stepNs == of {
		return p
	}
	k := float64(of) / float64(stepNs) // of the new step in old ones
	p.B, p.A = p.B*k, p.A*k*k
	return p
}

// Add is the sum of two signals where both are defined, in steps of the first.
func Add(s, t *Signal) Signal {
	out := Signal{StepNs: s.StepNs}
	align(s, t, func(p, q Piece) {
		q = q.in(t.StepNs, s.StepNs)
		p.C, p.B, p.A = p.C+q.C, p.B+q.B, p.A+q.A
		out.append(p)
	})
	return out
}

// Multiply is the product of two signals where both are defined, in steps of the first.
func Multiply(s, t *Signal) (Signal, error) {
	out := Signal{StepNs: s.StepNs}
	degree := 0
	align(s, t, func(p, q Piece) {
		q = q.in(t.StepNs, s.StepNs)
		if of := p.degree() + q.degree(); of > 2 && !p.zero() && !q.zero() {
			degree = max(degree, of)
		}
		out.append(Piece{FromNs: p.FromNs, ToNs: p.ToNs, C: p.C * q.C, B: p.C*q.B + p.B*q.C, A: p.C*q.A + p.B*q.B + p.A*q.C})
	})
	if degree > 2 {
		return Signal{}, &DegreeError{"product", degree}
	}
	return out, nil
}

func (p *Piece) zero() bool { return p.C == 0 && p.B == 0 && p.A == 0 }

// Min is the lesser of two signals where both are defined, in steps of the first. Where they cross between two nanoseconds, the
// later one is taken for the crossing.
func Min(s, t *Signal) Signal { return choose(s, t, false) }

// Max is the greater of two signals; see Min.
func Max(s, t *Signal) Signal { return choose(s, t, true) }

// choose is the greater or the lesser of two signals. Between two crossings one of them stays above the other, so what they are
// where the stretch begins decides, and in its middle where they begin alike, but for rounding.
func choose(s, t *Signal, greater bool) Signal {
	out := Signal{StepNs: s.StepNs}
	align(s, t, func(p, q Piece) {
		q = q.in(t.StepNs, s.StepNs)
		d := Piece{FromNs: p.FromNs, ToNs: p.ToNs, C: p.C - q.C, B: p.B - q.B, A: p.A - q.A}
		from := p.FromNs
		for _, to := range append(d.crossings(s.StepNs), p.ToNs) {
			if to <= from {
				continue
			}
			one := p
			x := steps(from-d.FromNs, s.StepNs)
			above, scale := d.C+x*(d.B+x*d.A), math.Abs(p.C)+math.Abs(q.C)+x*(math.Abs(d.B)+x*math.Abs(d.A))
			if math.Abs(above) <= 1e-12*scale {
				x += steps(to-from, s.StepNs) / 2
				above = d.C + x*(d.B+x*d.A)
			}
			if above > 0 != greater {
				one = q
			}
			one = one.from(from, s.StepNs)
			one.ToNs = to
			out.append(one)
			from = to
		}
	})
	return out
}

// crossings are the times within the piece at which it crosses 0, rounded up to nanoseconds, in order.
func (p *Piece) crossings(stepNs int64) (ns []int64) {
	for _, x := range roots(p.C, p.B, p.A) {
		if at := math.Ceil(x * float64(stepNs)); at > 0 && at < float64(p.ToNs-p.FromNs) {
			ns = append(ns, p.FromNs+int64(at))
		}
	}
	return ns
}

// roots are the x at which c + b x + a x^2 is 0, in ascending order. The root that would be a difference of near numbers is found
// by the product of both (Goldberg 1991, section 1.4).
func roots(c, b, a float64) []float64 {
	if a == 0 {
		if b == 0 {
			return nil
		}
		return []float64{-c / b}
	}
	d := b*b - 4*a*c
	if d < 0 {
		return nil
	}
	q := -(b + math.Copysign(math.Sqrt(d), b)) / 2
	if q == 0 { // both are 0
		return []float64{0}
	}
	x, y := q/a, c/q
	return []float64{min(x, y), max(x, y)}
}

// Derivative is the slope of a signal per step. Jumps between pieces have none.
func Derivative(s *Signal) Signal {
	out := Signal{StepNs: s.StepNs}
	for _, p := range s.Pieces {
		out.append(Piece{FromNs: p.FromNs, ToNs: p.ToNs, C: p.B, B: 2 * p.A})
	}
	return out
}

// Shift is the signal later by some time.
func Shift(s *Signal, byNs int64) Signal {
	out := Signal{StepNs: s.StepNs, Pieces: make([]Piece, len(s.Pieces))}
	for i, p := range s.Pieces {
		p.FromNs, p.ToNs = p.FromNs+byNs, p.ToNs+byNs
		out.Pieces[i] = p
	}
	return out
}

// Scale is factor times the signal, plus a constant.
func Scale(s *Signal, factor, plus float64) Signal {
	out := Signal{StepNs: s.StepNs}
	for _, p := range s.Pieces {
		p.C, p.B, p.A = factor*p.C+plus, factor*p.B, factor*p.A
		out.append(p)
	}
	return out
}
