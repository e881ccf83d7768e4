package kieker

import (
	"strconv"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/heap"
)

// baseID is what streams have in common that share lifelines: a thread, or all traces of a host without one.
type baseID struct {
	host     uint32
	thread   int64
	threaded bool
}

// base is a row of lifelines, all but the first for streams that cannot go to those before.
type base struct {
	name     string
	threaded bool
	free     heap.Heap[*lifeline] // lifelines without a stream, the lowest number first
	left     []*lifeline          // those of streams that never ended
	running  int                  // streams under way
	made     int
}

// lifeline is one of them.
type lifeline struct {
	name   string
	code   uint32 // tells it from all others
	number int    // within its base
}

// before reports whether a lifeline has the lower number.
func (l *lifeline) before(other *lifeline) bool { return l.number < other.number }

// base numbers the row of lifelines of a thread or a host.
func (w *writer) base(id baseID, c *calls) uint32 {
	if id.host == 0 {
		id.host = c.host
	}
	i, known := w.baseOf[id]
	if !known {
		name := c.hostName(id.host) + "/trace-"
		if id.threaded {
			name = c.hostName(id.host) + "/" + strconv.FormatInt(id.thread, 10)
		}
		i = uint32(len(w.bases))
		w.bases = append(w.bases, &base{name: name, threaded: id.threaded, free: heap.New((*lifeline).before)})
		w.baseOf[id] = i
	}
	return i
}

// lifeline is that of the stream of an event.
func (w *writer) lifeline(e *event) *lifeline {
	if w.line != nil && w.stream == e.stream {
		return w.line
	}
	l := w.live[e.stream]
	if l == nil {
		l = w.seat(e)
		w.live[e.stream] = l
	}
	w.stream, w.line = e.stream, l
	return l
}

// maxLeft is how many lifelines of a base are kept for calls that never ended, before they are used again.
const maxLeft = 1 << 10

// seat gives a stream the first lifeline that is free.
func (w *writer) seat(e *event) *lifeline {
	b := w.bases[e.base]
	if b.running++; b.running > 1 && b.threaded && e.flags&aside == 0 {
		w.ledger.Add(schema.CrossingCall, func() string {
			return b.name + ": a trace that starts while another of its thread is under way, at " + strconv.FormatInt(e.time, 10) + " ns"
		})
	}
	switch {
	case b.free.Len() > 0:
		return b.free.Pop()
	case len(b.left) >= maxLeft:
		l := b.left[0]
		b.left = b.left[1:]
		return l
	}
	b.made++
	l := &lifeline{name: b.name, code: w.lifelines, number: b.made}
	w.lifelines++
	switch {
	case !b.threaded:
		l.name += strconv.Itoa(b.made)
	case b.made > 1:
		l.name += "-" + strconv.Itoa(b.made)
	}
	return l
}

// leave frees the lifeline of a stream that has ended, unless calls stay open on it.
func (w *writer) leave(e *event, l *lifeline) {
	b := w.bases[e.base]
	b.running--
	delete(w.live, e.stream)
	w.line = nil
	if e.flags&leftOpen != 0 {
		b.left = append(b.left, l)
		return
	}
	b.free.Push(l)
}
