package timeline

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// end is an end of an execution: the event that enters or leaves it.
type end struct {
	seq       int64
	component schema.Code
	row       int32 // in Executions
	finish    bool
}

// events finds the executions to which events belong.
type events struct {
	x    *schema.Executions
	ends []end // by component and sequence number
}

// newEvents sorts the ends of executions, so that an event is found by bisection and no map is needed.
func newEvents(x *schema.Executions) *events {
	e := &events{x: x, ends: make([]end, 0, 2*len(x.Execution))}
	for i := range x.Execution {
		e.ends = append(e.ends, end{x.Execution[i], x.Component[i], int32(i), false}, end{x.FinishSeq[i], x.Component[i], int32(i), true})
	}
	slices.SortFunc(e.ends, compareEnds)
	return e
}

// compareEnds orders by component, as messages tell the component of their events and not the lifeline.
func compareEnds(x, y end) int {
	return cmp.Or(cmp.Compare(x.component, y.component), cmp.Compare(x.seq, y.seq))
}

// find returns the end of an execution that is the event, or, for a further message of an event, the one before it
// on its component. It is not exact, and may be another lifeline's, where the event's own is not in the window.
func (e *events) find(component schema.Code, seq int64) (at end, exact, found bool) {
	i, exact := slices.BinarySearchFunc(e.ends, end{component: component, seq: seq}, compareEnds)
	if !exact {
		i--
	}
	if i < 0 || e.ends[i].component != component {
		return end{}, false, false
	}
	return e.ends[i], exact, true
}

// level is how many executions are open on the lifeline right after the event.
func (e *events) level(at end) int {
	depth := int(e.x.Depth[at.row])
	if at.finish {
		return depth
	}
	return depth + 1
}

// inOrder are the executions in the order of their starts, in which callers precede what they call.
func inOrder(x *schema.Executions) []int32 {
	rows := make([]int32, len(x.Execution))
	for i := range rows {
		rows[i] = int32(i)
	}
	slices.SortFunc(rows, func(a, b int32) int { return cmp.Compare(x.Execution[a], x.Execution[b]) })
	return rows
}

// bySend are the messages in the order of their send events.
func bySend(m *schema.Messages) []int32 {
	rows := make([]int32, len(m.SendSeq))
	for i := range rows {
		rows[i] = int32(i)
	}
	slices.SortFunc(rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(m.SendSeq[a], m.SendSeq[b]), cmp.Compare(m.ReceiveSeq[a], m.ReceiveSeq[b]))
	})
	return rows
}
