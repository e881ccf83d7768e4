package machine

// turn is the next event of a component. Two turns at the same time are taken in the order of the
// components, so the order does not depend on the shape of the heap.
type turn struct {
	timeNs    int64
	component int32
}

func (a turn) before(b turn) bool {
	return a.timeNs < b.timeNs || a.timeNs == b.timeNs && a.component < b.component
}
