package signals

import (
	"errors"
	"io"

	"github.com/tracelake/tracelake/stages/heap"
)

// stretch is a time on which the same intervals are active.
type stretch struct {
	fromNs, toNs int64
	value, rate  float64 // sums of what is active: of the values, and of the values by the lengths
	instants     float64 // the sum of the values of what takes no time, at its beginning
}

// sweep goes along intervals and gives stretch after stretch. It keeps those that are active, and no others.
type sweep struct {
	*Quantity
	next  Intervals
	rated bool // rates are asked for

	ahead  Interval // the next one that begins, where ended is nil
	ended  error
	active heap.Heap[ending]
	value  exact
	rate   exact

	at       int64
	instants float64
	instant  int64 // intervals of no length so far
	before   exact // what was done before the span: of each interval its value by the share of its length
}

// ending is the end of an interval that is active.
type ending struct {
	toNs        int64
	value, rate float64
}

// sweep opens the intervals, of which the rates are asked for, or the values alone.
func (q *Quantity) sweep(rated bool) *sweep {
	next, err := q.Open()
	if err != nil {
		next = func() (Interval, error) { return Interval{}, err }
	}
	w := &sweep{Quantity: q, next: next, rated: rated, at: q.Over.FromNs}
	// What ends at one time ends in an order of its own, so that sums are the same in whatever order intervals of one time begin.
	w.active = heap.New(func(a, b ending) bool {
		return a.toNs < b.toNs || a.toNs == b.toNs && (a.value < b.value || a.value == b.value && a.rate < b.rate)
	})
	w.ahead, w.ended = next()
	return w
}

// stretch reads the next stretch, and returns io.EOF behind the last one. Then all intervals have been read.
func (w *sweep) stretch(s *stretch) error {
	for {
		begins := w.ended == nil
		if !begins && !errors.Is(w.ended, io.EOF) {
			return w.ended
		}
		// What begins where another ends follows it.
		if begins && w.active.Len() > 0 && w.active.First().toNs <= w.ahead.FromNs {
			begins = false
		}
		change := w.Over.ToNs
		switch {
		case begins:
			change = min(change, w.ahead.FromNs)
		case w.active.Len() > 0:
			change = min(change, w.active.First().toNs)
		}
		if change > w.at {
			// Field by field, as a whole one is put together elsewhere and then copied, which is slow for what comes this often.
			s.fromNs, s.toNs, s.value, s.rate, s.instants = w.at, change, w.value.value(), w.rate.value(), w.instants
			w.at, w.instants = change, 0
			return nil
		}
		switch {
		case begins:
			w.begin()
		case w.active.Len() > 0:
			w.end()
		default:
			w.Instants = w.instant
			return io.EOF
		}
	}
}

// begin has the interval ahead begin.
func (w *sweep) begin() {
	i := w.ahead
	w.ahead, w.ended = w.next()
	if i.ToNs <= i.FromNs {
		w.instants += i.Value
		w.instant++
		return
	}
	e := ending{toNs: i.ToNs, value: i.Value}
	w.value.add(e.value)
	if w.rated {
		length := i.ToNs - i.FromNs
		e.rate = i.Value * float64(w.PerNs) / float64(length)
		w.rate.add(e.rate)
		if i.FromNs < w.Over.FromNs {
			w.before.add(i.Value * float64(min(i.ToNs, w.Over.FromNs)-i.FromNs) / float64(length))
		}
	}
	w.active.Push(e)
}

// end has the interval end that ends first.
func (w *sweep) end() {
	e := w.active.Pop()
	w.value.add(-e.value)
	if w.rated {
		w.rate.add(-e.rate)
	}
	if w.active.Len() == 0 {
		w.value, w.rate = exact{}, exact{}
	}
}
