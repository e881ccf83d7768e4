package kieker

import (
	"strconv"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/heap"
)

// groupID is what streams have in common that share lifelines: a thread of a host, or else all traces of the host that name no thread.
type groupID struct {
	host     uint32
	thread   int64
	threaded bool
}

// lifelineGroup is the lifelines of a thread or a host. A stream takes the one with the lowest number that is free, so that
// the names depend on how many streams are under way together and not on how many there are in the log.
// The heap gives the lowest number first, as package spans does with its slots.
type lifelineGroup struct {
	name     string // that of the first lifeline of a thread; of a host the part before the number
	threaded bool
	free     heap.Heap[*lifeline] // lifelines without a stream, the lowest number first
	left     []*lifeline          // those of streams that never ended
	running  int                  // streams under way
	made     int                  // lifelines so far
}

// lifeline is one lifeline of a group.
type lifeline struct {
	name   string
	code   uint32 // numbers it in the log
	number int    // within its group, from 1
}

// before reports whether a lifeline has the lower number.
func (l *lifeline) before(other *lifeline) bool { return l.number < other.number }

// group returns the number of the lifelines of a thread or a host, and makes them where they are new.
// A group is named by its host, which may be known only from the metadata record, so this is called behind the first
// sort.
func (w *writer) group(id groupID, c *calls) uint32 {
	if id.host == 0 {
		id.host = c.host
	}
	i, known := w.groupOf[id]
	if !known {
		name := c.hostName(id.host) + "/trace-"
		if id.threaded {
			name = c.hostName(id.host) + "/" + strconv.FormatInt(id.thread, 10)
		}
		i = uint32(len(w.groups))
		w.groups = append(w.groups, &lifelineGroup{name: name, threaded: id.threaded, free: heap.New((*lifeline).before)})
		w.groupOf[id] = i
	}
	return i
}

// lifeline returns that of the stream of an event. Events of one stream often come in a row, so the last one is at hand.
// The map has the streams that are under way, not those of the whole log.
func (w *writer) lifeline(e *event) *lifeline {
	if w.line != nil && w.stream == e.stream {
		return w.line
	}
	l := w.live[e.stream]
	if l == nil {
		l = w.assignLifeline(e)
		w.live[e.stream] = l
	}
	w.stream, w.line = e.stream, l
	return l
}

// maxLeft is how many lifelines of a group are kept for calls that never ended, before they are used again.
const maxLeft = 1 << 10

// assignLifeline gives a stream the lifeline with the lowest number that is free, or a new one. Two streams of a thread at
// once mean that the log has two traces of the thread that overlap, which is counted.
// Lifelines on which calls were left open are avoided as long as there are not too many of them, so that a later call
// does not seem to be called by one that never ended.
func (w *writer) assignLifeline(e *event) *lifeline {
	b := w.groups[e.group]
	if b.running++; b.running > 1 && b.threaded && e.flags&overlapping == 0 {
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
	b := w.groups[e.group]
	b.running--
	delete(w.live, e.stream)
	w.line = nil
	if e.flags&leftOpen != 0 {
		b.left = append(b.left, l)
		return
	}
	b.free.Push(l)
}
