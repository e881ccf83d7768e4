package criticalpath

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Tracer follows the representative critical paths towards many targets in one pass over the windows.
type Tracer struct {
	// Done takes a target when its path is complete, with the shares of its time in no particular order and the
	// time at which the path starts. The slice is used again.
	Done func(t *Target, shares []Share, fromNs int64)
	// Step, if set, takes the steps of a path, the last one first.
	Step func(t *Target, s Step)
	// Route, if set, takes the route of a path that is complete, which is used again. Windows need bounds then. There are neither
	// shares nor steps with it.
	Route func(t *Target, r *Route)

	targets []Target // not begun
	begun   []Target // in the window at hand
	order   []uint32 // by event of the window: position in begun plus 1; 0: none
	parts   []window.Part
	active  []*pathCursor // paths that reach below the window
	spare   []*pathCursor // cursors to use again
	tally   shareTally    // of the path that is followed
}

// pathCursor is the progress of the path towards a target.
type pathCursor struct {
	target    Target
	at        int64            // the event it has reached
	reachedNs int64            // time of that event, or the earliest of those behind it on the path
	waits     []waitingMessage // messages that wait while the path passes
	shares    []Share          // of the time so far
	steps     int64            // of the path so far
	route     *Route           // nil unless routes are wanted
}

// waitingMessage is a message that waited for a component. Those of a path are in the order in which it
// meets them; every further one was sent earlier.
type waitingMessage struct {
	busy   schema.Code
	sentNs int64
}

// Add adds targets. None of them may lie above a window that was walked already.
func (t *Tracer) Add(targets ...Target) { t.targets = append(t.targets, targets...) }

// Down follows the paths through the next window; parts are those its constraints refer to.
// Those that came from above come first, in their order, then those that end in the window, the last one first.
func (t *Tracer) Down(w *window.Window, parts []window.Part) {
	t.parts = parts
	t.tally.growTo(len(parts))
	above := t.active
	t.active = t.active[:0] // those that leave the window: never more than were taken out
	for _, c := range above {
		t.passWindow(c, w)
	}
	t.beginIn(w)
}

// passWindow follows a path until it is complete, or leaves the window and is kept for the next one.
func (t *Tracer) passWindow(c *pathCursor, w *window.Window) {
	t.tally.loadShares(c.shares)
	done := false
	if c.route != nil {
		done = t.followRoute(c, w)
	} else {
		done = t.followPath(c, w)
	}
	if done {
		t.finishPath(c)
		return
	}
	c.shares = append(c.shares[:0], t.tally.shares...)
	t.tally.reset()
	t.active = append(t.active, c)
}

// beginIn follows the paths of targets from the window's first event on, the last target first: paths towards near
// events lead over the same constraints. Each is followed before the next one begins, so that nearly all of them share one
// cursor, which stays in the cache.
func (t *Tracer) beginIn(w *window.Window) {
	t.order = slices.Grow(t.order[:0], len(w.First))[:len(w.First)]
	clear(t.order)
	below := t.targets[:0]
	for i := range t.targets {
		target := t.targets[i]
		switch {
		case target.To < w.Lo: // not yet
			below = append(below, target)
		case target.To >= w.Hi || t.order[target.To-w.Lo] != 0:
			t.passWindow(t.beginPath(target), w)
		default:
			t.begun = append(t.begun, target)
			t.order[target.To-w.Lo] = uint32(len(t.begun))
		}
	}
	for _, n := range slices.Backward(t.order) {
		if n != 0 {
			t.passWindow(t.beginPath(t.begun[n-1]), w)
		}
	}
	t.targets, t.begun = below, t.begun[:0]
}

// Open is the number of targets whose paths are not complete.
func (t *Tracer) Open() int { return len(t.targets) + len(t.active) }

// Finish ends the paths that no constraint leads on.
func (t *Tracer) Finish() {
	for _, target := range t.targets {
		t.active = append(t.active, t.beginPath(target))
	}
	t.targets = nil
	for _, c := range t.active {
		t.tally.loadShares(c.shares)
		t.finishPath(c)
	}
	t.active = nil
}

// beginPath starts a path at its target.
func (t *Tracer) beginPath(target Target) *pathCursor {
	var c *pathCursor
	if n := len(t.spare); n > 0 {
		c, t.spare = t.spare[n-1], t.spare[:n-1]
	} else {
		c = new(pathCursor)
	}
	*c = pathCursor{target: target, at: target.To, reachedNs: target.ToNs, waits: c.waits[:0], shares: c.shares[:0], route: c.route}
	if t.Route != nil {
		if c.route == nil {
			c.route = new(Route)
		}
		c.route.reset()
	}
	return c
}

// finishPath reports a complete path, whose shares are in the tally.
func (t *Tracer) finishPath(c *pathCursor) {
	t.Done(&c.target, t.tally.shares, max(c.reachedNs, c.target.FromNs))
	t.tally.reset()
	if c.route != nil {
		c.route.complete(c.target.FromNs)
		t.Route(&c.target, c.route)
	}
	t.spare = append(t.spare, c)
}

// followPath goes back along a path until it ends, or leaves the window; done reports which.
func (t *Tracer) followPath(c *pathCursor, w *window.Window) (done bool) {
	// Each round follows one constraint; the path ends where none leads on.
	for c.at >= w.Lo {
		if c.at <= c.target.From || !w.Has(c.at) {
			return true
		}
		in := w.Into(c.at)
		e := latestCritical(in, &c.target)
		if e == nil || e.Source >= c.at {
			return true
		}
		t.noteContention(c, in, e)
		t.countTime(c, e)
		c.at, c.reachedNs = e.Source, min(e.SourceNs(), c.reachedNs)
	}
	return c.at <= c.target.From
}

// latestCritical returns the constraint by which the representative path comes to an event, nil if it
// begins there.
func latestCritical(in []window.Edge, t *Target) (best *window.Edge) {
	for i := range in {
		e := &in[i]
		if e.Flags&window.Critical == 0 || t.beginsAfter(e) {
			continue
		}
		if best == nil || isLater(e, best) {
			best = e
		}
	}
	return best
}

// isLater reports whether a has the later source: the shorter duration, a message before a lifeline, then
// the larger sequence number.
func isLater(a, b *window.Edge) bool {
	if a.DurationNs != b.DurationNs {
		return a.DurationNs < b.DurationNs
	}
	if (a.Flags^b.Flags)&window.Message != 0 {
		return a.Flags&window.Message != 0
	}
	return a.Source > b.Source
}

// noteContention checks whether a message waited for the root execution that the path enters: the one
// that was sent last among those sent before the preceding execution finished.
func (t *Tracer) noteContention(c *pathCursor, in []window.Edge, e *window.Edge) {
	for len(c.waits) > 0 && c.waits[0].sentNs >= c.reachedNs {
		c.waits = slices.Delete(c.waits, 0, 1)
	}
	if e.Flags&window.Idle == 0 {
		return
	}
	sentNs, waits := int64(0), false
	for i := range in {
		m := &in[i]
		if m.Flags&window.Message != 0 && m.DurationNs > e.DurationNs && (!waits || m.SourceNs() > sentNs) {
			sentNs, waits = m.SourceNs(), true
		}
	}
	if n := len(c.waits); waits && (n == 0 || sentNs < c.waits[n-1].sentNs) {
		c.waits = append(c.waits, waitingMessage{t.parts[e.Part].Component, sentNs})
	}
}

// countTime adds the time of a constraint to the shares of a path, as far as it lies behind the start, in
// pieces where contention begins in between. Where a message was received before it was sent, it takes no time, and what the sender did
// after the receipt takes none on this path either: so the steps add up to the time between the ends of the path, whatever the clocks say.
func (t *Tracer) countTime(c *pathCursor, e *window.Edge) {
	fromNs := min(max(e.SourceNs(), c.target.FromNs), c.reachedNs)
	if len(c.waits) == 0 && t.Step == nil { // nearly always, where only sums are wanted
		t.tally.addTime(Key{Part: e.Part, Category: categoryOf(e), Busy: schema.NoCode}, c.reachedNs-fromNs)
		return
	}
	s := Step{Source: e.Source, Target: c.at, TargetNs: c.reachedNs, Message: e.Flags&window.Message != 0, Idle: e.Flags&window.Idle != 0}
	for _, w := range c.waits {
		if s.TargetNs <= w.sentNs {
			continue
		}
		s.Key = Key{Part: e.Part, Category: schema.Contending, Busy: w.busy}
		s.SourceNs = max(fromNs, w.sentNs)
		t.takeStep(c, s)
		if s.SourceNs == fromNs {
			return
		}
		s.TargetNs = s.SourceNs
	}
	s.SourceNs, s.Key = fromNs, Key{Part: e.Part, Category: categoryOf(e), Busy: schema.NoCode}
	t.takeStep(c, s)
}

// takeStep adds a piece to the shares and reports it.
func (t *Tracer) takeStep(c *pathCursor, s Step) {
	t.tally.addTime(s.Key, s.TargetNs-s.SourceNs)
	if t.Step != nil {
		c.steps++
		s.Number = c.steps
		t.Step(&c.target, s)
	}
}

// categoryOf returns how the time of a constraint is spent, contention aside.
func categoryOf(e *window.Edge) schema.Category {
	switch {
	case e.Flags&window.Message != 0:
		return schema.Communicating
	case e.Flags&window.Idle != 0:
		return schema.Idling
	}
	return schema.Executing
}
