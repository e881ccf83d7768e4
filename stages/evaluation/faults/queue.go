package faults

import "github.com/tracelake/tracelake/stages/heap"

// queue holds the events that a fault still has to shift, with the one first that no other can shift again: the
// first in time where a fault goes right, the last where it goes left. Its order is that of the reference trace, as
// all edges lead forward in it.
type queue struct {
	heap.Heap[int32]
	left bool // the fault makes events earlier; may change only while the queue is empty
}

// newQueue returns an empty queue of events of a chart.
func newQueue(c *Chart) *queue {
	q := new(queue)
	q.Heap = heap.New(func(a, b int32) bool {
		if q.left {
			return c.compare(a, b) > 0
		}
		return c.compare(a, b) < 0
	})
	return q
}
