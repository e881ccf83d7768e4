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

// Backward computes slacks, equation (1), while the caller goes down the windows of a chart: the highest
// first, each next one ending where the one before starts. The zero value is ready for the first window.
type Backward struct {
	below   []pending  // by event: the sources below the last window
	borders []border   // of all windows so far
	crossed []crossing // of all borders
}

// pending is an event below the window at hand, with the slack found so far.
type pending struct {
	event   int64
	timeNs  int64 // by the constraint to the lowest target
	slackNs int64 // smallest so far
}

// Add computes the slacks of the events of a window, in ns. It fills out by event less w.Lo; a sequence
// number without an event gets 0. O(constraints of the window + pending events).
func (b *Backward) Add(w *window.Window, out []int64) {
	out = out[:w.Hi-w.Lo]
	b.recordBorder(w)
	for i := range out {
		out[i] = unset
	}
	b.takePending(w, out)
	for i := len(out) - 1; i >= 0; i-- {
		if out[i] == unset {
			out[i] = 0
		}
		b.spreadSlack(w, i, out)
	}
	b.sortPending()
}

// takePending moves the pending slacks of the window's events to out.
func (b *Backward) takePending(w *window.Window, out []int64) {
	n := len(b.below)
	for ; n > 0 && b.below[n-1].event >= w.Lo; n-- {
		p := b.below[n-1]
		// A source that lay between two windows is not there and has no slack.
		if w.Has(p.event) {
			out[p.event-w.Lo] = p.slackNs
		}
	}
	b.below = b.below[:n]
}

// spreadSlack carries the slack of the i-th event to the sources of the constraints into it, the last
// constraint first, so that throughout the walk the constraints of a source come in the reverse of the
// chart's order.
func (b *Backward) spreadSlack(w *window.Window, i int, out []int64) {
	target := w.Lo + int64(i)
	edges := w.Edges[w.First[i]:w.First[i+1]]
	for k := len(edges) - 1; k >= 0; k-- {
		e := &edges[k]
		if e.Source >= target { // of a damaged chart
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

// sortPending orders the sources below the window and merges those of the same event. The last of an
// event has the lowest target, so its time stays.
func (b *Backward) sortPending() {
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

// Snapshot returns a walk that continues from here by itself. It finds the same slacks, so that a walk up
// the chart can compute those of a window once more instead of storing all of them.
func (b *Backward) Snapshot() *Backward { return &Backward{below: slices.Clone(b.below)} }

// border is the upper end of a window. A walk upwards cannot know which of the events below it will be
// asked for again; the walk downwards has met all constraints that cross a border and leaves the answer
// behind.
type border struct {
	lo, hi int64 // events of the window below the border
	first  int   // position in crossed of the events with constraints across it
}

// crossing is an event below a border from which a constraint leads across it.
type crossing struct {
	event  int64
	timeNs int64
}

// recordBorder keeps the border above a window that is about to be walked.
func (b *Backward) recordBorder(w *window.Window) {
	b.borders = append(b.borders, border{w.Lo, w.Hi, len(b.crossed)})
	for _, p := range b.below {
		b.crossed = append(b.crossed, crossing{p.event, p.timeNs})
	}
}

// Forward turns the walk round: it computes urgent times in a walk up the windows that b went down. It
// takes over what b keeps of the borders, so b must be at its lowest window, and can turn only once.
func (b *Backward) Forward() *Forward {
	f := &Forward{borders: b.borders, crossed: b.crossed}
	b.borders, b.crossed = nil, nil
	return f
}
