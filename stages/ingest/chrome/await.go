package chrome

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// sweep follows what the host asked for in the order in which it did, and finds what each wait waited for: what was put last
// into a stream before.
//
//	a call waits for a device     the last work in each of its streams that this thread did not yet wait for
//	a call waits for a stream     the last work in it
//	a call waits for an event     the last work in its stream when the event was put into it
//	a stream waits for an event   the same, and what is put next into the stream that waits comes behind it
//
// A trace without records of the waits does not say which stream or event a call means. Then it is the stream into which
// the thread put something last, the event that it recorded last, or all devices.
type sweep struct {
	*devices
	queues   map[stream]*queue
	order    []*queue          // in the order of appearance
	launched map[uint32]stream // by thread: into which it put something last
	recorded map[uint32]span   // by thread: what stood before the event that it recorded last
	events   map[putEvent]span // what stood before an event, if somebody wants to know
}

// queue is the state of a stream.
type queue struct {
	stream
	last    span     // the work that was put into it last; its site is noSite before that
	awaited []uint32 // threads that waited for it
	before  []span   // work of other streams that the next work waits for
}

// putEvent is an event in a stream, by the correlation of the call that put it there.
type putEvent struct {
	correlation int64
	stream      stream
}

// noSite is the site of a span that there is not.
const noSite = ^uint32(0)

var noSpan = span{site: noSite}

// queue returns the state of a stream, a new one where it is not known.
func (s *sweep) queue(of stream) *queue {
	q := s.queues[of]
	if q == nil {
		q = &queue{stream: of, last: noSpan}
		s.queues[of] = q
		s.order = append(s.order, q)
	}
	return q
}

// take takes the next step.
func (s *sweep) take(step *hostStep) error {
	switch step.call {
	case unasked:
		return s.put(step)
	case recordEvent:
		s.record(step)
	case streamWaits:
		if w := s.before(putEvent{step.record, stream{step.stream.device, step.waits}}); w != noSpan {
			q := s.queue(step.stream)
			q.before = append(q.before, w)
		}
	case awaitEvent:
		w, known := s.recorded[step.thread]
		if step.record != none {
			w = s.before(putEvent{step.record, stream{step.stream.device, step.waits}})
		} else if !known {
			w = noSpan
		}
		return s.returns(w, step)
	case awaitStream:
		of := step.stream
		if of == anyStream {
			of = s.launched[step.thread]
		}
		return s.awaitQueue(s.queue(of), step)
	case awaitDevice:
		for _, q := range s.order {
			if q.device == step.stream.device || step.stream == anyStream {
				if err := s.awaitQueue(q, step); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// before is what stood in a stream before an event, noSpan where that was nothing or is not known.
func (s *sweep) before(e putEvent) span {
	if w, known := s.events[e]; known {
		return w
	}
	return noSpan
}

// put puts work into a stream, behind what the stream was told to wait for.
func (s *sweep) put(step *hostStep) error {
	q := s.queue(step.stream)
	q.last, q.awaited = step.span, q.awaited[:0]
	if step.thread != noThread {
		s.launched[step.thread] = step.stream
	}
	for _, w := range q.before {
		if w.until() > step.span.from {
			s.unproven(step)
			continue
		}
		if err := s.follow(w, step.span); err != nil {
			return err
		}
	}
	q.before = q.before[:0]
	return nil
}

// record puts an event into a stream. The trace names the stream where somebody wants to know.
func (s *sweep) record(step *hostStep) {
	if step.stream == anyStream {
		if of, known := s.launched[step.thread]; known {
			s.recorded[step.thread] = s.queue(of).last
		}
		return
	}
	s.events[putEvent{step.correlation, step.stream}] = s.queue(step.stream).last
}

// awaitQueue lets a call return behind the last work of a stream, unless its thread knows already that this is done.
func (s *sweep) awaitQueue(q *queue, step *hostStep) error {
	if slices.Contains(q.awaited, step.thread) {
		return nil
	}
	q.awaited = append(q.awaited, step.thread)
	return s.returns(q.last, step)
}

// returns lets a call return behind work. Where the clocks of the trace say that it returned before, it is counted if the
// trace says that the call waited for it, and is none of what the call waits for otherwise.
func (s *sweep) returns(w span, step *hostStep) error {
	switch {
	case w == noSpan:
		return nil
	case w.until() > step.span.until() || w.from == step.span.until():
		if step.stream != anyStream {
			s.unproven(step)
		}
		return nil
	}
	return s.await(w, step.span)
}

// unproven counts a wait for work that was not done when the wait ended.
func (s *sweep) unproven(step *hostStep) {
	s.reading.Ledger.Add(schema.UnprovenWait, func() string {
		return fmt.Sprintf("%s: %s at %d ns", s.reading.Traces[0].Path, s.words.name(s.sites.list[step.span.site].name), step.span.from)
	})
}

// await makes a message from the end of work to the end of a call that waits for it.
func (d *devices) await(work, call span) error {
	d.last++
	if err := d.sorter.Add(record{timeNs: work.from, more: d.last, site: work.site, what: exitSend}); err != nil {
		return err
	}
	return d.sorter.Add(record{timeNs: call.from, more: d.last, site: call.site, what: exitReceive})
}

// follow makes a message from the end of work to the start of work that waits for it.
func (d *devices) follow(work, next span) error {
	d.last++
	if err := d.sorter.Add(record{timeNs: work.from, more: d.last, site: work.site, what: exitSend}); err != nil {
		return err
	}
	return d.sorter.Add(record{timeNs: next.from, more: d.last, site: next.site, what: enterReceive})
}
