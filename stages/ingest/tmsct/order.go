package tmsct

import (
	"fmt"
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/heap"
)

// schedule brings the events into order and gives a time to those that have none. It returns what makes the
// chart impossible, if anything does.
func (c *chart) schedule() *schema.SyntaxError {
	// 1. Count for each event those that it waits for.
	waits := make([]int32, len(c.events)) // by event: for how many others
	for i := range c.events {
		c.eachNext(int32(i), func(next int32, _ int64) { waits[next]++ })
	}
	// The events that wait for nothing any more: the earliest first, of one time the first in the text.
	// 2. Take events off a heap. The order is strict, as positions in the text differ, so it is reproducible.
	ready := heap.New(func(a, b int32) bool {
		if s, t := c.events[a].timeNs, c.events[b].timeNs; s != t {
			return s < t
		}
		return a < b
	})
	// Kahn's topological sort, with the ready event of the minimum time first, which is the order of the trace.
	earliest, late := make([]int64, len(c.events)), int32(-1)
	for i := range waits {
		if earliest[i] = schema.NoValue; waits[i] == 0 {
			ready.Push(c.setTime(int32(i), earliest))
		}
	}
	for ready.Len() > 0 {
		i := ready.Pop()
		c.order = append(c.order, i)
		now := c.events[i].timeNs
		c.eachNext(i, func(next int32, boundNs int64) {
			// An event with a time of its own keeps it, whatever its bounds say; only computed times can overflow.
			if now > math.MaxInt64-boundNs && c.events[next].timeNs == schema.NoValue {
				late = next
			}
			earliest[next] = max(earliest[next], now+boundNs)
			if waits[next]--; waits[next] == 0 {
				ready.Push(c.setTime(next, earliest))
			}
		})
	}
	// 3. Whatever was never ready waits for itself.
	switch {
	case late >= 0:
		return c.fault(late, "comes at a time that does not fit 64 bits of nanoseconds: give it a time or smaller bounds")
	case len(c.order) < len(c.events):
		return c.fault(c.firstInCircle(waits), "waits for itself: what it receives depends on what comes after it")
	}
	return nil
}

// setTime gives an event its time: where the text gives none, the earliest that is possible, 0 where it waits
// for nothing.
func (c *chart) setTime(i int32, earliest []int64) int32 {
	switch e := &c.events[i]; {
	case e.timeNs != schema.NoValue:
	case earliest[i] == schema.NoValue:
		e.timeNs = 0
	default:
		e.timeNs = earliest[i]
	}
	return i
}

// eachNext calls do with every event that waits for one, and the bound between them, 0 where there is none.
func (c *chart) eachNext(i int32, do func(next int32, boundNs int64)) {
	if next := c.after[i]; next >= 0 {
		do(next, max(0, c.segmentDefaults(next).boundNs))
	}
	e := &c.events[i]
	for _, a := range c.arcs[e.arcs.from:e.arcs.to] {
		if d := &c.dependencies[a.dependency]; a.sent && d.target >= 0 && !c.isSegment(a.dependency) {
			do(d.target, max(0, c.dependencyDefaults(a.dependency).boundNs))
		}
	}
}

// firstInCircle finds an event that waits for itself: whoever waits, waits for another that waits, so following these
// comes round. It is the first of the circle in the text.
// Every waiting event has one that it waits for and that waits too, or it would have been ready.
func (c *chart) firstInCircle(waits []int32) int32 {
	// towards is a function from waiting events to waiting events, so following it must come round.
	towards, at := make([]int32, len(c.events)), int32(0)
	for i := range c.events {
		if waits[i] > 0 {
			towards[i] = c.waitedFor(int32(i), waits)
			at = int32(i)
		}
	}
	// Following the waits for as many steps as there are events ends within a circle.
	for range c.events {
		at = towards[at]
	}
	first := at
	for next := towards[at]; next != at; next = towards[next] {
		first = min(first, next)
	}
	return first
}

// waitedFor is an event that holds another up and waits too.
func (c *chart) waitedFor(i int32, waits []int32) int32 {
	if before := c.before[i]; before >= 0 && waits[before] > 0 {
		return before
	}
	e := &c.events[i]
	for _, a := range c.arcs[e.arcs.from:e.arcs.to] {
		if d := &c.dependencies[a.dependency]; !a.sent && d.source >= 0 && waits[d.source] > 0 {
			return d.source
		}
	}
	return i
}

// fault returns an error at an event. It shows executor, kind and function.
func (c *chart) fault(i int32, what string) *schema.SyntaxError {
	e, kind := &c.events[i], ">"
	if e.kind == schema.Exit {
		kind = "<"
	}
	return &schema.SyntaxError{
		Line: int64(e.line), Col: int64(e.col),
		Err: fmt.Errorf("the event %s %s %s %s", c.executors.list[e.executor].id, kind, c.functions.list[e.function].id, what),
	}
}
