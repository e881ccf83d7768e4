package whatif

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// removal knows which events would not be there. An execution that is removed takes with it all executions inside of it on its
// lifeline, and the root executions that only messages of removed events start. What is left takes no time: its lifeline passes
// through at once, and neither waits for messages nor has others wait for it.
type removal struct {
	spans []Span
	until []int64 // by event of the window: kept, the last event of the removed execution, or untilRoot
}

// The event is there, or is in a removed root execution, whose end shows only when the lifeline is idle.
const (
	kept      int64 = math.MinInt64
	untilRoot int64 = math.MaxInt64
)

// enterWindow marks the events of a window with which removed executions begin.
func (r *removal) enterWindow(w *window.Window) {
	n := int(w.Hi - w.Lo)
	r.until = slices.Grow(r.until[:0], n)[:n]
	for i := range r.until {
		r.until[i] = kept
	}
	first, _ := slices.BinarySearchFunc(r.spans, w.Lo, func(s Span, event int64) int { return cmp.Compare(s.From, event) })
	for _, s := range r.spans[first:] {
		if s.From >= w.Hi {
			break
		}
		r.until[s.From-w.Lo] = s.To
	}
}

// untilAt returns until when the source of a constraint is removed.
func (s *Schedule) untilAt(w *window.Window, e *window.Edge) int64 {
	if j := e.Source - w.Lo; j >= 0 {
		return s.until[j]
	}
	if h := s.heldAt(e.Source); h != nil {
		return h.until
	}
	// An event without a constraint into it is kept nowhere: it may begin a removed execution, but is inside of none.
	i, is := slices.BinarySearchFunc(s.spans, e.Source, func(s Span, event int64) int { return cmp.Compare(s.From, event) })
	if !is {
		return kept
	}
	return s.spans[i].To
}

// timeBeside is timeOf where executions are removed. It also finds whether the event is.
func (s *Schedule) timeBeside(w *window.Window, i int) int64 {
	target := w.Lo + int64(i)
	in := w.Edges[w.First[i]:w.First[i+1]]
	s.until[i] = max(s.until[i], s.inherited(w, in, target))
	planned, recorded := schema.NoValue, schema.NoValue
	for k := range in {
		e := &in[k]
		if e.Source >= target { // of a damaged chart
			continue
		}
		if bound := s.boundBeside(w, e, i, s.boundOf(e)); bound != schema.NoValue {
			planned = max(planned, s.timeAt(w, e)+bound)
		}
		recorded = max(recorded, e.SourceNs()+max(e.BoundNs, 0))
	}
	switch {
	case len(in) == 0:
		return schema.NoValue
	case recorded == schema.NoValue: // of a damaged chart
		return in[0].TargetNs
	case planned == schema.NoValue: // the first event of its lifeline, with messages that are gone
		return s.timeOf(w, i)
	case s.until[i] != kept:
		return planned
	case s.isReleased(in):
		return s.releasedAt(w, &in[0])
	}
	return planned + in[0].TargetNs - recorded
}

// inherited returns until when an event is removed by those before it: its lifeline is in a removed execution, or it starts a root
// execution for messages of removed events and no others.
func (s *Schedule) inherited(w *window.Window, in []window.Edge, target int64) int64 {
	messages, lost, isRoot := 0, 0, true
	for k := range in {
		e := &in[k]
		if e.Source >= target {
			continue
		}
		until := s.untilAt(w, e)
		switch {
		case e.Flags&window.Message != 0:
			if messages++; until != kept {
				lost++
			}
		case e.Flags&window.Idle == 0:
			isRoot = false
			if until >= target {
				return until
			}
		}
	}
	if isRoot && messages > 0 && lost == messages {
		return untilRoot
	}
	return kept
}

// boundBeside returns the bound of a constraint into the i-th event of a window where executions are removed, and NoValue for a
// constraint that is gone with them. Times of sources are known.
func (s *Schedule) boundBeside(w *window.Window, e *window.Edge, i int, bound int64) int64 {
	from, to := s.untilAt(w, e), s.until[i]
	isMessage := e.Flags&window.Message != 0
	switch {
	case isMessage && (from != kept || to != kept):
		return schema.NoValue
	case isMessage || to == kept:
		return bound
	case from >= w.Lo+int64(i) || e.Flags&window.Idle != 0: // inside of one execution, or before a root execution
		return 0
	}
	return bound // of the caller, whose own time it is before a removed call
}
