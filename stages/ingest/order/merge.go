package order

import (
	"io"
	"unsafe"
)

// runBytes is how much of a run is read at a time.
const runBytes = 1 << 18

// runReader reads the records of one run.
type runReader[T any] struct {
	file    io.ReaderAt
	at      run
	records []T
	next    int
}

// head is the next record, or nil at the end of the run.
func (r *runReader[T]) head() (*T, error) {
	if r.next < len(r.records) {
		return &r.records[r.next], nil
	}
	var record T
	size := int64(unsafe.Sizeof(record))
	n := min(int64(cap(r.records)), (r.at.to-r.at.from)/size)
	if n == 0 {
		return nil, nil
	}
	r.records, r.next = r.records[:n], 0
	raw := bytesOf(r.records)
	if got, err := r.file.ReadAt(raw, r.at.from); got < len(raw) {
		if err == nil || err == io.EOF {
			err = errShort
		}
		return nil, err
	}
	r.at.from += int64(len(raw))
	return &r.records[0], nil
}

// merge visits the records of all runs in order: a binary heap of runs by their heads, equals by the runs' order.
func (s *Sorter[T]) merge(visit func(*T) error) error {
	h := heap[T]{compare: s.compare}
	var record T
	room := max(1, min(runBytes, int64(s.most)*int64(unsafe.Sizeof(record))/int64(len(s.runs)))/int64(unsafe.Sizeof(record)))
	for i, at := range s.runs {
		r := &runReader[T]{file: s.file, at: at, records: make([]T, 0, room)}
		head, err := r.head()
		if err != nil {
			return err
		}
		if head != nil {
			h.push(entry[T]{head, r, i})
		}
	}
	for len(h.entries) > 0 {
		e := &h.entries[0]
		if err := visit(e.head); err != nil {
			return err
		}
		e.reader.next++
		head, err := e.reader.head()
		if err != nil {
			return err
		}
		h.replace(head)
	}
	return nil
}

// entry is a run in the heap.
type entry[T any] struct {
	head   *T
	reader *runReader[T]
	number int
}

type heap[T any] struct {
	compare func(a, b *T) int
	entries []entry[T]
}

func (h *heap[T]) before(a, b int) bool {
	x, y := &h.entries[a], &h.entries[b]
	if c := h.compare(x.head, y.head); c != 0 {
		return c < 0
	}
	return x.number < y.number
}

func (h *heap[T]) push(e entry[T]) {
	h.entries = append(h.entries, e)
	for i := len(h.entries) - 1; i > 0 && h.before(i, (i-1)/2); i = (i - 1) / 2 {
		h.entries[i], h.entries[(i-1)/2] = h.entries[(i-1)/2], h.entries[i]
	}
}

// replace gives the first run its new head, nil where it has ended, and lets it sink.
func (h *heap[T]) replace(head *T) {
	if last := len(h.entries) - 1; head == nil {
		h.entries[0] = h.entries[last]
		h.entries = h.entries[:last]
	} else {
		h.entries[0].head = head
	}
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h.entries); child++ {
			if h.before(child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		h.entries[i], h.entries[least] = h.entries[least], h.entries[i]
		i = least
	}
}
