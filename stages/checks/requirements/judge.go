package requirements

import (
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/spec"
)

// Semantics says what the end of a run means.
type Semantics string

// Four tells apart what may still change: GOOD, STILL_TRUE, STILL_FALSE, BAD. Three calls both in the middle NON-INFORMATIVE.
// TwoValued takes the run as it is.
const (
	Four      Semantics = "four"
	Three     Semantics = "three"
	TwoValued Semantics = "finite"
)

// Word is the word of a verdict.
func (s Semantics) Word(v mtl.Verdict) string {
	if s == Three && (v == mtl.StillTrue || v == mtl.StillFalse) {
		return "NON-INFORMATIVE"
	}
	return [...]string{mtl.Undefined: "UNDEFINED", mtl.Bad: "BAD", mtl.StillFalse: "STILL_FALSE", mtl.StillTrue: "STILL_TRUE", mtl.Good: "GOOD"}[v]
}

// Outcome is what a run says of a check, for one value of each forall.
type Outcome struct {
	Check   string        // its name
	Value   string        // the values of the foralls with commas between; "" for none
	BoundNs int64         // of the answers to triggers, which MarginNs is the distance to; schema.NoValue for none
	Formula *spec.Formula // with the values put in
	Failing []Failing     // the first failing states
	// Q99Ns is the time in which 99 % of the answers to the triggers of all values came; schema.NoValue where fewer than 100 came, or
	// where it was not asked for.
	Q99Ns int64
	// Of formulas with signals: the robustness at the start of a formula of signals only, else NaN; whether it was exactly 0 somewhere,
	// so that the comparisons told; and the longest time between two states, schema.NoValue for signals only.
	Robustness   float64
	Threshold    bool
	LargestGapNs int64
	mtl.Judgement

	tape *mtl.Tape // on which its states are numbered; nil: that of the run
}

// Failing is a failing state.
type Failing struct {
	State, Seq, TimeNs  int64  // position among the states, number of its event, and its time
	Component, Function string // of that event; "" of a state between events, which has the number of the event before it
	DelayNs, ExcessNs   int64  // as in mtl.Failure
}

// Judge holds the states against a check. keep holds for each value. Where it asks for
// delays, they come as Q99Ns.
func (s *States) Judge(sp *spec.Spec, c *spec.Check, semantics Semantics, keep mtl.Keep) ([]Outcome, error) {
	instances, err := sp.Instances(c, s.occurring)
	if err != nil {
		return nil, err
	}
	keep.Failing = max(keep.Failing, keep.Among/max(len(instances), 1))
	leaves := s.leaves()
	var all []Outcome
	var delays []int64
	for _, one := range instances {
		o := s.judge(one.Formula, leaves, semantics, keep)
		o.Check, o.Value = c.Name, strings.Join(one.Values, ",")
		for _, f := range o.Judgement.Failing {
			o.Failing = append(o.Failing, s.failing(o.tape, f))
		}
		delays, o.Delays = append(delays, o.Delays...), nil
		all = append(all, o)
	}
	q99 := quantile99(delays)
	for i := range all {
		all[i].Q99Ns = q99
	}
	return all, nil
}

// leastForQ99 is the number of delays of which the longest hundredth is one at least.
const leastForQ99 = 100

// quantile99 is the smallest value that 99 % of the values do not exceed; it sorts them.
func quantile99(values []int64) int64 {
	if len(values) < leastForQ99 {
		return schema.NoValue
	}
	slices.Sort(values)
	return values[(99*len(values)+99)/100-1]
}

// judge judges a formula.
func (s *States) judge(f *spec.Formula, leaves mtl.Leaves, semantics Semantics, keep mtl.Keep) Outcome {
	if hasSignal(f) {
		return judgeSignals(&s.Tape, f, leaves, s.Signals, s.between, keep)
	}
	return Outcome{
		Formula: f, BoundNs: boundNs(f), Robustness: math.NaN(), LargestGapNs: schema.NoValue,
		Judgement: mtl.Judge(&s.Tape, f, leaves, semantics == TwoValued, keep),
	}
}

// failing names a failing state of a tape; nil is that of the run.
func (s *States) failing(tape *mtl.Tape, f mtl.Failure) Failing {
	if tape == nil {
		tape = &s.Tape
	}
	t := &s.tuples[tape.Tuple(f.State)]
	return Failing{
		State: f.State, Seq: tape.Seq(f.State), TimeNs: tape.TimeNs(f.State),
		Component: s.names.Components.Name(t.component), Function: s.names.Functions.Name(t.function), DelayNs: f.DelayNs, ExcessNs: f.ExcessNs,
	}
}

// leaves returns the leaves of atoms, each filter evaluated once.
func (s *States) leaves() mtl.Leaves {
	known := make(map[string]*mtl.Leaf)
	return func(f *spec.Formula) *mtl.Leaf {
		if f.Op != spec.Atom {
			return nil
		}
		key := f.Filter.Key()
		l := known[key]
		if l == nil {
			l = &mtl.Leaf{Holds: s.holds(&f.Filter)}
			known[key] = l
		}
		return l
	}
}

// WhyUndefined says why a formula has no verdict on a run.
func WhyUndefined(f *spec.Formula) string {
	if hasSignal(f) {
		return "nothing to ask: nowhere do all signals have values as far ahead as the bounds look"
	}
	return "the run has no state to ask"
}

// AnswerNs is how long the slowest answer to a trigger of "globally if A then within I B" took; schema.NoValue of other formulas, and
// where nothing was asked.
func (o *Outcome) AnswerNs() int64 {
	f := o.Formula
	if o.MarginNs == schema.NoValue || o.BoundNs == schema.NoValue || f.Args[0].Args[1].Op == spec.Not {
		return schema.NoValue
	}
	return o.BoundNs - o.MarginNs
}

// boundNs is the bound of the answer in "globally if A then within I B" and "... not within I B".
func boundNs(f *spec.Formula) int64 {
	if f.Op == spec.Globally && f.Within == nil && f.Args[0].Op == spec.If {
		f = f.Args[0].Args[1]
		if f.Op == spec.Not {
			f = f.Args[0]
		}
		if f.Op == spec.Finally && f.Within != nil && f.Within.ToNs != spec.Unbounded {
			return f.Within.ToNs
		}
	}
	return schema.NoValue
}
