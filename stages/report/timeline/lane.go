package timeline

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Lane is the horizontal strip of a lifeline.
type Lane struct {
	Name   string // of the lifeline, or of the component where only the path visits it
	Top    Length // from the upper edge of the page
	Bottom Length // greater than Top
	Levels int    // height in boxes: the deepest nesting of calls, bounded

	component schema.Code
	lifeline  schema.Code // NoCode where only the path has to do with the component
	first     int64       // the first event of the window, by sequence number
	events    int64       // in the window
	busyNs    int64       // the part of the window in executions without a caller
	rows      int64       // executions in the window
	onPath    bool        // the critical path visits the component
	pathNs    int64       // the part of the window that the path spends there
}

// mostLevels bounds the height of a lane: deep recursion would push all other lanes off the page.
const mostLevels = 40

// findLanes returns the lanes of a window, by the code of their lifeline; then those that only the path visits.
func (w *Window) findLanes() []Lane {
	// 1. One lane a lifeline, with what decides whether it is shown.
	x := w.Executions
	// Codes of lifelines are small and dense, so that a slice serves as the map from lifeline to lane.
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
		// Only executions without a caller: callees lie within them and would count twice.
		if x.Depth[i] == 0 {
			l.busyNs += min(x.FinishNs[i], w.ToNs) - max(x.StartNs[i], w.FromNs)
		}
		l.count(w, x.StartNs[i])
		l.count(w, x.FinishNs[i])
	}
	// 2. Lifelines without executions in the window have no lane, unless the path visits them.
	lanes = slices.DeleteFunc(lanes, func(l Lane) bool { return l.rows == 0 })
	return w.addPath(lanes)
}

// count counts an event of the lane if it lies in the window.
func (l *Lane) count(w *Window, ns int64) {
	if w.inside(ns) {
		l.events++
	}
}

// addPath marks the lanes of the components on the path, and adds those without executions.
func (w *Window) addPath(lanes []Lane) []Lane {
	onPath, pathNs := make([]bool, w.names().Components.Len()), make([]int64, w.names().Components.Len())
	// Times on the path are cut to the window, as a picture shows no more.
	for _, s := range w.Path {
		if s.TargetNs < w.FromNs || s.SourceNs > w.ToNs {
			continue
		}
		onPath[s.Component] = true
		pathNs[s.Component] += min(s.TargetNs, w.ToNs) - max(s.SourceNs, w.FromNs)
		if s.Message && s.Sender != schema.NoCode {
			onPath[s.Sender] = true
		}
	}
	for i := range lanes {
		lanes[i].onPath, lanes[i].pathNs = onPath[lanes[i].component], pathNs[lanes[i].component]
	}
	// A component that only the path visits has a lane of one level, without executions.
	for c, is := range onPath {
		code := schema.Code(c)
		if is && !slices.ContainsFunc(lanes, func(l Lane) bool { return l.component == code }) {
			lanes = append(lanes, Lane{
				Name: w.names().Components.Name(code), Levels: 1,
				component: code, lifeline: schema.NoCode, first: math.MaxInt64, onPath: true, pathNs: pathNs[c],
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

// choose keeps the lanes in which the path spends the longest time, and fills up with the lanes that are busy for the longest time,
// since only what takes time can be seen. Lanes without an event in the window come last: one execution lasts through all of it.
func (w *Window) choose(lanes []Lane, most int) ([]Lane, Rest) {
	// In this order: on the path, for how long, with any event, busy for how long, how many events; then by name, so that it is decided.
	slices.SortFunc(lanes, func(x, y Lane) int {
		if x.onPath != y.onPath {
			return -sign(x.onPath)
		}
		if x.pathNs != y.pathNs {
			return cmp.Compare(y.pathNs, x.pathNs)
		}
		if (x.events > 0) != (y.events > 0) {
			return -sign(x.events > 0)
		}
		return cmp.Or(cmp.Compare(y.busyNs, x.busyNs), cmp.Compare(y.events, x.events), cmp.Compare(x.Name, y.Name))
	})
	keep := min(most, len(lanes))
	rest := Rest{Quieter: len(lanes) - keep, Silent: max(w.Components-w.present(lanes), 0)}
	for _, l := range lanes[keep:] {
		rest.Executions += l.rows
	}
	return lanes[:keep], rest
}

// sign returns 1 for true and -1 for false.
func sign(is bool) int {
	if is {
		return 1
	}
	return -1
}

// present returns the number of components that have a lane.
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

// order sorts lanes for reading: a component stands below the one that first sent it a message, so most arrows are
// short. Those without such a sender begin anew, in the order of their first event; the lifelines of a component
// stand together.
// Lanes of a partition come in the order of their first events. Some components may be asked to stand above all others.
func (w *Window) order(lanes []Lane, asked []string) {
	if w.Grouped != "" {
		slices.SortFunc(lanes, func(x, y Lane) int { return cmp.Or(cmp.Compare(x.first, y.first), cmp.Compare(x.Name, y.Name)) })
		return
	}
	t := newCallTree(w, lanes)
	// Components are numbered depth-first: what a component calls stands below it.
	rank := make([]int, len(t.first))
	n := 0
	for _, c := range t.children(schema.NoCode) {
		n = t.number(c, n, rank)
	}
	for i, name := range asked {
		if c := slices.IndexFunc(lanes, func(l Lane) bool { return w.names().Components.Name(l.component) == name }); c >= 0 {
			rank[lanes[c].component] = i - len(asked)
		}
	}
	slices.SortFunc(lanes, func(x, y Lane) int {
		return cmp.Or(cmp.Compare(rank[x.component], rank[y.component]), cmp.Compare(x.first, y.first), cmp.Compare(x.Name, y.Name))
	})
}

// callTree is the forest of components by who called them first.
type callTree struct {
	first  []int64       // by component: its first event; NoValue where it has no lane
	caller []schema.Code // by component; NoCode for a root
}

// newCallTree finds the callers among the components that have lanes. A component can only have a caller whose first
// event is before its own.
func newCallTree(w *Window, lanes []Lane) *callTree {
	n := w.names().Components.Len()
	t := &callTree{first: make([]int64, n), caller: make([]schema.Code, n)}
	for i := range t.first {
		t.first[i], t.caller[i] = schema.NoValue, schema.NoCode
	}
	for _, l := range lanes {
		if t.first[l.component] == schema.NoValue || l.first < t.first[l.component] {
			t.first[l.component] = l.first
		}
	}
	// Of several messages the first one decides who is the caller.
	received := make([]int64, n) // the receive event of the message that decides, by component
	m := w.Messages
	for i, to := range m.Receiver {
		from, seq := m.Sender[i], m.ReceiveSeq[i]
		known := t.first[to] != schema.NoValue && t.first[from] != schema.NoValue && t.first[from] < t.first[to]
		if known && (t.caller[to] == schema.NoCode || seq < received[to]) {
			t.caller[to], received[to] = from, seq
		}
	}
	return t // without cycles, as callers are earlier
}

// children returns the components of a caller, in the order of their first events.
func (t *callTree) children(caller schema.Code) (found []schema.Code) {
	for c, by := range t.caller {
		if by == caller && t.first[c] != schema.NoValue {
			found = append(found, schema.Code(c))
		}
	}
	slices.SortFunc(found, func(x, y schema.Code) int {
		return cmp.Or(cmp.Compare(t.first[x], t.first[y]), cmp.Compare(x, y))
	})
	return found
}

// number gives ranks from n on to a component and all below it, and returns the next free rank.
func (t *callTree) number(c schema.Code, n int, rank []int) int {
	rank[c] = n
	n++
	for _, child := range t.children(c) {
		n = t.number(child, n, rank)
	}
	return n
}
