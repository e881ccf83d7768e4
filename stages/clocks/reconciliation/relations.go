package reconciliation

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// occurrence returns the k-th occurrence of a clock, from 1; found is false if it has none.
func (s *specifier) occurrence(id ccsl.ClockID, k int64) (Occurrence, bool) {
	t := &s.lines[id]
	if k < 1 || k > int64(len(t.instants)) {
		return Occurrence{}, false
	}
	return Occurrence{t.instants[k-1], t.code, k}, true
}

// relatePrecedence adds that b[k] needs a[k-Init], and a[k] needs b[k+Init-Max].
func (s *specifier) relatePrecedence(c *ccsl.Constraint) {
	a, b := c.Clocks[0], c.Clocks[1]
	s.addNeeds(a, b, -c.Bound.Init, c.Bound.Strict)
	if c.Bound.Max != ccsl.Unbounded {
		s.addNeeds(b, a, c.Bound.Init-c.Bound.Max, c.Bound.StrictMax)
	}
}

// addNeeds adds that occurrence k of an effect needs occurrence k + shift of its cause.
func (s *specifier) addNeeds(cause, effect ccsl.ClockID, shift int64, strict bool) {
	kind := schema.Causes
	if strict {
		kind = schema.Precedes
	}
	// Where k + shift is below 1 the bound allows the effect without a cause.
	for k := max(1, 1-shift); k <= int64(len(s.lines[effect].instants)); k++ {
		right, _ := s.occurrence(effect, k)
		left, found := s.occurrence(cause, k+shift)
		if !found {
			s.countMissing(right, cause, k+shift)
			continue
		}
		s.m.addRelation(kind, left, right)
	}
}

// countMissing counts an occurrence whose cause is in no trace, and words the first one.
func (s *specifier) countMissing(effect Occurrence, cause ccsl.ClockID, k int64) {
	c := &s.m.Constraints[len(s.m.Constraints)-1]
	if c.Missing++; c.Missing == 1 {
		c.First = fmt.Sprintf("%s lacks %s[%d]", s.m.describeOccurrence(effect), s.spec.Clocks[cause].Name, k)
	}
}

// relateCoincidence adds that occurrences of the same number are one instant.
func (s *specifier) relateCoincidence(a, b ccsl.ClockID) {
	for k := int64(1); ; k++ {
		left, one := s.occurrence(a, k)
		right, other := s.occurrence(b, k)
		if !one || !other {
			return
		}
		s.m.addRelation(schema.Coincides, left, right)
	}
}

// relateSubClock relates each tick of a sub-clock with the tick of its super-clock at the same instant.
// Between units only numbers could say which one that is, so it stays unresolved.
func (s *specifier) relateSubClock(c *ccsl.Constraint) {
	sub, super := &s.lines[c.Clocks[0]], &s.lines[c.Clocks[1]]
	if sub.unit != super.unit || sub.unit == NoUnit {
		s.addUnresolved(c, "its clocks tick in different units, and nothing says which ticks are one")
		return
	}
	// Both lists ascend: one pass.
	j := 0
	for k, instant := range sub.instants {
		for j < len(super.instants) && super.instants[j] < instant {
			j++
		}
		left, _ := s.occurrence(c.Clocks[0], int64(k+1))
		if j == len(super.instants) || super.instants[j] != instant {
			s.countMissing(left, c.Clocks[1], int64(j+1))
			continue
		}
		right, _ := s.occurrence(c.Clocks[1], int64(j+1))
		s.m.addRelation(schema.Coincides, left, right)
	}
}

// relateExpression relates the occurrences of a clock that an expression defines with those of its
// operands: they coincide where they are one instant (Fig. 7). The ticks that bound a tick of no trace
// come before or after it.
func (s *specifier) relateExpression(c *ccsl.Constraint) {
	given := s.lines[c.Defines]
	if d, both := s.defined[c.Defines]; both {
		given = d
	}
	switch {
	case !given.known: // neither computed nor observed
		s.addUnresolved(c, whyUnknown(c))
		return
	case given.unit == NoUnit && (c.Kind == ccsl.Sup || c.Kind == ccsl.Inf) && len(c.Clocks) > 1:
		if chosen := s.chosen[c.Defines]; chosen == nil || slices.Contains(chosen, ccsl.NoClock) {
			s.addUnresolved(c, "its clocks tick in different units: its ticks are known to be after, or before, both of theirs")
		}
		s.boundExtremum(c)
		return
	}
	for _, operand := range uniqueClocks(c.Clocks) {
		s.tieToOperand(c.Defines, given.instants, operand)
	}
}

// tieToOperand adds coincidences of a clock, whose k-th tick the expression places at an instant, with an
// operand. Both lists ascend, so one pass suffices.
func (s *specifier) tieToOperand(id ccsl.ClockID, where []int32, operand ccsl.ClockID) {
	if !slices.IsSorted(where) || !slices.IsSorted(s.lines[operand].instants) {
		s.tieAcrossUnits(id, where, operand)
		return
	}
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
		left, found := s.occurrence(id, int64(k+1))
		if right, _ := s.occurrence(operand, int64(j+1)); found {
			s.m.addRelation(schema.Coincides, left, right)
		}
	}
}

// tieAcrossUnits does the same where ticks are those of several units.
func (s *specifier) tieAcrossUnits(id ccsl.ClockID, where []int32, operand ccsl.ClockID) {
	number := make(map[int32]int64)
	for j, instant := range s.lines[operand].instants {
		number[instant] = int64(j + 1)
	}
	for k, instant := range where {
		left, found := s.occurrence(id, int64(k+1))
		if right, is := s.occurrence(operand, number[instant]); is && found {
			s.m.addRelation(schema.Coincides, left, right)
		}
	}
}

// boundExtremum adds that the k-th tick of a supremum does not come before those of its operands, and
// that of an infimum not after them; and which of these it is, where that is known.
func (s *specifier) boundExtremum(c *ccsl.Constraint) {
	chosen := s.chosen[c.Defines]
	for k := range s.lines[c.Defines].instants {
		own, _ := s.occurrence(c.Defines, int64(k+1))
		if chosen != nil && chosen[k] != ccsl.NoClock {
			other, _ := s.occurrence(chosen[k], int64(k+1))
			s.m.addRelation(schema.Coincides, own, other)
		}
		for _, operand := range uniqueClocks(c.Clocks) {
			other, found := s.occurrence(operand, int64(k+1))
			switch {
			case !found:
			case c.Kind == ccsl.Sup:
				s.m.addRelation(schema.Causes, other, own)
			default:
				s.m.addRelation(schema.Causes, own, other)
			}
		}
	}
}

// whyUnknown explains why an expression over clocks of several units has no known ticks.
func whyUnknown(c *ccsl.Constraint) string {
	switch c.Kind {
	case ccsl.Union, ccsl.Intersection, ccsl.Minus:
		return "its clocks tick in different units, and nothing says in which order: let each unit have a clock, or a relation, of its own"
	}
	return "its clocks tick in different units, and nothing says in which order"
}

// uniqueClocks returns the clocks without repetitions, in their order.
func uniqueClocks(ids []ccsl.ClockID) (list []ccsl.ClockID) {
	seen := make(map[ccsl.ClockID]bool)
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			list = append(list, id)
		}
	}
	return list
}
