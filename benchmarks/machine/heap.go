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

// agenda is a binary heap of turns, one a component at most. container/heap would box every turn.
type agenda []turn

func (h *agenda) push(t turn) {
	*h = append(*h, t)
	a := *h
	i := len(a) - 1
	for i > 0 && t.before(a[(i-1)/2]) {
		a[i] = a[(i-1)/2]
		i = (i - 1) / 2
	}
	a[i] = t
}

func (h *agenda) pop() turn {
	a := *h
	first, last := a[0], a[len(a)-1]
	a = a[:len(a)-1]
	*h = a
	if len(a) > 0 {
		a.sink(last)
	}
	return first
}

// sink puts t, which takes the place of the root, where it belongs.
func (a agenda) sink(t turn) {
	i := 0
	for {
		child := 2*i + 1
		if child >= len(a) {
			break
		}
		if child+1 < len(a) && a[child+1].before(a[child]) {
			child++
		}
		if !a[child].before(t) {
			break
		}
		a[i] = a[child]
		i = child
	}
	a[i] = t
}
