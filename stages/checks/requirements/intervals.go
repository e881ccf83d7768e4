package requirements

import (
	"math/bits"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/spec"
)

// Intervals says where a check and the definitions in it hold over time, on the run as it is: stretches of states of equal truth, in the
// order of the values of the check, of its definitions, and of time. There are at most so many. What the check asks at every state comes
// first, as the definition "". A definition that several values share comes once, without a value.
func (s *States) Intervals(sp *spec.Spec, c *spec.Check, most int) ([]schema.CheckInterval, error) {
	instances, err := sp.Instances(c, s.occurring)
	if err != nil {
		return nil, err
	}
	w := &intervals{States: s, check: c.Name, most: most, told: make(map[string]bool), seen: make(map[*spec.Formula]bool)}
	for _, one := range instances {
		asked := one.Formula
		if asked.Op == spec.Globally && asked.Within == nil {
			asked = asked.Args[0]
		}
		w.add(asked, strings.Join(one.Values, ","), "")
		w.definitions(one.Formula)
	}
	return w.rows, nil
}

// intervals gathers the stretches of a check.
type intervals struct {
	*States
	check string
	most  int
	told  map[string]bool // definitions with their values
	seen  map[*spec.Formula]bool
	rows  []schema.CheckInterval
}

// definitions adds the definitions that a formula is made of, from the outside to the inside.
func (w *intervals) definitions(f *spec.Formula) {
	if w.seen[f] {
		return
	}
	w.seen[f] = true
	if f.Meaning != "" && !w.told[f.Meaning] {
		w.told[f.Meaning] = true
		w.add(f, "", f.Meaning)
	}
	for _, a := range f.Args {
		w.definitions(a)
	}
}

// add adds the stretches of a formula. Its truth is looked at 64 states at a time where they are alike.
func (w *intervals) add(f *spec.Formula, value, definition string) {
	if len(w.rows) >= w.most {
		return
	}
	tape, truth, _, m := w.truth(f)
	if tape == nil || tape.States() == 0 {
		return
	}
	row := func(state int64, holds bool) schema.CheckInterval {
		return schema.CheckInterval{Check: w.check, Value: value, Definition: definition, Seq: tape.Seq(state), FromNs: tape.TimeNs(state), Truth: holds}
	}
	holds := truth[0]&1 != 0
	open := row(0, holds)
	begins := func(state int64) int64 { return state } // with which state a stretch begins that is first seen at one
	if m != nil && m.amid != nil && m.momentary(f) {
		atoms := hasAtom(f)
		begins = func(state int64) int64 {
			if m.amid[state] && !(atoms && tape.Tuple(state) != *w.between) {
				return state - 1
			}
			return state
		}
	}
	for state := int64(0); state < tape.States(); {
		word := truth[state/64] >> (state % 64)
		if holds {
			word = ^word
		}
		if word &= 1<<(64-state%64) - 1; word == 0 {
			state = (state/64 + 1) * 64
			continue
		}
		if state += int64(bits.TrailingZeros64(word)); state >= tape.States() {
			break
		}
		open.ToNs = tape.TimeNs(begins(state))
		if w.rows = append(w.rows, open); len(w.rows) == w.most {
			return
		}
		holds = !holds
		open = row(begins(state), holds)
	}
	open.ToNs = tape.LastNs()
	w.rows = append(w.rows, open)
}

// truth is the truth of a formula at the states of a tape, a bit a state, and which state of the run is the first of it. A formula with
// signals has states within their domain only, and m; the tape is nil where there is none.
func (s *States) truth(f *spec.Formula) (tape *mtl.Tape, truth []uint64, first int64, m *mixed) {
	if s.Tape.States() == 0 {
		return nil, nil, 0, nil
	}
	tape, leaves := &s.Tape, s.leaves()
	if hasSignal(f) {
		if m = newMixed(f, s.Signals); m == nil {
			return nil, nil, 0, nil
		}
		first = s.Tape.From(m.firstNs())
		tape = m.states(&s.Tape, s.between)
		m.sample(tape)
		leaves = m.leaves(leaves)
	}
	return tape, mtl.Truth(tape, f, leaves), first, m
}
