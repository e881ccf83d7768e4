package extsort

import "github.com/tracelake/tracelake/stages/heap"

// headRun is a sorted run that is being merged, known by its next record.
type headRun[T any] struct {
	rest   []T // records of the run that are in memory and not yet visited; never empty
	number int // of the run, in the order in which the runs came
}

// runHeap holds the runs that are being merged, the one with the least next record first. Of equal records that of the
// run with the lower number comes first, which keeps the sort stable.
type runHeap[T any] struct {
	heap.Heap[headRun[T]]
	before func(a, b headRun[T]) bool
}

// newRunHeap returns a heap without runs.
func newRunHeap[T any](compare func(a, b *T) int) runHeap[T] {
	before := func(a, b headRun[T]) bool {
		if c := compare(&a.rest[0], &b.rest[0]); c != 0 {
			return c < 0
		}
		return a.number < b.number
	}
	return runHeap[T]{heap.New(before), before}
}

// endsBefore reports whether the last record of a run comes before the next one of another run.
func (h *runHeap[T]) endsBefore(a, b headRun[T]) bool {
	return h.before(headRun[T]{a.rest[len(a.rest)-1:], a.number}, b)
}

// visitFirst visits the least record of all runs. If its run is used up then, more returns further records of the run,
// or none at its end.
func (h *runHeap[T]) visitFirst(visit func(*T) error, more func(number int) ([]T, error)) (err error) {
	first := h.First()
	if err := visit(&first.rest[0]); err != nil {
		return err
	}
	if first.rest = first.rest[1:]; len(first.rest) == 0 {
		if first.rest, err = more(first.number); err != nil {
			return err
		}
		if len(first.rest) == 0 {
			h.Pop()
			return nil
		}
	}
	h.FixFirst()
	return nil
}
