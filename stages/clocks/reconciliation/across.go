package reconciliation

import (
	"slices"

	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// across computes what needs no order between units: expressions that go by the numbers of ticks, on clocks that are known
// wherever their ticks lie, until nothing new is known. It also finds what the definitions of observed clocks say.
func (s *specifier) across() {
	for changed := true; changed; {
		changed = false
		for i := range s.spec.Constraints {
			c := &s.spec.Constraints[i]
			if c.Kind == ccsl.Coincidence {
				changed = s.share(c) || changed
				continue
			}
			if c.IsRelation() || s.settled(c.Defines) || !s.operandsKnown(c) {
				continue
			}
			if instants, unit, ok := s.counted(c); ok {
				s.learn(c.Defines, instants, unit)
				changed = true
			}
		}
	}
}

// settled reports whether it is known what a definition gives.
func (s *specifier) settled(id ccsl.ClockID) bool {
	_, both := s.defined[id]
	return both || s.lines[id].known && !s.lines[id].observed
}

func (s *specifier) learn(id ccsl.ClockID, instants []int32, unit int) {
	t := timeline{known: true, unit: unit, instants: instants, code: s.lines[id].code}
	if s.lines[id].observed {
		s.defined[id] = t
		return
	}
	s.lines[id] = t
}

func (s *specifier) operandsKnown(c *ccsl.Constraint) bool {
	return !slices.ContainsFunc(c.Clocks, func(id ccsl.ClockID) bool { return !s.lines[id].known })
}

// share gives the ticks of a clock to those that coincide with it and have none.
func (s *specifier) share(c *ccsl.Constraint) (changed bool) {
	known := slices.IndexFunc(c.Clocks, func(id ccsl.ClockID) bool { return s.lines[id].known })
	if known < 0 {
		return false
	}
	from := s.lines[c.Clocks[known]]
	for _, id := range c.Clocks {
		if !s.lines[id].known {
			s.learn(id, from.instants, from.unit)
			changed = true
		}
	}
	return changed
}

// counted evaluates an expression that goes by the numbers of ticks.
func (s *specifier) counted(c *ccsl.Constraint) (instants []int32, unit int, ok bool) {
	if c.Kind == ccsl.Death {
		return nil, NoUnit, true
	}
	a := &s.lines[c.Clocks[0]]
	one := len(unique(c.Clocks)) == 1
	switch {
	case c.Kind == ccsl.FilterBy:
		return filter(a.instants, c.Sequence), a.unit, true
	case c.Kind == ccsl.Defer && one:
		return deferred(a.instants, c.Sequence), a.unit, true
	case one && (c.Kind == ccsl.Union || c.Kind == ccsl.Intersection || c.Kind == ccsl.Sup || c.Kind == ccsl.Inf):
		return a.instants, a.unit, true
	case (c.Kind == ccsl.Sup || c.Kind == ccsl.Inf) && s.scattered(c):
		return s.invent(c), NoUnit, true
	}
	return nil, 0, false
}

// scattered reports whether an expression has operands of different units.
func (s *specifier) scattered(c *ccsl.Constraint) bool {
	first := s.lines[c.Clocks[0]].unit
	return first == NoUnit || slices.ContainsFunc(c.Clocks, func(id ccsl.ClockID) bool { return s.lines[id].unit != first })
}

// filter selects ticks by gaps.
func filter(of []int32, gaps ccsl.Sequence) (selected []int32) {
	at := int64(0)
	for i := int64(0); ; i++ {
		gap, more := gaps.At(i)
		if at += gap; !more || gap == 0 || at > int64(len(of)) {
			return selected
		}
		selected = append(selected, of[at-1])
	}
}

// deferred is a delay that is counted on the clock itself: tick k is repeated Sequence.At(k) ticks later.
func deferred(of []int32, delays ccsl.Sequence) []int32 {
	var due []int64
	for k := range int64(len(of)) {
		n, more := delays.At(k)
		if !more {
			break
		}
		if k+n < int64(len(of)) {
			due = append(due, k+n)
		}
	}
	slices.Sort(due)
	var ticks []int32
	for _, k := range slices.Compact(due) {
		ticks = append(ticks, of[k])
	}
	return ticks
}

// invent makes the instants of a supremum or an infimum of clocks of different units: as many as the shortest, or the
// longest, of them has.
func (s *specifier) invent(c *ccsl.Constraint) []int32 {
	n := len(s.lines[c.Clocks[0]].instants)
	for _, id := range c.Clocks {
		if c.Kind == ccsl.Sup {
			n = min(n, len(s.lines[id].instants))
		} else {
			n = max(n, len(s.lines[id].instants))
		}
	}
	first := s.m.block(n)
	instants := make([]int32, n)
	for i := range instants {
		instants[i] = first + int32(i)
	}
	return instants
}
