package mtl

import "github.com/tracelake/tracelake/stages/checks/spec"

// oracle evaluates formulas as they are defined, with a loop for each "exists" and "for all".
type oracle struct {
	timeNs []int64
	holds  func(f *spec.Formula, state int) bool // of an atom
}

func (o *oracle) at(f *spec.Formula, m Mode, i int) bool {
	swapped := map[Mode]Mode{Finite: Finite, Strong: Weak, Weak: Strong}[m]
	switch f.Op {
	case spec.True:
		return true
	case spec.Atom:
		return o.holds(f, i)
	case spec.Not:
		return !o.at(f.Args[0], swapped, i)
	case spec.And, spec.Or:
		for _, a := range f.Args {
			if o.at(a, m, i) == (f.Op == spec.Or) {
				return f.Op == spec.Or
			}
		}
		return f.Op == spec.And
	case spec.If:
		return !o.at(f.Args[0], swapped, i) || o.at(f.Args[1], m, i)
	case spec.Globally:
		return !o.until(nil, f.Args[0], true, f.Within, swapped, i)
	case spec.Finally:
		return o.until(nil, f.Args[0], false, f.Within, m, i)
	}
	return o.until(f.Args[0], f.Args[1], false, f.Within, m, i)
}

// until is Definition 17, and its weak form.
func (o *oracle) until(a, b *spec.Formula, not bool, within *spec.Interval, m Mode, i int) bool {
	from, to := int64(0), spec.Unbounded
	if within != nil {
		from, to = within.FromNs, within.ToNs
	}
	goal := func(j int) bool {
		if not {
			return !o.at(b, map[Mode]Mode{Finite: Finite, Strong: Weak, Weak: Strong}[m], j)
		}
		return o.at(b, m, j)
	}
	all := true // A holds at all k with i <= k < j
	for j := i; j < len(o.timeNs); j++ {
		if after := o.timeNs[j] - o.timeNs[i]; all && after >= from && after <= to && goal(j) {
			return true
		}
		all = all && (a == nil || o.at(a, m, j))
	}
	return m == Weak && all && o.timeNs[len(o.timeNs)-1]-o.timeNs[i] <= to
}

// truthAt calls visit with the truth of a formula at each state in turn.
func truthAt(t *Tape, f *spec.Formula, leaves Leaves, m Mode, visit func(state int64, holds bool)) {
	s := (&run{t, leaves}).build(f, m, 0)
	var out truth
	for i := range t.states {
		if i%blockStates == 0 {
			s.next(&out)
		}
		visit(i, out[i%blockStates/64]>>(i%64)&1 != 0)
	}
}
