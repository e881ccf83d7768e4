package otf2

import "github.com/tracelake/tracelake/schema"

// thread identifies a thread, for its creator and for itself, by a group of threads and a number in it.
type thread struct {
	contingent, number uint64 // communicator of the threads, and the place in it
	ended              bool   // false: its start; true: its end
}

// thread reads the name of a thread; false where the tracer gave it none, as EZTrace does.
func (s *stream) thread(f *fields, ended bool) (thread, bool, error) {
	t := thread{s.local.maps[mapComms].global(f.id()), f.number(), ended}
	if f.bad {
		return t, false, errFields
	}
	return t, t.contingent != undefined, nil
}

// starts is a thread being created: the cause of its begin.
func (s *stream) starts(f *fields, kind byte) error { return s.cause(f, kind, "create", false) }

// started is the begin of a thread.
func (s *stream) started(f *fields, kind byte) error { return s.effect(f, kind, "create", false) }

// ends is the end of a thread: the cause of the end of waiting for it.
func (s *stream) ends(f *fields, kind byte) error { return s.cause(f, kind, "join", true) }

// waited is the end of waiting for a thread.
func (s *stream) waited(f *fields, kind byte) error { return s.effect(f, kind, "join", true) }

// cause passes on what another location waits for. A thread that ends and whose creation the trace does not have
// has no waiting thread to be tied to.
func (s *stream) cause(f *fields, kind byte, label string, ended bool) error {
	x := s.r.exchanges
	t, named, err := s.thread(f, ended)
	if err != nil {
		return err
	}
	if !named {
		s.skipped.add(kind, s.from)
		return nil
	}
	id := x.next()
	x.thread[t] = id
	return s.message(x.threadMark(label), id, undefined, "send")
}

// effect passes on what a cause led to, if the trace has had one.
func (s *stream) effect(f *fields, kind byte, label string, ended bool) error {
	x := s.r.exchanges
	t, named, err := s.thread(f, ended)
	if err != nil {
		return err
	}
	id, caused := x.thread[t]
	if !named || !caused {
		s.skipped.add(kind, s.from)
		return nil
	}
	delete(x.thread, t)
	return s.message(x.threadMark(label)+uint32(schema.Receive-schema.Send), id, undefined, "receive")
}
