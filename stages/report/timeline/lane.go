package timeline

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Lane is the strip of a lifeline.
type Lane struct {
	Name   string
	Top    Length
	Bottom Length
	Levels int // boxes that may stand on one another

	component schema.Code
	lifeline  schema.Code // NoCode where only the path has to do with the component
	first     int64       // the first event of the window, by sequence number
	events    int64       // in the window
	busyNs    int64       // of the window, in executions without a caller
	rows      int64       // executions
	onPath    bool
}

// mostLevels bounds the height of a lane.
const mostLevels = 40

// findLanes returns the lanes of a window, by the code of their lifeline; then those that only the path visits.
func (w *Window) findLanes() []Lane {
	x := w.Executions
	lanes := make([]Lane, w.names().Lifelines.Len())
	for i := range lanes {
		lanes[i].lifeline = schema.Code(i)
	}
	for i, line := range x.Lifeline {
		l := &lanes[line]
		if l.rows == 0 {
			l.component, l.first, l.Name = x.Component[i], x.Execution[i], w.names().Lifelines.Name(line)
		}
		l.rows++
		l.first = min(l.first, x.Execution[i])
		l.Levels = max(l.Levels, min(int(x.Depth[i])+1, mostLevels))
		if x.Depth[i] == 0 {
			l.busyNs += min(x.FinishNs[i], w.ToNs) - max(x.StartNs[i], w.FromNs)
		}
		l.count(w, x.StartNs[i])
		l.count(w, x.FinishNs[i])
	}
	lanes = slices.DeleteFunc(lanes, func(l Lane) bool { return l.rows == 0 })
	return w.addPath(lanes)
}

// count counts an event of the lane if it is in the window.
func (l *Lane) count(w *Window, ns int64) {
	if w.inside(ns) {
		l.events++
	}
}

// addPath marks the lanes of the components on the path, and adds those without executions.
func (w *Window) addPath(lanes []Lane) []Lane {
	onPath := make([]bool, w.names().Components.Len())
	for _, s := range w.Path {
		if s.TargetNs < w.FromNs || s.SourceNs > w.ToNs {
			continue
		}
		onPath[s.Component] = true
		if s.Message && s.Sender != schema.NoCode {
			onPath[s.Sender] = true
		}
	}
	for i := range lanes {
		lanes[i].onPath = onPath[lanes[i].component]
	}
	for c, is := range onPath {
		code := schema.Code(c)
		if is && !slices.ContainsFunc(lanes, func(l Lane) bool { return l.component == code }) {
			lanes = append(lanes, Lane{
				Name: w.names().Components.Name(code), Levels: 1,
				component: code, lifeline: schema.NoCode, first: math.MaxInt64, onPath: true,
			})
		}
	}
	return lanes
}

// Rest counts what has no lane.
type Rest struct {
	Quieter    int   // lifelines that are busy for less of the window than those shown
	Executions int64 // on them
	Silent     int64 // components of the run without an execution in the window
}

// choose keeps the lanes of the path, and of those with an event in the window the ones that are busy longest: what
// takes time can be seen. Lanes in which one execution lasts through all of the window come last.
func (w *Window) choose(lanes []Lane, most int) ([]Lane, Rest) {
	slices.SortFunc(lanes, func(x, y Lane) int {
		if x.onPath != y.onPath {
			return -sign(x.onPath)
		}
		if (x.events > 0) != (y.events > 0) {
			return -sign(x.events > 0)
		}
		return cmp.Or(cmp.Compare(y.busyNs, x.busyNs), cmp.Compare(y.events, x.events), cmp.Compare(x.Name, y.Name))
	})
	keep := 0
	for keep < len(lanes) && (keep < most || lanes[keep].onPath) {
		keep++
	}
	rest := Rest{Quieter: len(lanes) - keep, Silent: max(w.Components-w.present(lanes), 0)}
	for _, l := range lanes[keep:] {
		rest.Executions += l.rows
	}
	return lanes[:keep], rest
}

// sign is 1 for true and -1 for false.
func sign(is bool) int {
	if is {
		return 1
	}
	return -1
}

// present is the number of components with a lane.
func (w *Window) present(lanes []Lane) (n int64) {
	seen := make([]bool, w.names().Components.Len())
	for _, l := range lanes {
		if !seen[l.component] {
			seen[l.component] = true
			n++
		}
	}
	return n
}
