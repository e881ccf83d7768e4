package chrome

// ending is the end of a complete call.
type ending struct {
	until, number int64
	lane          *lane
}

// ends are the ends to come, the earliest first, and of one time the call that began last. Most calls call nothing and
// end before any other does, so the first one is kept by itself while it is known, and such calls never reach the heap.
type ends struct {
	first ending
	known bool // first is before all of heap
	heap  endingHeap
}

func (e *ends) push(new ending) {
	switch {
	case e.known && new.before(e.first):
		e.heap.push(e.first)
		e.first = new
	case !e.known && (len(e.heap) == 0 || new.before(e.heap[0])):
		e.first, e.known = new, true
	default:
		e.heap.push(new)
	}
}

// popBefore takes the first one, if it is before a time.
func (e *ends) popBefore(timeNs int64) (first ending, ok bool) {
	switch {
	case e.known && e.first.until < timeNs:
		e.known = false
		return e.first, true
	case len(e.heap) > 0 && e.heap[0].until < timeNs:
		return e.heap.pop(), true
	}
	return ending{}, false
}

// before says which of two ends comes first.
func (e ending) before(other ending) bool {
	if e.until != other.until {
		return e.until < other.until
	}
	return e.number > other.number
}

// endingHeap is a binary heap.
type endingHeap []ending

func (h *endingHeap) push(e ending) {
	*h = append(*h, e)
	q := *h
	for i := len(q) - 1; i > 0 && q[i].before(q[(i-1)/2]); i = (i - 1) / 2 {
		q[i], q[(i-1)/2] = q[(i-1)/2], q[i]
	}
}

func (h *endingHeap) pop() ending {
	q := *h
	first, last := q[0], len(q)-1
	q[0] = q[last]
	q = q[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(q); child++ {
			if q[child].before(q[least]) {
				least = child
			}
		}
		if least == i {
			*h = q
			return first
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
}
