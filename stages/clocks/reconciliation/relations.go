package reconciliation

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// at is the k-th occurrence of a clock, from 1, and whether there is one.
func (s *specifier) at(id ccsl.ClockID, k int64) (Occurrence, bool) {
	t := &s.lines[id]
	if k < 1 || k > int64(len(t.instants)) {
		return Occurrence{}, false
	}
	return Occurrence{t.instants[k-1], t.code, k}, true
}

// precede adds that b[k] needs a[k-Init], and a[k] needs b[k+Init-Max].
func (s *specifier) precede(c *ccsl.Constraint) {
	a, b := c.Clocks[0], c.Clocks[1]
	s.need(a, b, -c.Bound.Init, c.Bound.Strict)
	if c.Bound.Max != ccsl.Unbounded {
		s.need(b, a, c.Bound.Init-c.Bound.Max, c.Bound.StrictMax)
	}
}

// need adds that the occurrence k of an effect needs occurrence k + shift of its cause.
func (s *specifier) need(cause, effect ccsl.ClockID, shift int64, strict bool) {
	kind := schema.Causes
	if strict {
		kind = schema.Precedes
	}
	for k := max(1, 1-shift); k <= int64(len(s.lines[effect].instants)); k++ {
		right, _ := s.at(effect, k)
		left, found := s.at(cause, k+shift)
		if !found {
			s.missing(right, cause, k+shift)
			continue
		}
		s.m.add(kind, left, right)
	}
}

// missing counts an occurrence whose cause is in no trace.
func (s *specifier) missing(effect Occurrence, cause ccsl.ClockID, k int64) {
	c := &s.m.Constraints[len(s.m.Constraints)-1]
	if c.Missing++; c.Missing == 1 {
		c.First = fmt.Sprintf("%s lacks %s[%d]", s.m.say(effect), s.spec.Clocks[cause].Name, k)
	}
}

// coincide adds that occurrences of the same number are one.
func (s *specifier) coincide(a, b ccsl.ClockID) {
	for k := int64(1); ; k++ {
		left, one := s.at(a, k)
		right, other := s.at(b, k)
		if !one || !other {
			return
		}
		s.m.add(schema.Coincides, left, right)
	}
}

// contain looks whether each tick of a sub-clock is one of its super-clock. Between units only numbers could tell which.
func (s *specifier) contain(c *ccsl.Constraint) {
	sub, super := &s.lines[c.Clocks[0]], &s.lines[c.Clocks[1]]
	if sub.unit != super.unit {
		s.unresolved(c, "its clocks tick in different units, and nothing says which ticks are one")
		return
	}
	j := 0
	for k, instant := range sub.instants {
		for j < len(super.instants) && super.instants[j] < instant {
			j++
		}
		left, _ := s.at(c.Clocks[0], int64(k+1))
		if j == len(super.instants) || super.instants[j] != instant {
			s.missing(left, c.Clocks[1], int64(j+1))
			continue
		}
		right, _ := s.at(c.Clocks[1], int64(j+1))
		s.m.add(schema.Coincides, left, right)
	}
}
