package etf

import "github.com/tracelake/tracelake/stages/heap"

// end is the end of an open claim.
type end struct {
	at     int64
	number int64  // of the claim, in the order of starts
	key    uint32 // of its enter, or what else it is found by
}

// before says which end comes first: of equal times that of the claim that was entered last.
func (e end) before(f end) bool { return e.at < f.at || e.at == f.at && e.number > f.number }

// newEnds returns the ends to come, the earliest first.
func newEnds() heap.Heap[end] { return heap.New(end.before) }
