package extsort

import (
	"io"
	"unsafe"
)

// runBytes is how much of a run is read or written at a time.
const runBytes = 1 << 18

// runReader reads the records of one run.
type runReader[T any] struct {
	file    io.ReaderAt
	at      run
	records []T
}

// more is the next records, none at the end of the run. They last until it is called again.
func (r *runReader[T]) more() ([]T, error) {
	var record T
	size := int64(unsafe.Sizeof(record))
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

// merge visits the records of all runs of the scratch file in order.
func (s *Sorter[T]) merge(visit func(*T) error) error {
	var record T
	room := max(1, min(runBytes, int64(s.most)*int64(unsafe.Sizeof(record))/int64(len(s.runs)))/int64(unsafe.Sizeof(record)))
	readers := make([]runReader[T], len(s.runs))
	more := func(number int) ([]T, error) { return readers[number].more() }
	h := heap[T]{compare: s.compare}
	for i, at := range s.runs {
		readers[i] = runReader[T]{s.file, at, make([]T, 0, room)}
		records, err := more(i)
		if err != nil {
			return err
		}
		if len(records) > 0 {
			h.push(entry[T]{records, i})
		}
	}
	for len(h.entries) > 0 {
		if err := h.pass(visit, more); err != nil {
			return err
		}
	}
	return nil
}
