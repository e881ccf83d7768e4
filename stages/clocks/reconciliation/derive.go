package reconciliation

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// tick is one clock that ticks at one event of a unit.
type tick struct {
	event int32
	clock ccsl.ClockID
}

// eachStep yields the events at which clocks tick, with these clocks: the trace as a run of a
// specification. With together, events of one time are one step, represented by the last of them. The
// slice is reused.
func (u *Unit) eachStep(together bool) iter.Seq2[int32, []ccsl.ClockID] {
	var ticks []tick
	for id, events := range u.Ticks {
		for _, e := range events {
			ticks = append(ticks, tick{e, id})
		}
	}
	// Ticks are stored by clock; a run needs them by event.
	slices.SortFunc(ticks, func(a, b tick) int { return cmp.Or(cmp.Compare(a.event, b.event), cmp.Compare(a.clock, b.clock)) })
	return func(yield func(int32, []ccsl.ClockID) bool) {
		var step []ccsl.ClockID
		for i, t := range ticks {
			step = append(step, t.clock)
			if i+1 < len(ticks) && u.inOneStep(t.event, ticks[i+1].event, together) {
				continue
			}
			if !yield(t.event, step) {
				return
			}
			step = step[:0]
		}
	}
}

// inOneStep reports whether two events belong to one step.
func (u *Unit) inOneStep(a, b int32, together bool) bool {
	return a == b || together && u.TimeNs[a] == u.TimeNs[b]
}

// observedClocks returns the clocks that the unit has, ascending.
func (u *Unit) observedClocks() []ccsl.ClockID { return slices.Sorted(maps.Keys(u.Ticks)) }

// deriveWithinUnit computes the clocks that the ticks of one unit define. Its trace is a run of the
// specification, every event at which a clock ticks is a step, and whatever a ccsl.Checker can compute on
// it is known.
func (s *specifier) deriveWithinUnit(unit int) {
	u := s.m.Units[unit]
	if len(u.Ticks) == 0 {
		return
	}
	// The checker finds out what can be computed from the unit's clocks alone.
	c := ccsl.NewChecker(s.spec, u.observedClocks())
	wanted := s.unknownComputable(c)
	if len(wanted) == 0 {
		return
	}
	// One pass over the trace for all clocks that are wanted.
	found := make([][]int32, len(wanted))
	for event, step := range u.eachStep(false) {
		c.Step(step)
		for i, id := range wanted {
			if c.Ticked(id) {
				found[i] = append(found[i], s.m.first[unit]+event)
			}
		}
	}
	for i, id := range wanted {
		t := &s.lines[id]
		t.known, t.unit, t.instants = true, unit, found[i]
	}
}

// unknownComputable returns the clocks that a checker computes and that are not known yet.
func (s *specifier) unknownComputable(c *ccsl.Checker) (ids []ccsl.ClockID) {
	for i := range s.lines {
		if id := ccsl.ClockID(i); !s.lines[i].known && c.Known(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// deriveAcrossUnits computes what needs no order between units: expressions that depend on the numbers of
// ticks only, over clocks that are known wherever their ticks lie. It repeats until nothing new is known,
// because operands may be defined later in the file. It also finds what the definitions of observed
// clocks say.
func (s *specifier) deriveAcrossUnits() {
	for changed := true; changed; {
		changed = false
		for i := range s.spec.Constraints {
			c := &s.spec.Constraints[i]
			if s.isAsserted(c) {
				continue
			}
			if c.Kind == ccsl.Coincidence {
				changed = s.shareCoincident(c) || changed
				continue
			}
			if c.IsRelation() || s.isDerived(c.Defines) || !s.areOperandsKnown(c) {
				continue
			}
			if instants, unit, ok := s.evaluateByNumbers(c); ok {
				s.setTicks(c.Defines, instants, unit)
				changed = true
			}
		}
	}
}

// isDerived reports whether the ticks that a definition gives are known.
func (s *specifier) isDerived(id ccsl.ClockID) bool {
	_, both := s.defined[id]
	return both || s.lines[id].known && !s.lines[id].observed
}

// setTicks records the ticks that a definition gives a clock.
func (s *specifier) setTicks(id ccsl.ClockID, instants []int32, unit int) {
	t := timeline{known: true, unit: unit, instants: instants, code: s.lines[id].code}
	if s.lines[id].observed {
		s.defined[id] = t
		return
	}
	s.lines[id] = t
}

// areOperandsKnown reports whether all operands have ticks.
func (s *specifier) areOperandsKnown(c *ccsl.Constraint) bool {
	return !slices.ContainsFunc(c.Clocks, func(id ccsl.ClockID) bool { return !s.lines[id].known })
}

// shareCoincident gives the ticks of a clock to those that coincide with it and have none, and reports
// whether there were any.
func (s *specifier) shareCoincident(c *ccsl.Constraint) (changed bool) {
	known := slices.IndexFunc(c.Clocks, func(id ccsl.ClockID) bool { return s.lines[id].known })
	if known < 0 {
		return false
	}
	from := s.lines[c.Clocks[known]]
	for _, id := range c.Clocks {
		if !s.lines[id].known {
			s.setTicks(id, from.instants, from.unit)
			changed = true
		}
	}
	return changed
}

// evaluateByNumbers evaluates an expression that depends on the numbers of ticks only; ok is false for
// the others.
func (s *specifier) evaluateByNumbers(c *ccsl.Constraint) (instants []int32, unit int, ok bool) {
	if c.Kind == ccsl.Death {
		return nil, NoUnit, true
	}
	a := &s.lines[c.Clocks[0]]
	one := len(uniqueClocks(c.Clocks)) == 1
	switch {
	case c.Kind == ccsl.FilterBy: // selects ticks by number
		return filterTicks(a.instants, c.Sequence), a.unit, true
	case c.Kind == ccsl.Defer && one: // counts its own ticks
		return delayTicks(a.instants, c.Sequence), a.unit, true
	case one && (c.Kind == ccsl.Union || c.Kind == ccsl.Intersection || c.Kind == ccsl.Sup || c.Kind == ccsl.Inf):
		return a.instants, a.unit, true
	case (c.Kind == ccsl.Sup || c.Kind == ccsl.Inf) && s.hasSeveralUnits(c):
		return s.addBoundedInstants(c), NoUnit, true
	}
	return nil, 0, false
}

// hasSeveralUnits reports whether an expression has operands of different units.
func (s *specifier) hasSeveralUnits(c *ccsl.Constraint) bool {
	first := s.lines[c.Clocks[0]].unit
	return first == NoUnit || slices.ContainsFunc(c.Clocks, func(id ccsl.ClockID) bool { return s.lines[id].unit != first })
}

// filterTicks selects ticks by gaps.
func filterTicks(of []int32, gaps ccsl.Sequence) (selected []int32) {
	// The number of the last selected tick, from 1.
	at := int64(0)
	for i := int64(0); ; i++ {
		gap, more := gaps.At(i)
		if at += gap; !more || gap == 0 || at > int64(len(of)) {
			return selected
		}
		selected = append(selected, of[at-1])
	}
}

// delayTicks evaluates a delay that the clock itself counts: tick k is repeated Sequence.At(k) ticks
// later. Equal due dates merge.
func delayTicks(of []int32, delays ccsl.Sequence) []int32 {
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

// addBoundedInstants makes the instants of a supremum or an infimum of clocks of different units: as many
// as the operand with the fewest, or the most, ticks has. Their times are only bounded, by boundExtremum.
func (s *specifier) addBoundedInstants(c *ccsl.Constraint) []int32 {
	// A supremum ticks for the k-th time with the last k-th tick; so the fewest ticks limit it. An infimum needs one
	// only.
	n := len(s.lines[c.Clocks[0]].instants)
	for _, id := range c.Clocks {
		if c.Kind == ccsl.Sup {
			n = min(n, len(s.lines[id].instants))
		} else {
			n = max(n, len(s.lines[id].instants))
		}
	}
	first := s.m.addBlock(n)
	instants := make([]int32, n)
	for i := range instants {
		instants[i] = first + int32(i)
	}
	return instants
}
