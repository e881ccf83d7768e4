package extsort

import (
	"errors"
	"math"
	"slices"
	"unsafe"

	"github.com/tracelake/tracelake/schema"
)

// leastRecords is the minimum number of records that a Sorter holds, whatever memory it is given.
const leastRecords = 1 << 10

// firstRecords is the number of records that the first piece has room for at first: most traces that are read by the thousand are small.
const firstRecords = 1 << 6

// pieceRecords is the number of records that are sorted at a time, so that they stay in the cache.
const pieceRecords = 1 << 14

// longRun is the average length in records from which on the ordered runs of a piece are left as they are: with shorter
// ones, moving the records is cheaper than finding the next run for each.
const longRun = 6

// Sorter sorts records in bounded memory. T must hold no pointers, strings or slices, since records may leave memory
// as bytes. Equal records keep the order in which they came.
type Sorter[T any] struct {
	compare func(a, b *T) int              // below 0 if a comes before b, 0 for equal ones
	scratch func() (schema.Scratch, error) // makes the scratch file, asked once
	most    int                            // records in memory
	room    int                            // of a piece, in records

	held   [][]T   // pieces, all of them full but the last
	spare  [][]T   // pieces that were spilt
	starts []int32 // of the ordered runs in held, counted in records; one where each piece starts
	first  int     // of starts: that of the last piece
	aside  []T     // half a piece, for sorting and for writing

	file    schema.Scratch // nil until memory was full for the first time
	written int64          // bytes in file
	runs    []run
}

// run is a sorted part of the scratch file.
type run struct{ from, to int64 }

// NewSorter returns a sorter that uses up to memory bytes, an eighth of them for the bookkeeping of runs.
func NewSorter[T any](compare func(a, b *T) int, memory int64, scratch func() (schema.Scratch, error)) *Sorter[T] {
	var record T
	// Positions of records are 32 bits.
	most := min(max(leastRecords, int(memory/int64(unsafe.Sizeof(record)))/8*7), math.MaxInt32)
	return &Sorter[T]{compare: compare, scratch: scratch, most: most, room: min(pieceRecords, most)}
}

// Add takes a record. Its error is that of the scratch file.
func (s *Sorter[T]) Add(r T) error {
	last := len(s.held) - 1
	if last < 0 || len(s.held[last]) == s.room {
		if err := s.open(); err != nil {
			return err
		}
		last = len(s.held) - 1
	}
	piece := s.held[last]
	// A sorter for a small trace must not take a whole piece, so the first one doubles until it is full.
	if n := len(piece); n == cap(piece) {
		piece = slices.Grow(piece, min(s.room, max(firstRecords, 2*n))-n) // the first piece may be all there is
	}
	piece = append(piece, r)
	s.held[last] = piece
	// A new run begins here. They are counted until the piece is sure to be sorted as a whole.
	if n := len(piece); n > 1 && len(s.starts)-s.first <= s.room/longRun && s.compare(&piece[n-2], &piece[n-1]) > 0 {
		s.starts = append(s.starts, int32(last*s.room+n-1))
	}
	return nil
}

// open starts a piece.
func (s *Sorter[T]) open() error {
	s.sort()
	if (len(s.held)+1)*s.room > s.most {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.first = len(s.starts)
	s.starts = append(s.starts, int32(len(s.held)*s.room))
	var piece []T
	if n := len(s.spare); n > 0 {
		piece, s.spare = s.spare[n-1], s.spare[:n-1]
	} else if len(s.held) > 0 {
		piece = make([]T, 0, s.room)
	}
	s.held = append(s.held, piece)
	return nil
}

// sort brings the last piece into order if its runs are short.
func (s *Sorter[T]) sort() {
	if len(s.held) == 0 {
		return
	}
	piece := s.held[len(s.held)-1]
	// One run is in order, and few long ones are merged where they lie.
	if runs := len(s.starts) - s.first; runs == 1 || runs <= len(piece)/longRun {
		return
	}
	sortStable(piece, s.half(len(piece)), s.compare)
	s.starts = s.starts[:s.first+1]
}

// half is room for half of a piece that has so many records, or more room.
func (s *Sorter[T]) half(records int) []T {
	if n := records/2 + 1; len(s.aside) < n {
		s.aside = make([]T, n)
	}
	return s.aside
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
	// Records leave by way of a buffer, as the merge visits them one by one and each lies elsewhere.
	from, full := s.written, s.half(s.room)
	out := full[:0]
	err := s.mergeRuns(func(r *T) (err error) {
		if len(out) == len(full) {
			err, out = s.put(out), out[:0]
		}
		out = append(out, *r)
		return err
	}, nil)
	if err == nil {
		err = s.put(out)
	}
	s.runs = append(s.runs, run{from, s.written})
	s.empty()
	return err
}

// put writes records behind what was written.
func (s *Sorter[T]) put(records []T) error {
	raw := bytesOf(records)
	_, err := s.file.WriteAt(raw, s.written)
	s.written += int64(len(raw))
	return err
}

// Each visits every record once, in order, and stops at the error of visit. The record lasts until visit returns.
// Afterwards the sorter is empty. The memory of records goes as they are visited.
func (s *Sorter[T]) Each(visit func(*T) error) error {
	return s.Pour(nil, visit)
}

// Pour is Each, and where all records are in memory that of those that were visited is for another sorter, which visit adds to.
func (s *Sorter[T]) Pour(into *Sorter[T], visit func(*T) error) error {
	defer s.Clear()
	s.sort()
	if len(s.runs) > 0 {
		return s.Visit(visit)
	}
	left := make([]int32, len(s.held)) // of the runs of each piece those that are not visited
	for _, from := range s.starts {
		left[int(from)/s.room]++
	}
	return s.mergeRuns(visit, func(number int) {
		at := int(s.starts[number]) / s.room
		if left[at]--; left[at] > 0 {
			return
		}
		piece := s.held[at]
		s.held[at] = nil
		if into != nil && cap(piece) == into.room {
			into.spare = append(into.spare, piece[:0])
		}
	})
}

// Visit visits every record in order, as Each does, and keeps all of them for another visit. The records are not to be changed.
func (s *Sorter[T]) Visit(visit func(*T) error) error {
	s.sort()
	if len(s.runs) == 0 {
		return s.mergeRuns(visit, nil)
	}
	if len(s.held) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	// The read buffers of the merge take the place of the pieces, so that memory stays within its bound.
	s.spare, s.aside = nil, nil
	return s.mergeSpilt(visit)
}

// empty leaves nothing in memory.
func (s *Sorter[T]) empty() {
	for _, piece := range s.held {
		if piece != nil { // its memory did not go while it was visited
			s.spare = append(s.spare, piece[:0])
		}
	}
	s.held, s.starts = s.held[:0], s.starts[:0]
}

// Clear forgets all records.
func (s *Sorter[T]) Clear() {
	s.empty()
	s.runs, s.written = nil, 0
}

// Close gives the scratch file back.
func (s *Sorter[T]) Close() error {
	s.Clear()
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
