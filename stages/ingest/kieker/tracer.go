package kieker

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// tracer makes events of the records, which come sorted by trace, one trace after the other. The log has each trace in one
// of three ways: events before and after calls, whole calls with indexes, or whole calls without.
// It holds one trace at a time, and of that only the open calls.
type tracer struct {
	r      *reader
	calls  *calls
	events *extsort.Sorter[event]

	streams        uint32
	begun          bool // a trace is in hand
	trace          int64
	host           uint32 // of TraceMetadata
	thread         int64
	known          bool                // it has a thread
	set            schema.AttributeSet // of its calls, or of the execution in hand
	entered        bool                // events of its calls were seen
	flow           stream
	overlapLanes   []*stream // of calls without indexes that crossed others
	nesting        bool      // what is open in the streams are executions
	unindexed      bool      // of them, those without indexes
	pendingCall    record    // kind call: the call event just before
	pendingReceive record    // kind receive: the message just received, outside all calls
}

func newTracer(r *reader, c *calls, events *extsort.Sorter[event]) *tracer {
	c.host = r.log.host
	return &tracer{r: r, calls: c, events: events}
}

// add takes the next record, in the order of compareRecords.
// TraceMetadata is sorted first in its trace, so host and thread are known before any call.
func (t *tracer) add(r *record) error {
	if !t.begun || r.trace != t.trace {
		if err := t.finish(); err != nil {
			return err
		}
		t.begun, t.trace, t.host, t.thread, t.known, t.entered = true, r.trace, 0, 0, false, false
		t.set = schema.NoAttributes
	}
	switch r.kind {
	case trace:
		t.host, t.thread, t.known, t.set = r.word, r.other, r.other >= 0, r.set
		return nil
	case execution:
		if r.set != schema.NoAttributes {
			t.set = r.set
		}
		return t.execution(r)
	}
	if t.leaves(r) {
		return nil
	}
	if err := t.settlePending(r); err != nil {
		return err
	}
	return t.event(r)
}

// finish ends the trace in hand: what waits for a further record is settled, and its streams end.
func (t *tracer) finish() error {
	if err := t.settlePending(&record{}); err != nil {
		return err
	}
	return t.closeAll()
}

// group returns the group of lifelines of the trace; the host counts where the trace names no thread.
func (t *tracer) group(host uint32) uint32 {
	if t.known {
		return t.r.writer.group(groupID{t.host, t.thread, true}, t.calls)
	}
	return t.r.writer.group(groupID{host: host}, t.calls)
}

// leaves reports whether an event is of the kind that is left out, since the log has another one for the same calls.
// Only one of the two is counted, at the start of a call, so that the loss counts calls.
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

// position describes a record for the ledger. The file and line are not kept through the sorter.
func (t *tracer) position(r *record) string {
	return fmt.Sprintf("trace %d, order %d: %s", r.trace, r.order, t.calls.names.signatures[r.name].text)
}
