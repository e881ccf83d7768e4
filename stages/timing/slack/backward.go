package slack

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// unset is the slack of an event from which no constraint with a bound is known yet.
const unset int64 = math.MaxInt64

// Backward finds slacks, equation (1), in a walk down the windows of a chart: the highest first, and each next
// one ends where the one before it starts. The zero value is ready for the first window.
type Backward struct {
	Ignored int64 // constraints whose source is not before their target
	Outside int64 // sources of constraints that lay between two windows and so have no slack

	below   []pending  // by event: the sources below the last window
	borders []border   // of all windows so far
	crossed []crossing // of all borders
}

// pending is what is known of an event below the window at hand.
type pending struct {
	event   int64
	timeNs  int64 // by the constraint to the lowest target, the first of several
	slackNs int64
}

// Add finds the slacks of the events of a window. It fills out by event less w.Lo; a sequence number without an
// event has 0.
func (b *Backward) Add(w *window.Window, out []int64) {
	out = out[:w.Hi-w.Lo]
	b.record(w)
	for i := range out {
		out[i] = unset
	}
	b.settle(w, out)
	for i := len(out) - 1; i >= 0; i-- {
		if out[i] == unset {
			out[i] = 0
		}
		b.spread(w, i, out)
	}
	b.sort()
}

// settle moves the pending slacks of the window's events to out.
func (b *Backward) settle(w *window.Window, out []int64) {
	n := len(b.below)
	for ; n > 0 && b.below[n-1].event >= w.Lo; n-- {
		p := b.below[n-1]
		if !w.Has(p.event) {
			b.Outside++
			continue
		}
		out[p.event-w.Lo] = p.slackNs
	}
	b.below = b.below[:n]
}

// spread takes the slack of the i-th event to the sources of the constraints into it. They are taken from the last
// on, so that all the walk long the constraints of a source come in the reverse of the chart's order.
func (b *Backward) spread(w *window.Window, i int, out []int64) {
	target := w.Lo + int64(i)
	edges := w.Edges[w.First[i]:w.First[i+1]]
	for k := len(edges) - 1; k >= 0; k-- {
		e := &edges[k]
		if e.Source >= target {
			b.Ignored++
			continue
		}
		slack := unset
		if e.BoundNs != schema.NoValue {
			slack = max(e.DurationNs-e.BoundNs, 0) + out[i]
		}
		if e.Source >= w.Lo {
			j := e.Source - w.Lo
			out[j] = min(out[j], slack)
		} else {
			b.below = append(b.below, pending{e.Source, e.SourceNs(), slack})
		}
	}
}

// sort orders the sources below the window and makes one of those of the same event. Of an event the last one has
// the lowest target, so its time stays.
func (b *Backward) sort() {
	slices.SortStableFunc(b.below, func(x, y pending) int { return cmp.Compare(x.event, y.event) })
	n := 0
	for _, p := range b.below {
		if n > 0 && b.below[n-1].event == p.event {
			p.slackNs = min(p.slackNs, b.below[n-1].slackNs)
			n--
		}
		b.below[n] = p
		n++
	}
	b.below = b.below[:n]
}

// Snapshot is a walk that goes on from here by itself. It finds the same slacks, so that a walk up the chart can find
// those of a window once more, instead of keeping them all.
func (b *Backward) Snapshot() *Backward { return &Backward{below: slices.Clone(b.below)} }
