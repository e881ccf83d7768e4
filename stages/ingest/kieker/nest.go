package kieker

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

// execution adds a whole call. Calls whose events are in the log too are left out. Those without indexes come first in a trace, ordered by time.
// Executions with and without indexes are nested in two ways that share no stack, so all streams are closed between
// them.
func (t *tracer) execution(r *record) error {
	if t.entered || t.calls.names.signatures[r.name].entered {
		t.duplicate(r)
		return nil
	}
	indexed := r.order >= 0
	if err := t.settlePending(r); err != nil {
		return err
	}
	if !t.nesting || indexed && t.unindexed {
		if err := t.closeAll(); err != nil {
			return err
		}
	}
	t.nesting, t.unindexed = true, !indexed
	if indexed {
		return t.stack(r)
	}
	return t.nest(r)
}

// stack adds a call by its indexes, in the order of eoi, the order of starts: the calls that are open at its height (ess)
// or above it are over.
// A jump of the height, where the log lacks calls in between, needs no care: the next call lies in the last one that
// is open.
func (t *tracer) stack(r *record) error {
	s := &t.flow
	for n := len(s.open); n > 0 && s.open[n-1].height >= r.height; n-- {
		if err := t.pop(s); err != nil {
			return err
		}
	}
	return t.push(s, r)
}

// maxOverlapLanes bounds the streams that the overlapping calls of a trace go to. Further ones share the last, so that the
// search in nest stays short.
const maxOverlapLanes = 1 << 10

// nest adds a call by its times: to the first stream in whose innermost open call it lies, else to one on which no call is
// open. Calls come sorted by start, the longer one first, so that a call is behind all that it may lie in.
// Position 0 is the flow of control, position i the i-th stream of overlapping calls. It costs a look at the top of
// each, hence the bound above.
func (t *tracer) nest(r *record) error {
	idle := -1
	for i := 0; i <= len(t.overlapLanes); i++ {
		s := t.side(i)
		for n := len(s.open); n > 0 && s.open[n-1].end <= r.time; n-- {
			if err := t.pop(s); err != nil {
				return err
			}
		}
		switch n := len(s.open); {
		case n > 0 && s.open[n-1].end >= r.other:
			return t.push(s, r)
		case n == 0 && idle < 0:
			idle = i
		}
	}
	if idle < 0 {
		idle = len(t.overlapLanes)
		if idle < maxOverlapLanes {
			t.overlapLanes = append(t.overlapLanes, &stream{flags: overlapping})
			idle++
		}
	}
	if idle > 0 {
		t.r.reading.Ledger.Add(schema.CrossingCall, func() string {
			return fmt.Sprintf("%s at %d ns", t.position(r), r.time)
		})
	}
	return t.push(t.side(idle), r)
}

// side returns the i-th stream of the trace: the flow of control, then the streams of overlapping calls.
func (t *tracer) side(i int) *stream {
	if i == 0 {
		return &t.flow
	}
	return t.overlapLanes[i-1]
}

// push opens an execution on a stream.
func (t *tracer) push(s *stream, r *record) error {
	place := t.calls.of(r, r.word)
	s.open = append(s.open, open{end: r.other, place: place, height: r.height})
	return t.put(s, r.word, event{time: r.time, place: place, kind: schema.Enter})
}

// pop ends the innermost execution of a stream, at the time that its record has.
func (t *tracer) pop(s *stream) error {
	top := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	return t.put(s, 0, event{time: top.end, place: top.place, kind: schema.Exit})
}

// closeAll ends the streams of the trace. The ends of executions are known.
// Streams of overlapping calls are dropped, so that the next trace starts with the flow alone.
func (t *tracer) closeAll() error {
	for i := 0; i <= len(t.overlapLanes); i++ {
		s := t.side(i)
		for t.nesting && len(s.open) > 0 {
			if err := t.pop(s); err != nil {
				return err
			}
		}
		if err := t.close(s); err != nil {
			return err
		}
	}
	t.nesting, t.unindexed, t.overlapLanes = false, false, t.overlapLanes[:0]
	return nil
}
