package reconciliation

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// define ties the occurrences of a clock that an expression defines to those of its operands: they coincide where they
// are one instant (Fig. 7). The ticks that bound a tick of no trace are before or after it.
func (s *specifier) define(c *ccsl.Constraint) {
	given := s.lines[c.Defines]
	if d, both := s.defined[c.Defines]; both {
		given = d
	}
	switch {
	case !given.known:
		s.unresolved(c, why(c))
		return
	case given.unit == NoUnit && (c.Kind == ccsl.Sup || c.Kind == ccsl.Inf) && len(c.Clocks) > 1:
		s.unresolved(c, "its clocks tick in different units: its ticks are known to be after, or before, both of theirs")
		s.bound(c)
		return
	}
	for _, operand := range unique(c.Clocks) {
		s.tie(c.Defines, given.instants, operand)
	}
}

// tie adds coincidences of a clock, of whose k-th tick an expression says where it is, with an operand.
func (s *specifier) tie(id ccsl.ClockID, where []int32, operand ccsl.ClockID) {
	of, j := s.lines[operand].instants, 0
	for k, instant := range where {
		for j < len(of) && of[j] < instant {
			j++
		}
		if j == len(of) {
			return
		}
		if of[j] != instant {
			continue
		}
		left, found := s.at(id, int64(k+1))
		if right, _ := s.at(operand, int64(j+1)); found {
			s.m.add(schema.Coincides, left, right)
		}
	}
}

// bound adds that the k-th tick of a supremum is not before those of its operands, of an infimum not after them.
func (s *specifier) bound(c *ccsl.Constraint) {
	for k := range s.lines[c.Defines].instants {
		own, _ := s.at(c.Defines, int64(k+1))
		for _, operand := range unique(c.Clocks) {
			other, found := s.at(operand, int64(k+1))
			switch {
			case !found:
			case c.Kind == ccsl.Sup:
				s.m.add(schema.Causes, other, own)
			default:
				s.m.add(schema.Causes, own, other)
			}
		}
	}
}

// why says why an expression over clocks of several units has no known ticks.
func why(c *ccsl.Constraint) string {
	switch c.Kind {
	case ccsl.Union, ccsl.Intersection, ccsl.Minus:
		return "its clocks tick in different units, and nothing says in which order: let each unit have a clock, or a relation, of its own"
	}
	return "its clocks tick in different units, and nothing says in which order"
}

func unique(ids []ccsl.ClockID) (list []ccsl.ClockID) {
	seen := make(map[ccsl.ClockID]bool)
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			list = append(list, id)
		}
	}
	return list
}
