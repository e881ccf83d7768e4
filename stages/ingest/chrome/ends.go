package chrome

import "github.com/tracelake/tracelake/stages/heap"

// ending is the end of a complete call.
type ending struct {
	until, number int64
	lane          *lane
}

// ends are the ends to come, the earliest first, and of one time the call that began last. Most calls call nothing and
// end before any other does, so the first one is kept by itself while it is known, and such calls never reach the heap.
type ends struct {
	first ending
	known bool // first is before all of later
	later heap.Heap[ending]
}

func newEnds() ends { return ends{later: heap.New(ending.before)} }

func (e *ends) push(new ending) {
	switch {
	case e.known && new.before(e.first):
		e.later.Push(e.first)
		e.first = new
	case !e.known && (e.later.Len() == 0 || new.before(*e.later.First())):
		e.first, e.known = new, true
	default:
		e.later.Push(new)
	}
}

// popBefore takes the first one, if it is before a time.
func (e *ends) popBefore(timeNs int64) (first ending, ok bool) {
	switch {
	case e.known && e.first.until < timeNs:
		e.known = false
		return e.first, true
	case e.later.Len() > 0 && e.later.First().until < timeNs:
		return e.later.Pop(), true
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
