package etf

// end is the end of an open claim.
type end struct {
	at     int64
	number int64  // of the claim, in the order of starts
	key    uint32 // of its enter, or what else it is found by
}

// before says which end comes first: of equal times that of the claim that was entered last.
func (e end) before(f end) bool { return e.at < f.at || e.at == f.at && e.number > f.number }

// ends is a heap of ends.
type ends []end

func (h *ends) push(e end) {
	*h = append(*h, e)
	q := *h
	for i := len(q) - 1; i > 0 && q[i].before(q[(i-1)/2]); i = (i - 1) / 2 {
		q[i], q[(i-1)/2] = q[(i-1)/2], q[i]
	}
}

func (h *ends) pop() end {
	q := *h
	first, last := q[0], len(q)-1
	q[0] = q[last]
	q = q[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if q[child].before(q[least]) {
				least = child
			}
		}
		if least == i {
			break
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
	*h = q
	return first
}
