package kieker

import (
	"cmp"

	"github.com/tracelake/tracelake/schema"
)

// event is an event of a stream. It waits in a sorter until the events of all traces are in the order of time, so it has
// numbers for names.
// Its key never decreases within a stream, so that the order of a trace survives a clock that steps back.
type event struct {
	key         int64  // ns: the latest time of the stream so far, by which events are sorted
	time        int64  // ns, as the log has it
	sender      int64  // of a message: the trace that sends it
	senderOrder int32  // and the order index of its sending
	stream      uint32 // numbers the stream in the log
	group       uint32 // of the lifelines that the stream may go to; see writer.groups
	place       uint32 // of the call; see calls.places
	word        uint32 // of an end: number of the cause of its failure; of a message sent: its technology; of any other start: its attributes
	kind        schema.Kind
	direction   schema.Direction
	flags       uint8
}

// hasAttributes reports whether an event is the start of a call whose word is the set of its attributes.
func (e *event) hasAttributes() bool { return e.kind == schema.Enter && e.direction != schema.Send }

const (
	lastOfStream uint8 = 1 << iota // the lifeline is free behind it
	leftOpen                       // with lastOfStream: calls have no end
	overlapping                    // its stream holds calls that overlapped others of their trace
	failed                         // the call failed
)

// compareEvents merges streams by time and leaves the order within each as it is, as the sorter is stable. At one time those of the trace of the lower number
// come first, which as a rule is the earlier one.
func compareEvents(a, b *event) int { return cmp.Compare(a.key, b.key) }

// stream is a flow of control with a stack: that of a trace, or one of its overlapping calls.
// The streams of a trace become lifelines, one each while they last.
type stream struct {
	open   []open // the stack, the innermost call last
	number uint32
	group  uint32
	key    int64 // ns: the latest time so far
	used   bool  // it has a number
	flags  uint8
	last   event // not yet added: it may be the last
}

// open is an open call.
type open struct {
	match  int64  // what its end must have: see matchOf
	end    int64  // ns, of an execution
	place  uint32 // as that of its enter
	height int32  // of an execution: ess, the height of the stack at its start
}

// put adds an event to a stream, and the event before it to the sorter: the last event of a stream is marked as such, which
// only close knows. The host is used where the trace names no thread.
// The first event also decides the group of lifelines, as only it is sure to have a host.
func (t *tracer) put(s *stream, host uint32, e event) error {
	if s.used {
		if err := t.events.Add(s.last); err != nil {
			return err
		}
	} else {
		s.used, s.number, s.group, s.key = true, t.streams, t.group(host), e.time
		t.streams++
	}
	if e.hasAttributes() {
		e.word = t.set
	}
	s.key = max(s.key, e.time)
	e.key, e.stream, e.group, e.flags = s.key, s.number, s.group, e.flags|s.flags
	s.last = e
	return nil
}

// close ends a stream. The memory of the stream is used again for another one.
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
