package reconciliation

import (
	"fmt"

	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// timeline lists the occurrences of a clock of the specification.
type timeline struct {
	known    bool    // whether its occurrences are known
	observed bool    // it is bound to events; otherwise it is computed
	unit     int     // the unit whose events they are; NoUnit if they are none
	instants []int32 // the k-th occurrence is instants[k-1]
	code     int32   // position of its name in Model.Clocks
}

// specifier derives relations from a specification.
type specifier struct {
	m     *Model
	spec  *ccsl.Spec
	lines []timeline // by clock
	// defined are the occurrences that the definition of an observed clock gives it.
	defined map[ccsl.ClockID]timeline
	// chosen are, by supremum or infimum over several units and tick, the operands whose ticks they are; NoClock: not known.
	chosen map[ccsl.ClockID][]ccsl.ClockID
	// asserted says which relations are to be judged, and order nothing, by name; nil: none.
	asserted func(name string) bool
}

// Specify adds the relations that a specification makes of the ticks of its clocks: Algorithm 1 of the paper for any number
// of traces. It returns a clock that a constraint needs and that neither a unit has nor a constraint defines, or
// ccsl.NoClock.
func (m *Model) Specify(spec *ccsl.Spec) ccsl.ClockID { return m.SpecifyBut(spec, nil) }

// SpecifyBut does the same, but for the relations whose names are asserted: these order nothing, and Arrangement.Judge says what the
// order that there is makes of them.
func (m *Model) SpecifyBut(spec *ccsl.Spec, asserted func(name string) bool) ccsl.ClockID {
	s := &specifier{m: m, asserted: asserted, spec: spec, lines: make([]timeline, len(spec.Clocks)), defined: make(map[ccsl.ClockID]timeline), chosen: make(map[ccsl.ClockID][]ccsl.ClockID)}
	// 1. Every clock gets a name in the model, also those that nothing ties.
	for id := range spec.Clocks {
		s.lines[id] = timeline{unit: NoUnit, code: m.clockCode(spec.Clocks[id].Name)}
	}
	// 2. The clocks that traces have.
	for u, unit := range m.Units {
		for id, ticks := range unit.Ticks {
			t := &s.lines[id]
			t.known, t.observed, t.unit = true, true, u
			for _, e := range ticks {
				t.instants = append(t.instants, m.first[u]+e)
			}
		}
	}
	// 3. The clocks that definitions give: within a unit, then across units.
	for u := range m.Units {
		s.deriveWithinUnit(u)
	}
	s.deriveAcrossUnits()
	if id := s.unboundClock(); id != ccsl.NoClock {
		return id
	}
	// 4. The relations, and what they say about expressions over several units.
	s.relateAll()
	return ccsl.NoClock
}

// unboundClock returns a clock that a constraint uses and that nothing gives occurrences, or NoClock.
func (s *specifier) unboundClock() ccsl.ClockID {
	for i := range s.spec.Constraints {
		for _, id := range s.spec.Constraints[i].Clocks {
			if !s.lines[id].known && s.spec.Clocks[id].Definition == ccsl.NoDefinition {
				return id
			}
		}
	}
	return ccsl.NoClock
}

// relateConstraint adds the relations of a constraint.
func (s *specifier) relateConstraint(c *ccsl.Constraint) {
	for _, id := range c.Clocks {
		if !s.lines[id].known {
			s.addUnresolved(c, fmt.Sprintf("its clock %s is not known", s.spec.Clocks[id].Name))
			return
		}
	}
	switch c.Kind {
	case ccsl.Precedence:
		s.relatePrecedence(c)
	case ccsl.Coincidence:
		for _, id := range c.Clocks[1:] {
			s.relateCoincidence(c.Clocks[0], id)
		}
	case ccsl.Exclusion:
		s.noteExclusion(c)
	case ccsl.SubClock:
		s.relateSubClock(c)
	default:
		s.relateExpression(c)
	}
}

// addUnresolved notes that the traces alone do not decide a constraint.
func (s *specifier) addUnresolved(c *ccsl.Constraint, why string) *Unresolved {
	s.m.Unresolved = append(s.m.Unresolved, Unresolved{Name: c.Name, Word: c.Word, At: c.At.String(), Why: why})
	return &s.m.Unresolved[len(s.m.Unresolved)-1]
}
