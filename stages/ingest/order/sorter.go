package order

import (
	"errors"
	"unsafe"

	"github.com/tracelake/tracelake/schema"
)

// leastRecords is how many records a Sorter holds at least, whatever memory it is given.
const leastRecords = 1 << 10

// Sorter sorts records in bounded memory. T must hold no pointers, strings or slices, since records may leave memory
// as bytes. Equal records keep the order in which they came.
type Sorter[T any] struct {
	compare func(a, b *T) int
	scratch func() (schema.Scratch, error)
	most    int // records in memory

	held    []T
	aside   []T  // half as many, for sorting
	sorted  bool // held is in order as it is
	file    schema.Scratch
	written int64 // bytes in file
	runs    []run
}

// run is a sorted part of the scratch file.
type run struct{ from, to int64 }

// NewSorter returns a sorter that uses up to memory bytes, of which a third is for sorting.
func NewSorter[T any](compare func(a, b *T) int, memory int64, scratch func() (schema.Scratch, error)) *Sorter[T] {
	var record T
	most := max(leastRecords, int(memory/int64(unsafe.Sizeof(record)))*2/3)
	return &Sorter[T]{compare: compare, scratch: scratch, most: most, sorted: true}
}

// Add takes a record. Its error is that of the scratch file.
func (s *Sorter[T]) Add(r T) error {
	if len(s.held) == s.most {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.held = append(s.held, r)
	if n := len(s.held); s.sorted && n > 1 && s.compare(&s.held[n-2], &s.held[n-1]) > 0 {
		s.sorted = false
	}
	return nil
}

// sort brings what is held into order.
func (s *Sorter[T]) sort() {
	if s.sorted {
		return
	}
	if room := len(s.held)/2 + 1; cap(s.aside) < room {
		s.aside = make([]T, room)
	}
	sortStable(s.held, s.aside[:cap(s.aside)], s.compare)
	s.sorted = true
}

// spill writes what is held to the scratch file as one run.
func (s *Sorter[T]) spill() error {
	if s.file == nil {
		f, err := s.scratch()
		if err != nil {
			return err
		}
		s.file = f
	}
	s.sort()
	raw := bytesOf(s.held)
	if _, err := s.file.WriteAt(raw, s.written); err != nil {
		return err
	}
	s.runs = append(s.runs, run{s.written, s.written + int64(len(raw))})
	s.written += int64(len(raw))
	s.held = s.held[:0]
	return nil
}

// Each visits every record once, in order, and stops at the error of visit. The record lasts until visit returns.
// Afterwards the sorter is empty.
func (s *Sorter[T]) Each(visit func(*T) error) error {
	defer s.clear()
	if len(s.runs) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
		s.held, s.aside = nil, nil
		return s.merge(visit)
	}
	s.sort()
	for i := range s.held {
		if err := visit(&s.held[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sorter[T]) clear() {
	s.held, s.runs, s.written, s.sorted = s.held[:0], nil, 0, true
}

// Close gives the scratch file back.
func (s *Sorter[T]) Close() error {
	s.clear()
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	return f.Close()
}

// bytesOf is the memory of records.
func bytesOf[T any](records []T) []byte {
	if len(records) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&records[0])), len(records)*int(unsafe.Sizeof(records[0])))
}

var errShort = errors.New("the scratch file is shorter than what was written to it")
