package reconciliation

import (
	"fmt"

	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// timeline is the occurrences of a clock of the specification.
type timeline struct {
	known    bool
	observed bool    // it is bound to events; otherwise it is computed
	unit     int     // whose events they are; NoUnit where they are none
	instants []int32 // the k-th occurrence is instants[k-1]
	code     int32   // its name
}

// specifier makes relations of a specification.
type specifier struct {
	m     *Model
	spec  *ccsl.Spec
	lines []timeline // by clock
	// defined are the occurrences that the definition of an observed clock gives it.
	defined map[ccsl.ClockID]timeline
}

// Specify adds the relations that a specification makes of the ticks of its clocks: Algorithm 1 of the paper for any number
// of traces. It returns a clock that a constraint needs and that neither a unit has nor a constraint defines, or
// ccsl.NoClock.
func (m *Model) Specify(spec *ccsl.Spec) ccsl.ClockID {
	s := &specifier{m: m, spec: spec, lines: make([]timeline, len(spec.Clocks)), defined: make(map[ccsl.ClockID]timeline)}
	for id := range spec.Clocks {
		s.lines[id] = timeline{unit: NoUnit, code: m.clock(spec.Clocks[id].Name)}
	}
	for u, unit := range m.Units {
		for id, ticks := range unit.Ticks {
			t := &s.lines[id]
			t.known, t.observed, t.unit = true, true, u
			for _, e := range ticks {
				t.instants = append(t.instants, m.first[u]+e)
			}
		}
	}
	for u := range m.Units {
		s.within(u)
	}
	s.across()
	if id := s.unbound(); id != ccsl.NoClock {
		return id
	}
	for i := range spec.Constraints {
		c := &spec.Constraints[i]
		m.Constraints = append(m.Constraints, Constraint{Name: c.Name, Word: c.Word, At: c.At.String()})
		s.relate(c)
	}
	return ccsl.NoClock
}

// unbound is a clock that is used, and that nothing gives occurrences.
func (s *specifier) unbound() ccsl.ClockID {
	for i := range s.spec.Constraints {
		for _, id := range s.spec.Constraints[i].Clocks {
			if !s.lines[id].known && s.spec.Clocks[id].Definition == ccsl.NoDefinition {
				return id
			}
		}
	}
	return ccsl.NoClock
}

// relate adds the relations of a constraint.
func (s *specifier) relate(c *ccsl.Constraint) {
	for _, id := range c.Clocks {
		if !s.lines[id].known {
			s.unresolved(c, fmt.Sprintf("its clock %s is not known", s.spec.Clocks[id].Name))
			return
		}
	}
	switch c.Kind {
	case ccsl.Precedence:
		s.precede(c)
	case ccsl.Coincidence:
		for _, id := range c.Clocks[1:] {
			s.coincide(c.Clocks[0], id)
		}
	case ccsl.Exclusion:
		s.exclude(c)
	case ccsl.SubClock:
		s.contain(c)
	default:
		s.define(c)
	}
}

func (s *specifier) unresolved(c *ccsl.Constraint, why string) *Unresolved {
	s.m.Unresolved = append(s.m.Unresolved, Unresolved{Name: c.Name, Word: c.Word, At: c.At.String(), Why: why})
	return &s.m.Unresolved[len(s.m.Unresolved)-1]
}
