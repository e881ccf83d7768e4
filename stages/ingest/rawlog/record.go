package rawlog

import (
	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// record is a record of either form.
type record struct {
	time     uint64
	function uint64
	thread   uint32
	kind     uint8 // schema.Enter or schema.Exit
}

// thread is what is known of a thread.
type thread struct {
	id       uint32
	first    int64 // time of its first record
	time     int64 // latest time so far
	calls    symbols.Index
	lifeline string
}

// add takes a good record, whose time is below order.Done.
func (r *reader) add(e *record) error {
	t := r.last
	if t == nil || t.id != e.thread {
		t = r.thread(e)
	}
	t.time = max(t.time, int64(e.time))
	key, known := t.calls.Find(e.function)
	if !known {
		key = 2 * uint32(len(r.calls))
		r.calls = append(r.calls, call{e.function, t})
		t.calls.Set(e.function, key)
	}
	return r.sorter.Add(due{t.time, int64(e.time), key + uint32(e.kind)})
}

// thread returns the thread of a record.
func (r *reader) thread(e *record) *thread {
	t := r.threads[e.thread]
	if t == nil {
		t = &thread{id: e.thread, first: int64(e.time)}
		r.threads[e.thread] = t
	}
	r.last = t
	return t
}
