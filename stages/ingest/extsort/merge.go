package extsort

import (
	"cmp"
	"io"
	"slices"
	"unsafe"
)

// runBytes is the number of bytes of a run that are read or written at a time.
const runBytes = 1 << 18

// runReader reads the records of one run.
type runReader[T any] struct {
	file    io.ReaderAt // the scratch file, owned by the sorter
	at      run         // bytes that are not yet read
	records []T         // read buffer; its capacity is one read
}

// more returns the next records, none at the end of the run. They are valid until the next call.
func (r *runReader[T]) more() ([]T, error) {
	var record T
	size := int64(unsafe.Sizeof(record))
	// A run is a whole number of records, so a read ends between two of them.
	n := min(int64(cap(r.records)), (r.at.to-r.at.from)/size)
	records := r.records[:n]
	raw := bytesOf(records)
	if got, err := r.file.ReadAt(raw, r.at.from); got < len(raw) {
		if err == nil || err == io.EOF {
			err = errShort
		}
		return nil, err
	}
	r.at.from += int64(len(raw))
	return records, nil
}

// mergeSpilt visits the records of all runs of the scratch file in order. Each run gets an equal share of the memory
// as its read buffer, of at most runBytes.
func (s *Sorter[T]) mergeSpilt(visit func(*T) error) error {
	var record T
	// All runs are merged at once, in one pass over the scratch file: with many runs the buffers get small, but a
	// second pass would write everything again.
	room := max(1, min(runBytes, int64(s.most)*int64(unsafe.Sizeof(record))/int64(len(s.runs)))/int64(unsafe.Sizeof(record)))
	readers := make([]runReader[T], len(s.runs))
	more := func(number int) ([]T, error) { return readers[number].more() }
	h := newRunHeap(s.compare)
	for i, at := range s.runs {
		readers[i] = runReader[T]{s.file, at, make([]T, 0, room)}
		records, err := more(i)
		if err != nil {
			return err
		}
		if len(records) > 0 {
			h.Push(headRun[T]{records, i})
		}
	}
	for h.Len() > 0 {
		if err := h.visitFirst(visit, more); err != nil {
			return err
		}
	}
	return nil
}

// mergeRuns visits the records in memory in order without moving them. Where records come in runs, such as the events
// of one request after those of another, few runs overlap at any place, and only those lie in the heap: a run enters
// it when its first record is due, so a comparison costs the logarithm of the overlap and not of the number of runs. visited, unless
// nil, hears of each run that is over.
func (s *Sorter[T]) mergeRuns(visit func(*T) error, visited func(number int)) error {
	// Invariant: every record that is not yet visited lies in a run of the heap or of waiting, and no waiting run
	// begins before waiting[0].
	waiting := s.runsByHead()
	over := func(number int) ([]T, error) {
		if visited != nil {
			visited(number)
		}
		return nil, nil
	}
	h := newRunHeap(s.compare)
	for len(waiting) > 0 {
		// Visit whatever comes before this run, then let it in.
		next := s.heldRun(waiting[0])
		waiting = waiting[1:]
		for h.Len() > 0 && h.before(*h.First(), next) { // what comes before the next run
			// A single run that ends before the next one begins needs no comparisons: the usual case of ordered input.
			if h.Len() == 1 && h.endsBefore(*h.First(), next) {
				if err := each(h.First().rest, visit); err != nil {
					return err
				}
				over(h.First().number)
				h.Clear()
			} else if err := h.visitFirst(visit, over); err != nil {
				return err
			}
		}
		h.Push(next)
	}
	// All runs are in the heap. The last one left is visited without comparisons.
	for h.Len() > 1 {
		if err := h.visitFirst(visit, over); err != nil {
			return err
		}
	}
	if h.Len() == 0 {
		return nil
	}
	return each(h.First().rest, visit)
}

// each visits records in their order.
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
	// 32 bits are enough: a sorter holds less than 2^31 records.
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
func (s *Sorter[T]) heldRun(number int32) headRun[T] {
	at := int(s.starts[number])
	piece, from := s.held[at/s.room], at%s.room
	to := len(piece)
	if next := int(number) + 1; next < len(s.starts) {
		to = min(to, from+int(s.starts[next])-at)
	}
	return headRun[T]{piece[from:to], int(number)}
}
