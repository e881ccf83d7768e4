package validate

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// waitingTarget is an event that waits for the constraints that end at it.
type waitingTarget struct {
	event
	previous int64 // sequence number of the event before it on its lifeline; schema.NoValue: none
	sinceNs  int64 // time since that event
	tied     bool  // to the event before it, by a constraint; or it is the first of its lifeline
}

// awaitConstraints moves the lifeline on to an event whose constraints are yet to come.
func (b *Builder) awaitConstraints(e event, l *lifeline) {
	n := len(b.waiting)
	b.waiting = b.waiting[:n+1]
	t := &b.waiting[n] // filled in place: copying a struct that was just built stalls on its parts
	t.seq, t.timeNs, t.slot = e.seq, e.timeNs, e.slot
	t.previous, t.sinceNs, t.tied = l.seq, e.timeNs-l.timeNs, l.seq == schema.NoValue
	if t.sinceNs < 0 && !t.tied {
		b.reportEvent(&schema.TimeRunsBack, e)
	}
	l.seq, l.timeNs = e.seq, e.timeNs
}

// Reaches reports whether the events up to a sequence number have been added.
func (b *Builder) Reaches(seq int64) bool { return b.lastSeq >= seq }

// AddConstraints checks the rows [from, to) of the constraints, the next ones of the bucket. Their targets must have
// been added before.
func (b *Builder) AddConstraints(c *schema.Constraints, from, to int) {
	for i := from; i < to; i++ {
		seq := c.Target[i]
		t := b.findTarget(seq)
		if t == nil {
			b.tally.addFinding(&schema.UnknownTarget, subject{c.Component[i], schema.NoCode, schema.NoCode}, seq, schema.NoValue)
			continue
		}
		if c.Source[i] >= seq {
			b.reportEvent(&schema.BackwardConstraint, t.event)
		}
		gapNs := c.DurationNs[i]
		if c.Source[i] == t.previous {
			t.tied, gapNs = true, t.sinceNs
		} else if gapNs < 0 {
			b.reportEvent(&schema.TargetBeforeSource, t.event)
		}
		if gapNs >= 0 && c.SlackNs[i] != schema.NoValue {
			b.checkBound(t, c.DurationNs[i]-c.SlackNs[i], gapNs)
		}
	}
}

// checkBound checks condition 6 for a target that comes gapNs, not negative, after its source.
func (b *Builder) checkBound(t *waitingTarget, boundNs, gapNs int64) {
	switch {
	case boundNs > gapNs:
		b.reportEvent(&schema.BoundNotMet, t.event)
	case boundNs < 0:
		b.reportEvent(&schema.NegativeBound, t.event)
	}
}

// findTarget finds the event with a sequence number among those that wait, and dismisses the events
// before it. Events whose rows are out of order are found if their constraints are in the order of the
// rows.
func (b *Builder) findTarget(seq int64) *waitingTarget {
	for ; b.head < len(b.waiting); b.head++ {
		t := &b.waiting[b.head]
		if t.seq == seq {
			return t
		}
		next := b.head + 1
		if t.seq > seq && (next == len(b.waiting) || b.waiting[next].seq != seq) {
			return nil
		}
		b.leaveTarget(t)
	}
	return nil
}

// leaveTarget ends the wait of an event: no further constraint ends at it (condition 1).
func (b *Builder) leaveTarget(t *waitingTarget) {
	if !t.tied {
		b.reportEvent(&schema.GapInOrder, t.event)
	}
}

// makeRoom gives back the places of events that no longer wait and makes room for others.
func (b *Builder) makeRoom(events int) {
	n := copy(b.waiting, b.waiting[b.head:])
	b.waiting, b.head = slices.Grow(b.waiting[:n], events), 0
}
