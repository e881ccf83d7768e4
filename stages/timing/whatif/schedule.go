package whatif

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Schedule computes new times of events while the caller goes up the windows of a chart, the lowest first.
type Schedule struct {
	// Times are the new times of the events of the last window, in ns, by event less its Lo; schema.NoValue where no constraint
	// has the event for its target, or its source in this window.
	Times []int64

	restNs    int64             // see Rules
	factors   []float64         // by part: of its own time; 1: as recorded
	crossings []window.Crossing // of the windows to come
	paces     []int64           // events from which released executions keep their distance, in order
	paceNs    int64             // how much later the last of them takes place; negative: earlier
	held      []Held            // by event
	removal
	overtaking
}

// Held is the new time of an event below the window at hand.
type Held struct {
	window.Crossing
	timeNs int64
	until  int64  // see removal
	line   uint32 // see overtaking
}

// New returns a schedule for a chart with these crossings, which are in the order of their events.
func New(rules Rules, crossings []window.Crossing) *Schedule {
	return &Schedule{restNs: rules.RestNs, paces: rules.Paces, crossings: crossings, removal: removal{spans: rules.Removed}}
}

// Up computes the times of the next window; factors are those of the parts to which its constraints refer. O(constraints of the
// window).
func (s *Schedule) Up(w *window.Window, factors []float64) {
	s.compute(w, factors)
	s.hold(w)
}

// Front is what is kept of the windows below one: all on which its times depend.
type Front struct {
	held   []Held
	paceNs int64
	lines  []lifeline
}

// Front returns what is kept of the windows so far.
func (s *Schedule) Front() Front { return Front{slices.Clone(s.held), s.paceNs, s.copyLines()} }

// Rewrite computes a window once more, from the front that was kept before Up came to it, and makes its constraints those of the
// new schedule: with the times that their ends have in it, and critical where the new bound is met exactly.
func (s *Schedule) Rewrite(w *window.Window, factors []float64, front Front) {
	s.held, s.paceNs, s.lines = front.held, front.paceNs, front.lines
	s.compute(w, factors)
	for i := range s.Times {
		in := w.Edges[w.First[i]:w.First[i+1]]
		released := s.isReleased(in)
		for k := range in {
			e := &in[k]
			if e.Source >= w.Lo+int64(i) { // of a damaged chart
				continue
			}
			from := s.timeAt(w, e)
			bound := s.boundOf(e)
			if len(s.spans) > 0 {
				bound = s.boundBeside(w, e, i, bound)
			}
			if e.TargetNs, e.DurationNs = s.Times[i], s.Times[i]-from; released { // its only constraint leads on
				continue
			}
			if e.Flags &^= window.Critical; bound == e.DurationNs {
				e.Flags |= window.Critical
			}
		}
	}
	for _, i := range s.placed {
		s.leadOn(w.Edges[w.First[i]:w.First[i+1]])
	}
}

// compute computes the times of a window.
func (s *Schedule) compute(w *window.Window, factors []float64) {
	s.factors = factors
	n := int(w.Hi - w.Lo)
	s.Times = slices.Grow(s.Times[:0], n)[:n]
	if len(s.spans) > 0 {
		s.enterWindow(w)
	}
	s.enterLines(n)
	next, _ := slices.BinarySearch(s.paces, w.Lo)
	for i := range s.Times {
		if len(s.spans) > 0 {
			s.Times[i] = s.timeBeside(w, i)
		} else {
			s.Times[i] = s.timeOf(w, i)
		}
		s.follow(w, i)
		if next < len(s.paces) && s.paces[next] == w.Lo+int64(i) {
			if next++; s.Times[i] != schema.NoValue {
				s.paceNs = s.Times[i] - w.Edges[w.First[i]].TargetNs
			}
		}
	}
}

// timeOf returns the new time of the i-th event of a window, or NoValue without a constraint into it.
func (s *Schedule) timeOf(w *window.Window, i int) int64 {
	in := w.Edges[w.First[i]:w.First[i+1]]
	planned, recorded := schema.NoValue, schema.NoValue
	for k := range in {
		e := &in[k]
		if e.Source >= w.Lo+int64(i) { // of a damaged chart
			continue
		}
		planned = max(planned, s.timeAt(w, e)+s.boundOf(e))
		recorded = max(recorded, e.SourceNs()+max(e.BoundNs, 0))
	}
	switch {
	case len(in) == 0:
		return schema.NoValue
	case recorded == schema.NoValue:
		return in[0].TargetNs
	case s.isReleased(in):
		return s.releasedAt(w, &in[0])
	}
	return planned + in[0].TargetNs - recorded
}

// isReleased reports whether the constraints into an event are a long rest of its lifeline alone: somebody whom the chart does not
// know starts the execution, at a time of his own.
func (s *Schedule) isReleased(in []window.Edge) bool {
	return len(in) == 1 && in[0].Flags&window.Idle != 0 && in[0].DurationNs > s.restNs
}

// releasedAt returns when an execution starts that somebody else starts: at its distance from the last event that sets the pace, but
// not before its lifeline is free.
func (s *Schedule) releasedAt(w *window.Window, e *window.Edge) int64 {
	return max(e.TargetNs+s.paceNs, s.timeAt(w, e)+s.restNs)
}

// boundOf returns the new bound of a constraint. A bound that is not known is none.
func (s *Schedule) boundOf(e *window.Edge) int64 {
	bound := max(e.BoundNs, 0)
	if factor := s.factors[e.Part]; factor != 1 {
		return int64(math.Round(float64(bound) * factor))
	}
	return bound
}

// timeAt returns the new time of the source of a constraint. A source that is no target keeps its time, which the constraint
// states.
func (s *Schedule) timeAt(w *window.Window, e *window.Edge) int64 {
	if j := e.Source - w.Lo; j >= 0 {
		if s.Times[j] == schema.NoValue {
			s.Times[j] = e.SourceNs()
		}
		return s.Times[j]
	}
	if h := s.heldAt(e.Source); h != nil {
		return h.timeNs
	}
	return e.SourceNs()
}

// heldAt returns what is kept of an event below the window, nil if nothing is. O(log lifelines).
func (s *Schedule) heldAt(event int64) *Held {
	i, is := slices.BinarySearchFunc(s.held, event, func(h Held, event int64) int { return cmp.Compare(h.Event, event) })
	if !is {
		return nil
	}
	return &s.held[i]
}

// hold keeps the times of the window's events from which constraints lead further up, and forgets those that no later window
// asks for.
func (s *Schedule) hold(w *window.Window) {
	s.held = slices.DeleteFunc(s.held, func(h Held) bool { return h.Last < w.Hi })
	for ; len(s.crossings) > 0 && s.crossings[0].Event < w.Hi; s.crossings = s.crossings[1:] {
		c := s.crossings[0]
		if c.Event < w.Lo || s.Times[c.Event-w.Lo] == schema.NoValue {
			continue
		}
		h := Held{Crossing: c, timeNs: s.Times[c.Event-w.Lo], line: s.line[c.Event-w.Lo]}
		if len(s.spans) > 0 {
			h.until = s.until[c.Event-w.Lo]
		}
		s.held = append(s.held, h)
	}
}
