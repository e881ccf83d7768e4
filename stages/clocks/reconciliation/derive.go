package reconciliation

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// tick is a clock that ticks at an event of a unit.
type tick struct {
	event int32
	clock ccsl.ClockID
}

// steps are the events at which clocks tick, with these clocks: the trace as a run of a specification. Where together
// holds, events of one time are one step, told by the last of them. The slice is reused.
func (u *Unit) steps(together bool) iter.Seq2[int32, []ccsl.ClockID] {
	var ticks []tick
	for id, events := range u.Ticks {
		for _, e := range events {
			ticks = append(ticks, tick{e, id})
		}
	}
	slices.SortFunc(ticks, func(a, b tick) int { return cmp.Or(cmp.Compare(a.event, b.event), cmp.Compare(a.clock, b.clock)) })
	return func(yield func(int32, []ccsl.ClockID) bool) {
		var step []ccsl.ClockID
		for i, t := range ticks {
			step = append(step, t.clock)
			if i+1 < len(ticks) && u.same(t.event, ticks[i+1].event, together) {
				continue
			}
			if !yield(t.event, step) {
				return
			}
			step = step[:0]
		}
	}
}

// same reports whether two events belong to one step.
func (u *Unit) same(a, b int32, together bool) bool {
	return a == b || together && u.TimeNs[a] == u.TimeNs[b]
}

// observed are the clocks that the unit has.
func (u *Unit) observed() []ccsl.ClockID { return slices.Sorted(maps.Keys(u.Ticks)) }

// within computes the clocks that the ticks of one unit define: its trace is a run of the specification, every event at
// which a clock ticks a step, and what a ccsl.Checker can compute in it is known.
func (s *specifier) within(unit int) {
	u := s.m.Units[unit]
	if len(u.Ticks) == 0 {
		return
	}
	c := ccsl.NewChecker(s.spec, u.observed())
	wanted := s.wanted(c)
	if len(wanted) == 0 {
		return
	}
	found := make([][]int32, len(wanted))
	for event, step := range u.steps(false) {
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

// wanted are the clocks that a checker knows, and that are not known yet.
func (s *specifier) wanted(c *ccsl.Checker) (ids []ccsl.ClockID) {
	for i := range s.lines {
		if id := ccsl.ClockID(i); !s.lines[i].known && c.Known(id) {
			ids = append(ids, id)
		}
	}
	return ids
}
