package slack

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Forward computes urgent times, equation (2), in a walk up the windows of a chart: those that a Backward
// went down, the lowest first.
type Forward struct {
	borders []border   // of the windows to come, the next one last
	crossed []crossing // of these borders
	held    []heldTime // by event: those below the next window that it or a later one asks for
}

// heldTime is the urgent time of an event below the window at hand.
type heldTime struct{ event, urgentNs int64 }

// Add computes the urgent times of the events of a window. It fills out by event less w.Lo; a sequence
// number that no constraint has for its source or target gets schema.NoValue. It is an error if the walk
// down did not have this window.
func (f *Forward) Add(w *window.Window, out []int64) error {
	last := len(f.borders) - 1
	if last < 0 || f.borders[last].lo != w.Lo || f.borders[last].hi != w.Hi {
		return fmt.Errorf("slack: the walk down the chart had not the window of the events from %d to %d next: "+
			"walk up the windows that you walked down, the lowest first", w.Lo, w.Hi-1)
	}
	above := f.crossed[f.borders[last].first:]
	out = out[:w.Hi-w.Lo]
	for i := range out {
		out[i] = f.urgentTime(w, i, out)
	}
	for _, c := range above {
		if w.Has(c.event) && out[c.event-w.Lo] == schema.NoValue {
			out[c.event-w.Lo] = c.timeNs
		}
	}
	f.holdCrossing(w, above, out)
	f.crossed = f.crossed[:f.borders[last].first]
	f.borders = f.borders[:last]
	return nil
}

// urgentTime returns the urgent time of the i-th event of a window, or NoValue without a constraint into
// it. Such an event keeps its time, which the first constraint that leaves it states.
func (f *Forward) urgentTime(w *window.Window, i int, out []int64) int64 {
	target, latest := w.Lo+int64(i), schema.NoValue
	edges := w.Edges[w.First[i]:w.First[i+1]]
	for k := range edges {
		e := &edges[k]
		if e.Source >= target { // of a damaged chart
			continue
		}
		var ns int64
		if j := e.Source - w.Lo; j < 0 {
			ns = f.urgentBelow(e)
		} else {
			if out[j] == schema.NoValue {
				out[j] = e.SourceNs()
			}
			ns = out[j]
		}
		if e.BoundNs != schema.NoValue {
			ns += e.BoundNs
		}
		latest = max(latest, ns)
	}
	return latest
}

// urgentBelow returns the urgent time of a source below the window.
func (f *Forward) urgentBelow(e *window.Edge) int64 {
	i, ok := slices.BinarySearchFunc(f.held, e.Source, func(h heldTime, event int64) int { return cmp.Compare(h.event, event) })
	if !ok { // the source was in no window: it keeps its time
		return e.SourceNs()
	}
	return f.held[i].urgentNs
}

// holdCrossing keeps the urgent times of the events from which constraints lead across the border above
// the window. Both lists are by event, so what stays is moved down in place before the window's own
// events follow.
func (f *Forward) holdCrossing(w *window.Window, above []crossing, out []int64) {
	old := f.held
	f.held = f.held[:0]
	for _, c := range above {
		if w.Has(c.event) {
			f.held = append(f.held, heldTime{c.event, out[c.event-w.Lo]})
			continue
		}
		for len(old) > 0 && old[0].event < c.event {
			old = old[1:]
		}
		if len(old) > 0 && old[0].event == c.event {
			f.held = append(f.held, old[0])
		}
	}
}
