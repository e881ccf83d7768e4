package criticalpath

import (
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Closure collects the constraints on all critical paths towards one event: Algorithm 1 of Jonk et al. 2019, as a sweep
// over windows. It keeps a bit for every event from the start on.
type Closure struct {
	All bool // collect every constraint on any path, critical or not
	// Take takes a constraint with its target, the last targets first. On reports whether a path leads over it: without All
	// the other constraints into events on paths come too, for those who ask why.
	Take func(target int64, e *window.Edge, on bool)

	target Target   // where the paths end
	lowest int64    // no event before it can be on a path
	seen   []uint64 // by event less lowest: a bit, whether a path leads there
	reach  bool     // a path leads over the event From
}

// NewClosure begins at an event. No event before lowest is on a path. It takes one bit for every sequence
// number between.
func NewClosure(t Target, lowest int64) *Closure {
	c := &Closure{target: t, lowest: max(lowest, t.From)} // Start lies below all events
	c.seen = make([]uint64, max(t.To-c.lowest, 0)>>6+1)
	c.markEvent(t.To)
	return c
}

// Reached reports whether a path leads over the event From.
func (c *Closure) Reached() bool { return c.reach }

// markEvent puts an event on the paths.
func (c *Closure) markEvent(event int64) {
	if i := event - c.lowest; i >= 0 {
		c.seen[i>>6] |= 1 << (i & 63)
	}
}

// Down takes the next window, each below the one before. It skips 64 events at a time where none is on a
// path.
func (c *Closure) Down(w *window.Window) {
	for event := min(w.Hi-1, c.target.To); event >= max(w.Lo, c.lowest); event-- {
		i := event - c.lowest
		if c.seen[i>>6] == 0 {
			event -= i & 63 // the loop takes one more
			continue
		}
		if c.seen[i>>6]>>(i&63)&1 == 1 {
			c.visitEvent(w.Into(event), event)
		}
	}
}

// visitEvent takes the constraints into an event on a path. A path ends at From, and at its time.
func (c *Closure) visitEvent(in []window.Edge, event int64) {
	if event == c.target.From {
		c.reach = true
		return
	}
	for i := range in {
		e := &in[i]
		on := (c.All || e.Flags&window.Critical != 0) && !c.target.beginsAfter(e)
		if on || !c.All {
			c.Take(event, e, on)
		}
		if on && e.Source < event {
			c.markEvent(e.Source)
		}
	}
}
