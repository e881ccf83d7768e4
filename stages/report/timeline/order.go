package timeline

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// order sorts lanes for reading: a component stands below the one that first sent it a message, so most arrows are
// short. Those without such a sender begin anew, in the order of their first event; the lifelines of a component
// stand together.
func (w *Window) order(lanes []Lane) {
	t := newCallTree(w, lanes)
	rank := make([]int, len(t.first))
	n := 0
	for _, c := range t.children(schema.NoCode) {
		n = t.number(c, n, rank)
	}
	slices.SortFunc(lanes, func(x, y Lane) int {
		return cmp.Or(cmp.Compare(rank[x.component], rank[y.component]), cmp.Compare(x.first, y.first), cmp.Compare(x.Name, y.Name))
	})
}

// callTree says which component called which first.
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

// children are the components that have the caller, in the order of their first events.
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
