package mtl

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/spec"
)

// Explanation says what a formula is worth at a state, and what decided that.
type Explanation struct {
	Formula *spec.Formula
	State   int64 // at which the formula is asked
	Verdict Verdict
	// Deciding is the state that decided a temporal formula: the witness of a finally or until, the first state that breaks a globally,
	// or, where none lies within the bound, the first one that comes too late; schema.NoValue where there is none.
	Deciding int64
	Late     bool  // the deciding state lies beyond the bound
	Broken   int64 // of an until: the first state without A; schema.NoValue where there is none
	Parts    []*Explanation
}

// Explain asks a formula at a state. Parts without a temporal operator between are asked at the same state, and the part of a temporal
// operator at the state that decided it. twoValued takes the run as it is. It takes one look forward for every part.
func Explain(t *Tape, f *spec.Formula, leaves Leaves, twoValued bool, state int64) *Explanation {
	return (&run{t, leaves}).explain(f, twoValued, state)
}

func (r *run) explain(f *spec.Formula, twoValued bool, state int64) *Explanation {
	e := &Explanation{Formula: f, State: state, Verdict: r.verdict(f, twoValued, state), Deciding: schema.NoValue, Broken: schema.NoValue}
	if r.leaves(f) != nil {
		return e
	}
	if !f.Temporal() {
		for _, a := range f.Args {
			e.Parts = append(e.Parts, r.explain(a, twoValued, state))
		}
		return e
	}
	block := state >> blockBits
	goal := f.Args[len(f.Args)-1]
	u := newUntil(r.tape, f.Within, false, newScanner(r.build(goal, Finite, block), f.Op == spec.Globally, block, r.tape.states), nil, block)
	if f.Op == spec.Until {
		u.broken = newScanner(r.build(f.Args[0], Finite, block), true, block, r.tape.states)
	}
	atNs := r.tape.TimeNs(state)
	u.seek(state, atNs)
	if u.n < r.tape.states {
		e.Deciding, e.Late = u.n, u.nNs-atNs > u.toNs
	}
	if u.broken != nil && u.k < r.tape.states {
		e.Broken = u.k
		e.Parts = append(e.Parts, r.explain(f.Args[0], twoValued, u.k))
	}
	if e.Deciding != schema.NoValue && !(f.Op == spec.Globally && e.Late) {
		e.Parts = append(e.Parts, r.explain(goal, twoValued, e.Deciding))
	}
	return e
}

// verdict is what a formula is worth at a state.
func (r *run) verdict(f *spec.Formula, twoValued bool, state int64) Verdict {
	var j Judgement
	j.Finite = r.at(f, Finite, state)
	strong, weak := j.Finite, j.Finite
	if !twoValued {
		strong, weak = r.at(f, Strong, state), r.at(f, Weak, state)
	}
	j.conclude(strong, weak, twoValued)
	return j.Verdict
}
