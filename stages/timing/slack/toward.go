package slack

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Toward computes slacks towards one event: by how much a constraint could take longer without moving that event. It is equation (1) with
// the minimum over the constraints from which a path with bounds leads to the event,
//
//	slack(target) = 0,  slack(e) = min over the constraints d from e with a bound of max(duration(d) - bound(d), 0) + slack(target(d))
//
// so that what only others wait for has none. The caller goes down the windows of a chart, the one with the target first.
type Toward struct {
	from, to int64
	back     Backward
	slacks   []int64 // of the window at hand
}

// NewToward finds the slacks towards an event of constraints whose sources are at or after the event from, both by sequence number.
func NewToward(from, to int64) *Toward { return &Toward{from: from, to: to} }

// Down walks a window, the highest first, and gives every constraint on a way to the event with its spare time in ns: by how much more than its
// bound it could take. An emitted constraint is the window's own: copy it to keep it. O(constraints of the window).
func (s *Toward) Down(w *window.Window, emit func(target int64, e *window.Edge, spareNs int64)) {
	n := int(w.Hi - w.Lo)
	s.slacks = schema.GrowTo(s.slacks[:0], n)
	for i := range s.slacks {
		s.slacks[i] = unset
	}
	s.back.takePending(w, s.slacks)
	if w.Has(s.to) {
		s.slacks[s.to-w.Lo] = 0
	}
	for target := min(w.Hi-1, s.to); target >= w.Lo; target-- {
		after := s.slacks[target-w.Lo]
		if after == unset {
			continue
		}
		s.spread(w, target, after, emit)
	}
	s.back.sortPending()
}

// spread carries the slack of an event to the sources of the constraints into it, the last constraint first.
func (s *Toward) spread(w *window.Window, target, after int64, emit func(target int64, e *window.Edge, spareNs int64)) {
	edges := w.Into(target)
	for k := len(edges) - 1; k >= 0; k-- {
		e := &edges[k]
		if e.Source >= target || e.Source < s.from || e.BoundNs == schema.NoValue {
			continue
		}
		spare := max(e.DurationNs-e.BoundNs, 0) + after
		emit(target, e, spare)
		if j := e.Source - w.Lo; j >= 0 {
			s.slacks[j] = min(s.slacks[j], spare)
		} else {
			s.back.below = append(s.back.below, pending{e.Source, e.SourceNs(), spare})
		}
	}
}
