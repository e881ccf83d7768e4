package extsort

// entry is a run in the heap.
type entry[T any] struct {
	rest   []T // of the run, as far as it is in memory; never empty
	number int
}

// heap is a binary heap of runs by their heads, equals by the runs' numbers.
type heap[T any] struct {
	compare func(a, b *T) int
	entries []entry[T]
}

func (h *heap[T]) before(a, b *entry[T]) bool {
	if c := h.compare(&a.rest[0], &b.rest[0]); c != 0 {
		return c < 0
	}
	return a.number < b.number
}

// over says whether a run ends before another one begins.
func (h *heap[T]) over(a, b *entry[T]) bool {
	return h.before(&entry[T]{a.rest[len(a.rest)-1:], a.number}, b)
}

func (h *heap[T]) push(e entry[T]) {
	h.entries = append(h.entries, e)
	for i := len(h.entries) - 1; i > 0 && h.before(&h.entries[i], &h.entries[(i-1)/2]); i = (i - 1) / 2 {
		h.entries[i], h.entries[(i-1)/2] = h.entries[(i-1)/2], h.entries[i]
	}
}

// pass visits the least record of all runs. Where its run is used up then, more gives further records of it, or none.
func (h *heap[T]) pass(visit func(*T) error, more func(number int) ([]T, error)) (err error) {
	top := &h.entries[0]
	if err := visit(&top.rest[0]); err != nil {
		return err
	}
	if top.rest = top.rest[1:]; len(top.rest) == 0 {
		if top.rest, err = more(top.number); err != nil {
			return err
		}
		if len(top.rest) == 0 {
			last := len(h.entries) - 1
			h.entries[0], h.entries[last] = h.entries[last], entry[T]{}
			h.entries = h.entries[:last]
		}
	}
	h.sink()
	return nil
}

// sink lets the first entry find its place.
func (h *heap[T]) sink() {
	if len(h.entries) < 2 {
		return
	}
	e, i := h.entries[0], 0
	for {
		child := 2*i + 1
		if next := child + 1; next < len(h.entries) && h.before(&h.entries[next], &h.entries[child]) {
			child = next
		}
		if child >= len(h.entries) || h.before(&e, &h.entries[child]) {
			h.entries[i] = e
			return
		}
		h.entries[i] = h.entries[child]
		i = child
	}
}
