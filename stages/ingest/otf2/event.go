package otf2

import "github.com/tracelake/tracelake/schema"

// Types of event records.
const (
	evTime           = 5  // of all events behind it, until the next one
	evAttributes     = 6  // of the event behind it
	evMeasurement    = 11 // of metrics, or that the tracer is switched on or off
	evEnter          = 12
	evLeave          = 13
	evMpiSend        = 14 // blocking, unlike the next one
	evMpiIsend       = 15
	evIsendComplete  = 16 // a send that did not block has ended
	evIrecvRequest   = 17 // a receive is posted, which an evMpiIrecv with the same request ends
	evMpiRecv        = 18
	evMpiIrecv       = 19
	evRequestTest    = 20 // asked whether it had ended, which it had not
	evRequestCancel  = 21 // its message never comes
	evMpiCollBegin   = 22
	evMpiCollEnd     = 23
	evOmpFork        = 24
	evOmpTaskCreate  = 28
	evOmpTaskSwitch  = 29
	evOmpTaskDone    = 30
	evMetric         = 31
	evThreadCreate   = 62 // by the thread that makes another
	evThreadBegin    = 63 // in the thread that was made
	evThreadWait     = 64
	evThreadEnd      = 65
	evContextEnter   = 66 // an enter whose record names the whole context of the call
	evContextLeave   = 67
	firstEvent       = 10 // below it are the time and attributes
	lastEvent        = 88 // that is known
	measurementEnded = 2  // the mode of an evMeasurement that switches the tracer off
)

// single says by type which events are a number and have no length.
var single = [256]bool{
	evEnter: true, evLeave: true, evIsendComplete: true, evIrecvRequest: true, evRequestTest: true, evRequestCancel: true,
	evOmpFork: true, evOmpTaskCreate: true, evOmpTaskSwitch: true, evOmpTaskDone: true,
}

// useful are the events with attributes that are passed on, by type; nil for the others.
var useful = [256]func(*stream, *fields, byte) error{
	evMeasurement: (*stream).measurement,
	evMpiSend:     (*stream).send, evMpiIsend: (*stream).send,
	evMpiRecv: (*stream).receive, evMpiIrecv: (*stream).receive,
	evMetric:       (*stream).metric,
	evMpiCollBegin: (*stream).begins, evMpiCollEnd: (*stream).meets,
	evThreadCreate: (*stream).starts, evThreadBegin: (*stream).started,
	evThreadEnd: (*stream).ends, evThreadWait: (*stream).waited,
	evContextEnter: (*stream).context, evContextLeave: (*stream).context,
}

// event reads a record that is no time, behind its type.
// Its errors are defects, which cost the rest of the chunk, and those of the file, which end the reading.
func (s *stream) event(kind byte) error {
	s.from = s.offset() - 1 // the byte of the type is read already
	if s.fresh {            // no time since the header of the chunk
		return errTimeless
	}
	if single[kind] {
		return s.number(kind)
	}
	read := useful[kind]
	if read == nil {
		// A record of a type that is not used, or not known, is skipped by its length.
		n, err := s.length()
		if err == nil {
			err = s.skip(n)
		}
		if err == nil {
			s.pass(kind)
		}
		return err
	}
	f, err := s.body()
	if err != nil {
		return err
	}
	s.counted++ // the header of the chunk says how many there are
	if s.silent {
		s.countUntimed()
		return nil
	}
	return read(s, &f, kind)
}

// pass counts a record that has no place in events and messages.
func (s *stream) pass(kind byte) {
	if kind != evAttributes { // attributes are no events: the header does not count them
		s.counted++
	}
	if kind > lastEvent || kind < firstEvent && kind != evAttributes {
		s.unknown.add(kind, s.from)
		return
	}
	s.skipped.add(kind, s.from)
}

// number reads a record of one number.
func (s *stream) number(kind byte) error {
	n, err := s.single()
	if err != nil {
		return err
	}
	if kind == evEnter || kind == evLeave {
		s.counted++
		if s.silent {
			s.countUntimed()
			return nil
		}
		return s.takeCall(kind, n)
	}
	s.pass(kind)
	if kind == evIrecvRequest && s.receives == nil { // the file is read ahead only where receives are posted at all
		s.receives = s.r.newReceiveScan(s)
	}
	return nil
}

// context reads an enter or a leave of a calling context, which has a region.
func (s *stream) context(f *fields, kind byte) error {
	id := s.local.maps[mapContexts].global(f.id())
	if f.bad {
		return errFields
	}
	c, ok := s.r.names.contexts[id]
	if !ok {
		s.r.names.undefined("calling context", id)
		c.region = undefined // such a region has no name, and shows as region -1
	}
	// The region of a context is global already, unlike that of an enter.
	component, function := s.r.names.function(c.region, s.process)
	key := s.r.calls.Call(schema.EventKey{Component: component, Lifeline: s.lifeline, Function: function})
	return s.putCall(key, kind == evContextEnter)
}

// measurement reads that the tracer was switched on or off.
func (s *stream) measurement(f *fields, kind byte) error {
	if f.u8() == measurementEnded { // the mode is the first byte
		s.r.reading.Ledger.Add(schema.LostByTracer, s.wrong(defect("the measurement was switched off")).Error)
		return nil
	}
	s.skipped.add(kind, s.from)
	return nil
}

// message passes on a message of the innermost open call, of so many bytes. Where none is open, a call of its own carries it.
func (s *stream) message(mark uint32, id int64, bytes uint64, word string) error {
	s.r.describeMessage(bytes, s)
	if n := len(s.stack); n > 0 {
		return s.r.out.Put(s.ns, s.stack[n-1]+uint32(schema.Message), mark, id)
	}
	// The call lasts no time and is called by what it does, as in the other formats.
	key := s.r.calls.Call(schema.EventKey{Component: s.process, Lifeline: s.lifeline, Function: word})
	if err := s.r.out.Put(s.ns, key, mark, id); err != nil {
		return err
	}
	return s.r.out.Put(s.ns, key+uint32(schema.Exit), schema.NoMark, schema.NoValue)
}
