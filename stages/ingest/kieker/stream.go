package kieker

import (
	"cmp"

	"github.com/tracelake/tracelake/schema"
)

// event is an event of a stream, until all are in the order of time.
type event struct {
	key         int64 // the latest time of the stream so far: events are ordered by it
	time        int64
	sender      int64 // of a message: the trace that sends it
	senderOrder int32 // and the order index of its sending
	stream      uint32
	base        uint32 // whose lifelines the stream goes to
	place       uint32
	word        uint32 // of an end: number of the cause of its failure; of a message sent: its technology
	kind        schema.Kind
	direction   schema.Direction
	flags       uint8
}

const (
	lastOfStream uint8 = 1 << iota
	leftOpen           // with lastOfStream: calls have no end
	aside              // it is a stream of calls that crossed others
	failed             // the call failed
)

// compareEvents puts streams together and leaves each as it is. At one time those of the trace of the lower number
// come first, which as a rule is the earlier one.
func compareEvents(a, b *event) int { return cmp.Compare(a.key, b.key) }

// stream is a flow of control with a stack.
type stream struct {
	open   []open
	number uint32
	base   uint32
	key    int64 // the latest time so far
	used   bool  // it has a number
	flags  uint8
	last   event // not yet added: it may be the last
}

// open is an open call.
type open struct {
	match  int64 // what its end must have: see matchOf
	end    int64 // of an execution
	place  uint32
	height int32 // of an execution: ess
}

// put adds an event to a stream.
func (t *tracer) put(s *stream, host uint32, e event) error {
	if s.used {
		if err := t.events.Add(s.last); err != nil {
			return err
		}
	} else {
		s.used, s.number, s.base, s.key = true, t.streams, t.base(host), e.time
		t.streams++
	}
	s.key = max(s.key, e.time)
	e.key, e.stream, e.base, e.flags = s.key, s.number, s.base, e.flags|s.flags
	s.last = e
	return nil
}

// close ends a stream. It can be used again, as another.
func (t *tracer) close(s *stream) error {
	if !s.used {
		return nil
	}
	if s.last.flags |= lastOfStream; len(s.open) > 0 {
		s.last.flags |= leftOpen
	}
	s.used, s.open = false, s.open[:0]
	return t.events.Add(s.last)
}
