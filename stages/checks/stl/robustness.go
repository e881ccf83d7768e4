package stl

import (
	"math"

	"github.com/tracelake/tracelake/stages/checks/spec"
)

// Signals gives the signal of a position in the specification, or nil if there is none.
type Signals func(position int) *Signal

// Robustness is the robustness of a formula of signals only, at every instant of its domain; nil if the domain is empty. e is
// added to what must not be left and taken from what must: 0 for the robustness itself. unit is the unit of time of derivatives
// in that of the fragments.
func Robustness(f *spec.Formula, signals Signals, e, unit float64) *Signal {
	r := &robustness{signals, e, unit}
	return r.of(f)
}

// Holds reports whether a formula of signals only holds at an instant of its domain: where its robustness is above 0, or
// is 0 and its comparisons say so. threshold reports the latter.
func Holds(plain, moved *Signal, t float64) (holds, threshold bool) {
	rho := plain.At(t)
	if math.Abs(rho) <= Tolerance {
		return moved.At(t) > 0, true
	}
	return rho > 0, false
}

// Tolerance is below what a robustness counts as 0: sums of floating-point numbers are not exact. Moved is by how much
// thresholds are moved to decide then.
const Tolerance, Moved = 1e-9, 1e-6

// robustness evaluates a formula.
type robustness struct {
	signals Signals
	e, unit float64
}

func (r *robustness) of(f *spec.Formula) *Signal {
	switch f.Op {
	case spec.Compare:
		return r.compare(f)
	case spec.Not:
		if s := r.of(f.Args[0]); s != nil {
			return s.negated()
		}
		return nil
	case spec.And, spec.Or:
		all := r.of(f.Args[0])
		for _, a := range f.Args[1:] {
			all = join(all, r.of(a), f.Op == spec.Or)
		}
		return all
	case spec.If:
		s := r.of(f.Args[0])
		if s == nil {
			return nil
		}
		return join(s.negated(), r.of(f.Args[1]), true)
	case spec.True:
		return &Signal{at: []float64{-forever, forever}, poly: []poly{constant(math.Inf(1))}, last: math.Inf(1)}
	}
	from, to := 0.0, math.Inf(1)
	if f.Within != nil {
		from, to = f.Within.From, f.Within.To
	}
	switch f.Op {
	case spec.Globally:
		return inf(r.of(f.Args[0]), from, to)
	case spec.Finally:
		return sup(r.of(f.Args[0]), from, to)
	}
	return r.until(r.of(f.Args[0]), r.of(f.Args[1]), from, to)
}

// until is A until B within an interval, as the package comment has it.
func (r *robustness) until(a, b *Signal, from, to float64) *Signal {
	all := until(a, b)
	if all == nil {
		return nil
	}
	if from > 0 {
		if all.End()-from < all.Start() {
			return nil
		}
		all = join(all.cut(all.Start()+from, all.End(), from), inf(a, 0, from), false)
	}
	if !math.IsInf(to, 1) {
		// Both signals end together for the until, so that the sup of B sees no instant at which A is unknown.
		common := b.cut(max(a.Start(), b.Start()), min(a.End(), b.End()), 0)
		all = join(all, sup(common, from, to), false)
	}
	return all
}

// compare is the robustness of an atom.
func (r *robustness) compare(f *spec.Formula) *Signal {
	s := r.signals(f.Signal)
	if s == nil {
		return nil
	}
	x := f.Threshold
	if f.Slope {
		s = s.Slope(r.unit)
	}
	above := s.each(func(p poly) poly { return poly{p.c - x, p.b, p.a} })
	e := r.e
	switch f.Relation {
	case spec.AtMost, spec.Below:
		above = above.negated()
	case spec.Equal:
		above = join(above, above.negated(), false)
	}
	if f.Relation == spec.Above || f.Relation == spec.Below {
		e = -e
	}
	if e == 0 {
		return above
	}
	return above.each(func(p poly) poly { return poly{p.c + e, p.b, p.a} })
}

// forever is beyond every time of a run in ns, and small enough that sums with it stay finite. It ends the domain of true.
const forever = 1e18
