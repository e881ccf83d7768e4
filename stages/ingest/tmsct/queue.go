package tmsct

// queue holds the events that wait for nothing any more, the earliest first: a binary heap by time and place
// in the text.
type queue struct {
	events []event
	heap   []int32
}

func (q *queue) less(a, b int32) bool {
	if s, t := q.events[a].timeNs, q.events[b].timeNs; s != t {
		return s < t
	}
	return a < b
}

func (q *queue) push(i int32) {
	q.heap = append(q.heap, i)
	for at := len(q.heap) - 1; at > 0; {
		up := (at - 1) / 2
		if !q.less(q.heap[at], q.heap[up]) {
			return
		}
		q.heap[at], q.heap[up] = q.heap[up], q.heap[at]
		at = up
	}
}

func (q *queue) pop() int32 {
	first, last := q.heap[0], len(q.heap)-1
	q.heap[0], q.heap = q.heap[last], q.heap[:last]
	for at := 0; ; {
		least := at
		for down := 2*at + 1; down <= 2*at+2 && down < last; down++ {
			if q.less(q.heap[down], q.heap[least]) {
				least = down
			}
		}
		if least == at {
			return first
		}
		q.heap[at], q.heap[least] = q.heap[least], q.heap[at]
		at = least
	}
}
