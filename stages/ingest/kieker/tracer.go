package kieker

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// tracer makes events of the records of one trace after the other.
type tracer struct {
	r      *reader
	calls  *calls
	events *extsort.Sorter[event]

	streams   uint32
	begun     bool
	trace     int64
	host      uint32 // of TraceMetadata
	thread    int64
	known     bool // it has a thread
	entered   bool // events of its calls were seen
	flow      stream
	asides    []*stream // of calls without indexes that crossed others
	nesting   bool      // what is open in the streams are executions
	unindexed bool      // of them, those without indexes
	called    record    // kind call: the call event just before
	arrived   record    // kind receive: the message just received, outside all calls
}

func newTracer(r *reader, c *calls, events *extsort.Sorter[event]) *tracer {
	c.host = r.log.host
	return &tracer{r: r, calls: c, events: events}
}

// add takes the next record, in the order of compareRecords.
func (t *tracer) add(r *record) error {
	if !t.begun || r.trace != t.trace {
		if err := t.finish(); err != nil {
			return err
		}
		t.begun, t.trace, t.host, t.thread, t.known, t.entered = true, r.trace, 0, 0, false, false
	}
	switch r.kind {
	case trace:
		t.host, t.thread, t.known = r.word, r.other, r.other >= 0
		return nil
	case execution:
		return t.execution(r)
	}
	if t.leaves(r) {
		return nil
	}
	if err := t.settle(r); err != nil {
		return err
	}
	return t.event(r)
}

// finish ends the trace.
func (t *tracer) finish() error {
	if err := t.settle(&record{}); err != nil {
		return err
	}
	return t.closeAll()
}

// base is the number of the lifelines of the trace, for a call on a host.
func (t *tracer) base(host uint32) uint32 {
	if t.known {
		return t.r.writer.base(baseID{t.host, t.thread, true}, t.calls)
	}
	return t.r.writer.base(baseID{host: host}, t.calls)
}

// leaves reports whether an event is of the kind that is left out, since the log has another one for the same calls.
func (t *tracer) leaves(r *record) bool {
	if !t.r.log.operations || !t.r.log.components {
		return false
	}
	left := t.calls.by == byComponent
	switch r.kind {
	case enter, exit, failure, call:
	case startComp, endComp, failedComp:
		left = !left
	default:
		return false
	}
	if left && (r.kind == enter || r.kind == startComp) {
		t.duplicate(r)
	}
	return left
}

func (t *tracer) duplicate(r *record) {
	t.r.reading.Ledger.Add(schema.DuplicateCall, func() string { return t.position(r) })
}

// position is where a record stands in the log: files no longer count.
func (t *tracer) position(r *record) string {
	return fmt.Sprintf("trace %d, order %d: %s", r.trace, r.order, t.calls.names.signatures[r.name].text)
}
