package requirements

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/checks/stl"
)

// Explained says why a check failed at a state, or, where it did not fail, how it came out at the state with the smallest margin or at
// the first one.
type Explained struct {
	Check, Value string // its name, and the values of its foralls
	Number       int64  // of the failing state, from 1; 0: the check does not fail
	Failures     int64  // of the check, over all values
	Always       bool   // the check asks Root at every state, and this is one of them
	Root         *Part  // the whole formula
}

// Place is a state, or an instant between states.
type Place struct {
	TimeNs              int64       // in the trace's clock
	Seq                 int64       // schema.NoValue of an instant
	Component, Function string      // "" of an instant
	Kind                schema.Kind // of the event that begins the state
}

// Part is a part of a formula at a place, with what decided it.
type Part struct {
	Formula  *spec.Formula // the part
	At       Place         // where it is asked for
	Verdict  mtl.Verdict   // how it came out there
	Deciding *Place        // as in mtl.Explanation; of signals the instant of the least or greatest robustness; nil: none
	Late     bool          // Deciding lies beyond the bound
	Broken   *Place        // of an until: the first state without what had to hold until then; nil: none
	// Of parts that are signals only: the robustness, and of a comparison the value of the signal. NaN for others.
	Robustness, Value float64
	Parts             []*Part // those of the formula that decided it
}

// Explain explains the number-th failing state of a check, counted from 1 over the values of its foralls.
func (s *States) Explain(sp *spec.Spec, c *spec.Check, semantics Semantics, number int64) (*Explained, error) {
	outcomes, err := s.Judge(sp, c, semantics, mtl.Keep{Failing: int(number)})
	if err != nil {
		return nil, err
	}
	x := &Explained{Check: c.Name}
	for i := range outcomes {
		x.Failures += outcomes[i].Failures
	}
	if number > max(x.Failures, 1) {
		return nil, fmt.Errorf("check %s fails at %d states: there is no %s#%d", c.Name, x.Failures, c.Name, number)
	}
	o, state := tightest(outcomes), schema.NoValue
	before := int64(0)
	for i := range outcomes {
		if n := outcomes[i].Failures; before < number && number <= before+n {
			o, x.Number = &outcomes[i], number
			if k := number - before - 1; k < int64(len(o.Failing)) {
				state = o.Failing[k].State
			}
		}
		before += outcomes[i].Failures
	}
	if state == schema.NoValue {
		state = o.Tightest
	}
	x.Value = o.Value
	x.Root, x.Always = s.explain(o.Formula, semantics, state)
	if x.Root == nil {
		return nil, fmt.Errorf("check %s: %s", c.Name, WhyUndefined(o.Formula))
	}
	return x, nil
}

// tightest is the outcome with the smallest margin, else the first.
func tightest(outcomes []Outcome) *Outcome {
	best := &outcomes[0]
	for i := range outcomes {
		if worse := outcomes[i].MarginNs; worse != schema.NoValue && (best.MarginNs == schema.NoValue || worse < best.MarginNs) {
			best = &outcomes[i]
		}
	}
	return best
}

// explain explains a formula at a state of the tape, or at the first one of its domain. What a globally asks at every state is explained
// at the state itself, where one is given.
func (s *States) explain(f *spec.Formula, semantics Semantics, state int64) (root *Part, always bool) {
	if s.Tape.States() == 0 {
		return nil, false
	}
	x := &explainer{States: s, tape: &s.Tape, leaves: s.leaves()}
	twoValued := semantics == TwoValued
	if hasSignal(f) {
		if !hasAtom(f) {
			rho := stl.Robustness(f, s.Signals.Of, 0, perSecond)
			if rho == nil {
				return nil, false
			}
			return x.signalPart(f, rho.Start()), false
		}
		m := newMixed(f, s.Signals)
		if m == nil {
			return nil, false
		}
		if state != schema.NoValue && s.between == nil {
			state -= s.Tape.From(m.firstNs())
		}
		x.tape, twoValued, x.instants = m.states(&s.Tape, s.between), true, m.instant
		m.sample(x.tape)
		x.leaves = m.leaves(x.leaves)
		if x.tape.States() == 0 {
			return nil, false
		}
	}
	if always = state != schema.NoValue && f.Op == spec.Globally && f.Within == nil && x.leaves(f) == nil; always {
		f = f.Args[0]
	}
	return x.part(mtl.Explain(x.tape, f, x.leaves, twoValued, max(state, 0))), always
}

// explainer names the places of an explanation.
type explainer struct {
	*States
	tape     *mtl.Tape
	leaves   mtl.Leaves
	instants func(states *mtl.Tape, state int64) float64 // when a state of a formula with signals is asked
}

// place is a state of the tape; nil for schema.NoValue.
func (x *explainer) place(state int64) *Place {
	if state == schema.NoValue {
		return nil
	}
	t := &x.tuples[x.tape.Tuple(state)]
	if x.between != nil && x.tape.Tuple(state) == *x.between {
		return &Place{TimeNs: x.tape.TimeNs(state), Seq: schema.NoValue}
	}
	return &Place{x.tape.TimeNs(state), x.tape.Seq(state), x.names.Components.Name(t.component), x.names.Functions.Name(t.function), t.kind}
}

// part is an explanation with its places. A leaf of signals is explained as such.
func (x *explainer) part(e *mtl.Explanation) *Part {
	if !hasAtom(e.Formula) && hasSignal(e.Formula) && x.leaves(e.Formula) != nil {
		p := x.signalPart(e.Formula, x.instants(x.tape, e.State))
		p.At, p.Verdict = *x.place(e.State), e.Verdict
		return p
	}
	p := &Part{
		Formula: e.Formula, At: *x.place(e.State), Verdict: e.Verdict, Deciding: x.place(e.Deciding), Late: e.Late, Broken: x.place(e.Broken),
		Robustness: math.NaN(), Value: math.NaN(),
	}
	for _, part := range e.Parts {
		p.Parts = append(p.Parts, x.part(part))
	}
	return p
}

// signalPart explains a formula of signals only at an instant, in ns since the origin of signals.
func (x *explainer) signalPart(f *spec.Formula, t float64) *Part {
	p := &Part{Formula: f, At: *x.instant(t), Verdict: mtl.Bad, Robustness: math.NaN(), Value: math.NaN()}
	rho := stl.Robustness(f, x.Signals.Of, 0, perSecond)
	if rho == nil || t < rho.Start() || t > rho.End() {
		p.Verdict = mtl.Undefined
		return p
	}
	p.Robustness = rho.At(t) + 0 // no -0
	if holds, _ := stl.Holds(rho, stl.Robustness(f, x.Signals.Of, stl.Moved, perSecond), t); holds {
		p.Verdict = mtl.Good
	}
	switch f.Op {
	case spec.Compare:
		signal := x.Signals.Of(f.Signal)
		if f.Slope {
			signal = signal.Slope(perSecond)
		}
		p.Value = signal.At(t)
	case spec.Globally, spec.Finally:
		from, to := t, math.Inf(1)
		if f.Within != nil {
			from, to = t+f.Within.From, t+f.Within.To
		}
		of := stl.Robustness(f.Args[0], x.Signals.Of, 0, perSecond)
		_, at := of.Least(from, to)
		if f.Op == spec.Finally {
			_, at = of.Greatest(from, to)
		}
		p.Deciding = x.instant(at)
		p.Parts = append(p.Parts, x.signalPart(f.Args[0], at))
	case spec.Until: // no instant alone decides it
	default:
		for _, a := range f.Args {
			p.Parts = append(p.Parts, x.signalPart(a, t))
		}
	}
	return p
}

// instant is an instant, in ns since the origin of signals.
func (x *explainer) instant(t float64) *Place {
	return &Place{TimeNs: x.Signals.OriginNs + int64(math.Round(t)), Seq: schema.NoValue}
}

// CheckNumber takes apart CHECK or CHECK#K: the name of a check and the number of a failing state, 1 where none is given.
func CheckNumber(text string) (name string, number int64, err error) {
	name, after, found := strings.Cut(text, "#")
	if !found {
		return name, 1, nil
	}
	if number, err = strconv.ParseInt(after, 10, 64); err != nil || number < 1 {
		return "", 0, fmt.Errorf("%q: give CHECK, or CHECK#K for its K-th failing state, counted from 1", text)
	}
	return name, number, nil
}
