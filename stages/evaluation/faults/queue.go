package faults

// queue is a heap of the events that a fault still has to shift, with the one first that no other can shift
// again: the first in time where a fault goes right, the last where it goes left. Its order is that of
// the reference trace, as all edges lead forward in it.
type queue struct {
	chart  *Chart
	left   bool
	events []int32
}

func (q *queue) before(a, b int32) bool {
	if q.left {
		return q.chart.compare(a, b) > 0
	}
	return q.chart.compare(a, b) < 0
}

// push puts an event into the queue: from the end up to below the first that goes before it.
func (q *queue) push(event int32) {
	q.events = append(q.events, event)
	i := len(q.events) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !q.before(event, q.events[up]) {
			break
		}
		q.events[i] = q.events[up]
		i = up
	}
	q.events[i] = event
}

// pop takes the first event out of a queue that is not empty. The last one takes its place and sinks until it goes
// before both below it.
func (q *queue) pop() int32 {
	first, n := q.events[0], len(q.events)-1
	last := q.events[n]
	q.events = q.events[:n]
	if n == 0 {
		return first
	}
	i := 0
	for {
		down := 2*i + 1
		if down >= n {
			break
		}
		if down+1 < n && q.before(q.events[down+1], q.events[down]) {
			down++
		}
		if !q.before(q.events[down], last) {
			break
		}
		q.events[i] = q.events[down]
		i = down
	}
	q.events[i] = last
	return first
}
