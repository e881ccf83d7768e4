package slack

import (
	"math/bits"

	"github.com/tracelake/tracelake/stages/timing/window"
)

// Causal finds the constraints on the paths from one event to another: those that can be reached from the
// first and from which the second can be reached. A path keeps within the times of the two events; it can
// leave them only in a chart in which a constraint has a negative duration.
//
// A walk down the windows from the second event to the first finds what can reach the second; a walk up
// again finds what is reached from the first. It keeps two bits for each sequence number between the two.
type Causal struct {
	from, to     int64
	fromNs, toNs int64
	flags        window.Flags // that a constraint must have
	reaches      []uint64     // by event less from: a path of constraints leads to the second event
	reached      []uint64     // of those that reach it: a path leads here from the first event
}

// NewCausal finds paths between two events with their times in ns. Constraints count if they have all the
// flags in only: window.Critical for critical paths, 0 for all paths. There are none if to is not after
// from.
func NewCausal(from, to, fromNs, toNs int64, only window.Flags) *Causal {
	c := &Causal{from: from, to: to, fromNs: fromNs, toNs: toNs, flags: only}
	if from < to {
		words := (to-from)>>6 + 1
		c.reaches, c.reached = make([]uint64, words), make([]uint64, words)
		c.markEvent(c.reaches, to)
		c.markEvent(c.reached, from)
	}
	return c
}

// Down walks a window, the highest first; parts of it that are not between the two events are passed over.
func (c *Causal) Down(w *window.Window) {
	lo, hi := c.targetRange(w)
	for target := hi - 1; target >= lo; target-- {
		i := uint64(target - c.from)
		rest := c.reaches[i>>6] << (63 - i&63) // the bits up to the target, which is the highest
		if skip := int64(bits.LeadingZeros64(rest)); skip > 0 {
			target -= min(skip, int64(i&63)+1) - 1
			continue
		}
		edges := w.Into(target)
		for k := range edges {
			if c.isOnPath(&edges[k], target) {
				c.markEvent(c.reaches, edges[k].Source)
			}
		}
	}
}

// Up walks a window, the lowest first and after all went down. It gives the constraints on paths in the order of
// the window. An emitted constraint is the window's own: copy it to keep it.
func (c *Causal) Up(w *window.Window, emit func(target int64, e *window.Edge)) {
	lo, hi := c.targetRange(w)
	for target := lo; target < hi; target++ {
		i := uint64(target - c.from)
		rest := c.reaches[i>>6] >> (i & 63) // the bits from the target on, which is the lowest
		if skip := int64(bits.TrailingZeros64(rest)); skip > 0 {
			target += min(skip, 64-int64(i&63)) - 1
			continue
		}
		edges := w.Into(target)
		for k := range edges {
			if e := &edges[k]; c.isOnPath(e, target) && c.isMarked(c.reached, e.Source) {
				c.markEvent(c.reached, target)
				emit(target, e)
			}
		}
	}
}

// Linked reports, after the walk down, whether there is a path from the first event to the second.
func (c *Causal) Linked() bool { return len(c.reaches) > 0 && c.isMarked(c.reaches, c.from) }

// targetRange returns the part of a window whose events may be targets on a path.
func (c *Causal) targetRange(w *window.Window) (lo, hi int64) {
	return max(w.Lo, c.from+1), min(w.Hi, c.to+1)
}

// isOnPath reports whether paths may take a constraint into a target.
func (c *Causal) isOnPath(e *window.Edge, target int64) bool {
	return e.Source >= c.from && e.Source < target && e.Flags&c.flags == c.flags &&
		e.SourceNs() >= c.fromNs && e.TargetNs <= c.toNs
}

// markEvent adds an event to a set.
func (c *Causal) markEvent(set []uint64, event int64) {
	i := uint64(event - c.from)
	set[i>>6] |= 1 << (i & 63)
}

// isMarked reports whether a set has an event.
func (c *Causal) isMarked(set []uint64, event int64) bool {
	i := uint64(event - c.from)
	return set[i>>6]&(1<<(i&63)) != 0
}
