package criticalpath

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/timing/window"
)

// Route is the critical path towards a target with the detours beside it: what decides how much earlier the target would be if
// steps of the path took less time.
type Route struct {
	Steps   []RouteStep // the constraints of the path, the last one first
	Detours []Detour
	Beside  []BesideStep // executions on the critical paths of detours

	open []chain // detours whose other end was not found yet: ascending by event, each event once
}

// RouteStep is a constraint of a path.
type RouteStep struct {
	Part uint32
	Ns   int64 // that a function executes in it; 0 for a message and a rest
}

// Detour is another way to an event of the path: a constraint that is not the path's, from an event whose own critical path leaves
// the path further back. It takes SpareNs less than the path between the same two events, so the path can become shorter by that
// time there, and no more.
type Detour struct {
	To      int   // number of steps behind the event to which it leads
	From    int   // number of steps behind the event at which it leaves the path; all steps where it does not leave the path
	SpareNs int64 // noDetour where it never matters

	toNs int64 // time of the event to which it leads
	next int32 // another detour whose critical path goes over the same event, plus 1; 0: none
}

// BesideStep is a constraint on a detour: what a function executes beside the path.
type BesideStep struct {
	Part    uint32
	SpareNs int64 // by how much longer it could take before the path would be another one
}

// noDetour is more spare time than any path has.
const noDetour int64 = math.MaxInt64

// chain is the critical path of detours, as far as it was followed.
type chain struct {
	event   int64
	spareNs int64 // the least of its detours
	first   int32 // the first of these
}

// followRoute is followPath for a path whose detours are wanted. Where the path ends, its detours are followed to their ends, too, in the windows below.
func (t *Tracer) followRoute(c *pathCursor, w *window.Window) (done bool) {
	r, ended := c.route, false
	for c.at >= w.Lo {
		if ended = c.at <= c.target.From || !w.Has(c.at); ended {
			break
		}
		in := w.Into(c.at)
		e := latestCritical(in, &c.target)
		if ended = e == nil || e.Source >= c.at; ended {
			break
		}
		if len(r.open) > 0 {
			r.meet(w, c)
		}
		if len(in) > 1 {
			for i := range in {
				if &in[i] != e {
					r.branch(&in[i], c)
				}
			}
		}
		step := RouteStep{Part: e.Part}
		if e.Flags&(window.Message|window.Idle) == 0 {
			step.Ns = e.TargetNs - max(e.SourceNs(), c.target.FromNs)
		}
		r.Steps = append(r.Steps, step)
		c.at, c.reachedNs = e.Source, e.SourceNs()
	}
	r.advance(w, &c.target, w.Lo-1)
	return (ended || c.at <= c.target.From) && len(r.open) == 0
}

// branch notes a constraint beside the path into the event that the path has reached. One with as much spare time as the path has
// behind the start never matters, and one from before the start keeps what the start keeps.
func (r *Route) branch(e *window.Edge, c *pathCursor) {
	spare := e.DurationNs - max(e.BoundNs, 0)
	if e.BoundNs < 0 || e.Source >= c.at || e.Source <= c.target.From || e.SourceNs() <= c.target.FromNs || spare >= e.TargetNs-c.target.FromNs {
		return
	}
	r.Detours = append(r.Detours, Detour{To: len(r.Steps), SpareNs: max(spare, 0), toNs: e.TargetNs})
	r.besideBy(e, spare)
	r.lead(chain{e.Source, spare, int32(len(r.Detours) - 1)})
}

// besideBy notes what a function executes beside the path.
func (r *Route) besideBy(e *window.Edge, spareNs int64) {
	if e.Flags&(window.Message|window.Idle) == 0 && e.DurationNs > 0 {
		r.Beside = append(r.Beside, BesideStep{e.Part, spareNs})
	}
}

// lead takes detours on to an event, where others may be already.
func (r *Route) lead(c chain) {
	at := len(r.open)
	for at > 0 && r.open[at-1].event > c.event {
		at--
	}
	if at > 0 && r.open[at-1].event == c.event {
		last := c.first
		for r.Detours[last].next > 0 {
			last = r.Detours[last].next - 1
		}
		there := &r.open[at-1]
		r.Detours[last].next = there.first + 1
		there.first, there.spareNs = c.first, min(there.spareNs, c.spareNs)
		return
	}
	r.open = slices.Insert(r.open, at, c)
}

// meet ends the detours that leave the path at the event that it has reached.
func (r *Route) meet(w *window.Window, c *pathCursor) {
	r.advance(w, &c.target, c.at)
	if n := len(r.open); n > 0 && r.open[n-1].event == c.at {
		r.end(r.open[n-1].first, len(r.Steps), c.reachedNs)
		r.open = r.open[:n-1]
	}
}

// advance follows the critical paths of detours down the window until none is above an event.
func (r *Route) advance(w *window.Window, t *Target, event int64) {
	for n := len(r.open); n > 0 && r.open[n-1].event > event; n = len(r.open) {
		top := r.open[n-1]
		r.open = r.open[:n-1]
		e := latestCritical(w.Into(top.event), t)
		if e == nil || e.Source >= top.event || e.Source <= t.From || e.SourceNs() <= t.FromNs {
			r.end(top.first, math.MaxInt, t.FromNs)
			continue
		}
		r.besideBy(e, top.spareNs)
		top.event = e.Source
		r.lead(top)
	}
}

// end sets where detours leave the path: behind so many steps, at a time. One with as much spare time as the path takes between its
// ends never matters.
func (r *Route) end(first int32, from int, ns int64) {
	for i := first; ; {
		d := &r.Detours[i]
		if d.From = from; d.SpareNs >= d.toNs-ns {
			d.SpareNs = noDetour
		}
		if d.next == 0 {
			return
		}
		i = d.next - 1
	}
}

// complete ends all detours, and keeps those that may matter.
func (r *Route) complete(fromNs int64) {
	for _, c := range r.open {
		r.end(c.first, len(r.Steps), fromNs)
	}
	r.open = r.open[:0]
	r.Detours = slices.DeleteFunc(r.Detours, func(d Detour) bool { return d.SpareNs == noDetour })
	for i := range r.Detours {
		r.Detours[i].From = min(r.Detours[i].From, len(r.Steps))
	}
}

// reset empties a route for the next path.
func (r *Route) reset() {
	r.Steps, r.Detours, r.Beside, r.open = r.Steps[:0], r.Detours[:0], r.Beside[:0], r.open[:0]
}
