package extsort

import (
	"cmp"
	"slices"
)

// weave visits the records that are held in order without moving them. Where records come in runs, such as the events
// of one request after those of another, few runs overlap at any place: only those lie in the heap.
func (s *Sorter[T]) weave(visit func(*T) error) error {
	waiting := s.runsByHead()
	none := func(int) ([]T, error) { return nil, nil }
	h := heap[T]{compare: s.compare}
	for len(waiting) > 0 {
		next := s.heldRun(waiting[0])
		waiting = waiting[1:]
		for len(h.entries) > 0 && h.before(&h.entries[0], &next) { // what comes before the next run
			if len(h.entries) == 1 && h.over(&h.entries[0], &next) {
				if err := each(h.entries[0].rest, visit); err != nil {
					return err
				}
				h.entries = h.entries[:0]
			} else if err := h.pass(visit, none); err != nil {
				return err
			}
		}
		h.push(next)
	}
	for len(h.entries) > 1 {
		if err := h.pass(visit, none); err != nil {
			return err
		}
	}
	if len(h.entries) == 0 {
		return nil
	}
	return each(h.entries[0].rest, visit)
}

func each[T any](records []T, visit func(*T) error) error {
	for i := range records {
		if err := visit(&records[i]); err != nil {
			return err
		}
	}
	return nil
}

// runsByHead numbers the runs that are held, in the order of their first records.
func (s *Sorter[T]) runsByHead() []int32 {
	byHead := make([]int32, len(s.starts))
	for i := range byHead {
		byHead[i] = int32(i)
	}
	slices.SortFunc(byHead, func(a, b int32) int {
		if c := s.compare(s.headOf(a), s.headOf(b)); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	return byHead
}

// headOf is the first record of a run that is held.
func (s *Sorter[T]) headOf(number int32) *T {
	at := int(s.starts[number])
	return &s.held[at/s.room][at%s.room]
}

// heldRun is a run that is held. It ends with its piece at the latest.
func (s *Sorter[T]) heldRun(number int32) entry[T] {
	at := int(s.starts[number])
	piece, from := s.held[at/s.room], at%s.room
	to := len(piece)
	if next := int(number) + 1; next < len(s.starts) {
		to = min(to, from+int(s.starts[next])-at)
	}
	return entry[T]{piece[from:to], int(number)}
}
