package rawlog

import (
	"github.com/tracelake/tracelake/stages/ingest/blocks"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// record is one enter or exit, as both forms of the log have it. The call site, which is last in a record, is not used.
type record struct {
	time     uint64 // ns of the clock of the tracer; below extsort.Done once the record is good
	function uint64 // address in the process
	thread   uint32 // number of the operating system
	kind     uint8  // schema.Enter or schema.Exit
}

// thread is a lifeline and the functions that it has called.
type thread struct {
	id       uint32        // number of the operating system
	first    int64         // time of its first record
	time     int64         // latest time so far
	calls    symbols.Index // number of the enter's key, by address
	lifeline string        // program/1, program/2, in the order of first; "" until all records are read
}

// addRecord takes a good record, whose time is below extsort.Done.
func (r *reader) addRecord(e *record) error {
	t := r.last
	if t == nil || t.id != e.thread {
		t = r.thread(e)
	}
	// The turn of a record is the latest time of its thread so far, so that sorting by turn never swaps two records of
	// one thread, even where the clock stepped back between them. The record keeps its own time.
	t.time = max(t.time, int64(e.time))
	// Keys go by (thread, function): an even number for the enter, the odd one after it for the exit.
	key, known := t.calls.Find(e.function)
	if !known {
		key = 2 * uint32(len(r.calls))
		r.calls = append(r.calls, call{e.function, t})
		t.calls.Set(e.function, key)
	}
	return r.sorter.Add(blocks.Due{TurnNs: t.time, TimeNs: int64(e.time), Key: key + uint32(e.kind)})
}

// thread returns the thread of a record. Records of one thread come in runs, so most need no look into the map.
func (r *reader) thread(e *record) *thread {
	t := r.threads[e.thread]
	if t == nil {
		t = &thread{id: e.thread, first: int64(e.time)}
		r.threads[e.thread] = t
	}
	r.last = t
	return t
}
