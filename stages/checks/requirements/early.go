package requirements

import (
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/spec"
)

// Early tells when the states that were added so far decide every check of a specification, however the run goes on, so that the rest
// of it need not be read. It looks again whenever there are twice as many states, which costs as much as to look once at all of them.
type Early struct {
	states  *States
	open    []*spec.Formula // that were not decided yet
	nextAsk int64           // how many states there are when it looks again
}

// firstAsk is how many states there are when Early looks for the first time.
const firstAsk = 1 << 14

// NewEarly returns what tells, or nil for a specification that needs the whole run: one with signals, with values that occur, or with a
// check that asks for something at every state, of which all failures are counted.
func NewEarly(s *States, sp *spec.Spec) *Early {
	e := &Early{states: s, nextAsk: firstAsk}
	if len(sp.Signals) > 0 || len(sp.Checks) == 0 {
		return nil
	}
	for i := range sp.Checks {
		c := &sp.Checks[i]
		if c.OfValues() {
			return nil
		}
		instances, err := sp.Instances(c, nil)
		if err != nil {
			return nil // it is told where the check is judged
		}
		for _, one := range instances {
			if one.Formula.Op == spec.Globally && one.Formula.Within == nil {
				return nil
			}
			e.open = append(e.open, one.Formula)
		}
	}
	return e
}

// Decided reports whether every check is decided.
func (e *Early) Decided() bool {
	tape := e.states.Tape.Sealed()
	if tape.States() < e.nextAsk {
		return false
	}
	e.nextAsk = 2 * tape.States()
	leaves := e.states.leaves()
	for len(e.open) > 0 {
		j := mtl.Judge(tape, e.open[0], leaves, false, mtl.Keep{})
		if j.Verdict != mtl.Good && j.Verdict != mtl.Bad {
			return false
		}
		e.open = e.open[1:]
	}
	return true
}
