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
	r := &robustness{signals: signals, e: e, unit: unit}
	return r.of(f, false)
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
	memory
}

// of is the robustness of a formula, or minus that.
func (r *robustness) of(f *spec.Formula, minus bool) *Signal {
	switch f.Op {
	case spec.Compare:
		return r.compare(f, minus)
	case spec.Not:
		return r.of(f.Args[0], !minus)
	case spec.And, spec.Or:
		all := r.of(f.Args[0], minus)
		for _, a := range f.Args[1:] {
			all = r.joined(all, r.of(a, minus), (f.Op == spec.Or) != minus)
		}
		return all
	case spec.If:
		return r.joined(r.of(f.Args[0], !minus), r.of(f.Args[1], minus), !minus)
	case spec.True:
		always := math.Inf(1)
		if minus {
			always = -always
		}
		return &Signal{at: []float64{-forever, forever}, poly: []poly{constant(always)}, last: always}
	}
	from, to := 0.0, math.Inf(1)
	if f.Within != nil {
		from, to = f.Within.From, f.Within.To
	}
	if f.Op == spec.Globally || f.Op == spec.Finally {
		s := r.of(f.Args[0], minus)
		defer r.free(s)
		return r.window(s, from, to, (f.Op == spec.Finally) != minus)
	}
	a, b := r.of(f.Args[0], false), r.of(f.Args[1], false)
	s := r.bounded(a, b, from, to)
	r.free(a, b)
	if s != nil && minus {
		s.scale(s.poly, 0, -1, 0)
	}
	return s
}

// joined is the greater of two signals that are not read afterwards, or the smaller.
func (r *robustness) joined(s, u *Signal, greater bool) *Signal {
	defer r.free(s, u)
	return r.join(s, u, greater)
}

// bounded is A until B within an interval, as the package comment has it.
func (r *robustness) bounded(a, b *Signal, from, to float64) *Signal {
	all := r.until(a, b, from)
	if all == nil {
		return nil
	}
	if from > 0 {
		all = r.joined(all, r.window(a, 0, from, false), false)
	}
	if !math.IsInf(to, 1) {
		// Both signals end together for the until, so that the sup of B sees no instant at which A is unknown.
		common := r.cut(b, max(a.Start(), b.Start()), min(a.End(), b.End()), 0)
		all = r.joined(all, r.window(common, from, to, true), false)
		if common != b {
			r.free(common)
		}
	}
	return all
}

// compare is the robustness of an atom, or minus that.
func (r *robustness) compare(f *spec.Formula, minus bool) *Signal {
	s := r.signals(f.Signal)
	if s == nil {
		return nil
	}
	if f.Slope {
		s = s.Slope(r.unit)
	}
	sign, e := 1.0, r.e
	if f.Relation == spec.AtMost || f.Relation == spec.Below {
		sign = -sign
	}
	if f.Relation == spec.Above || f.Relation == spec.Below {
		e = -e
	}
	if minus {
		sign, e = -sign, -e
	}
	if f.Relation != spec.Equal {
		return r.scaled(s, f.Threshold, sign, e)
	}
	near := r.joined(r.scaled(s, f.Threshold, 1, 0), r.scaled(s, f.Threshold, -1, 0), minus)
	if e != 0 && near != nil {
		near.scale(near.poly, 0, 1, e)
	}
	return near
}

// forever is beyond every time of a run in ns, and small enough that sums with it stay finite. It ends the domain of true.
const forever = 1e18
