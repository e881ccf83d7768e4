package chrome

import (
	"errors"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
)

// reader reads a trace in two passes over its events: it takes what matters of each into a record, sorts the records by time
// (events stand in any order in a file), and plays them on the stacks of their threads.
type reader struct {
	reading *schema.Reading
	out     *output

	*eventReader
	sites  *sites
	names  *names
	sorter *extsort.Sorter[record]

	found      bool          // a list of events was found
	counted    func() string // method values, made once instead of for every event
	onEvent    func() error
	onSkipped  func() error
	inDocument func([]byte) error
}

// Keys implements schema.Reader.
func (r *reader) Keys() []schema.EventKey { return r.out.keys.List }

// Marks implements schema.Reader.
func (r *reader) Marks() []schema.MessageMark { return r.out.marks.List }

// Read implements schema.Reader. It stops at errors of the file, and at text that is no JSON or has no list of events. A
// file that ends within the list is read up to there: browsers write such files when they crash.
// Names of processes may stand at the very end, so no event is given out before all of the file is read.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	trace := r.reading.Traces[0]
	f, err := trace.FS.Open(trace.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	text := jsontext.New(f, trace.Path)
	text.Lenient = true
	r.eventReader, r.sites, r.names = newEventReader(text), newSites(), newNames()
	r.sorter = extsort.NewSorter(byTime, r.reading.Memory, r.reading.Scratch)
	defer r.sorter.Close()
	r.onEvent, r.onSkipped, r.inDocument, r.counted = r.takeEvent, r.skipSample, r.takeDocument, r.position
	if err := r.document(); err != nil {
		return err
	}
	return r.play(emit)
}

// document reads the whole text into the sorter.
// (1) The list is read, directly or as a member of an object; (2) what ended the reading is judged: a file without a
// list is an error, one cut off within it a loss, and bytes behind it are counted and not read.
func (r *reader) document() error {
	var err error
	switch k := r.Kind(); k {
	case jsontext.Object:
		err = r.Object(r.inDocument)
	case jsontext.Array:
		r.found = true
		err = r.Array(r.onEvent)
	default:
		err = r.At(errors.New("expected an object with traceEvents, or an array of events"))
	}
	torn, broken := errors.Is(err, io.ErrUnexpectedEOF), r.Err()
	switch {
	case !r.found && err == nil:
		return r.At(errors.New("expected traceEvents in the object"))
	case err == nil && r.Kind() != jsontext.End:
		return r.reading.Bad(schema.BadRecord, r.At(errors.New("expected the end of the file behind the trace")))
	case r.found && broken != nil && torn:
		return r.reading.Bad(schema.TornRecord, r.At(broken))
	}
	return err
}

// takeDocument reads a member of the object that holds the trace.
// Other members, such as metadata and stack frames, are skipped.
func (r *reader) takeDocument(name []byte) error {
	switch string(name) {
	case "traceEvents":
		r.found = true
		return r.Array(r.onEvent)
	case "samples":
		if r.Kind() == jsontext.Array {
			return r.Array(r.onSkipped)
		}
	}
	return nil
}

// skipSample counts a sample of a profiler, which is no call.
// Its value is left, and so skipped.
func (r *reader) skipSample() error {
	r.event.phase = 0
	r.reading.Ledger.Add(schema.SkippedRecord, r.counted)
	return nil
}

// position describes where the reader stands, for the ledger. It is called only for the first loss of a kind.
// An event's phase stands in it, as the reasons of the ledger are too coarse to tell a counter from a snapshot.
func (r *reader) position() string {
	if r.event.phase == 0 {
		return r.At(errors.New("a sample")).Error()
	}
	return r.At(fmt.Errorf("an event of phase %q", r.event.phase)).Error()
}

// takeEvent reads an event into the sorter, or into the names where it is metadata.
// What makes an event unusable is counted here at its place; faults that show only in the order of all events are
// counted by the player.
func (r *reader) takeEvent() error {
	if err := r.next(); err != nil {
		return err
	}
	e := &r.event
	if e.phase == 0 && e.wrong == nil {
		e.wrong = errors.New("expected ph in an event")
	}
	if e.wrong != nil {
		return r.reading.Bad(schema.BadRecord, r.At(e.wrong))
	}
	rec := record{what: phases[e.phase]}
	switch rec.what {
	case unknown:
		r.reading.Ledger.Add(schema.UnknownRecord, r.counted)
		return nil
	case skipped:
		r.reading.Ledger.Add(schema.SkippedRecord, r.counted)
		return nil
	case metadata:
		r.names.define(e, r.words, r.reading.Ledger, r.counted)
		return nil
	}
	if !e.hasTs {
		return r.reading.Bad(schema.BadRecord, r.At(fmt.Errorf("expected ts in an event of phase %c", e.phase)))
	}
	return r.add(rec)
}

// add gives an event with a time to the sorter. A complete event is kept with its duration, an asynchronous one or a flow
// with the hash of its identifier.
// The last begin of every thread is noted, for the messages of flows that bind to the next call.
func (r *reader) add(rec record) error {
	e := &r.event
	rec.timeNs = e.ts.ns
	switch rec.what {
	case complete:
		if !e.hasDur {
			r.reading.Ledger.Add(schema.MissingDuration, r.counted)
			return nil
		}
		if e.dur.ns < 0 {
			r.reading.Ledger.Add(schema.NegativeDuration, r.counted)
			return nil
		}
		last, ok := e.ts.plus(e.dur)
		e.overflow = e.overflow || !ok || last.ns == never
		rec.more = last.ns - e.ts.ns
	case asyncBegin, asyncEnd, asyncInstant:
		rec.more = int64(e.asyncID())
	case send, forward, receiveNext:
		rec.more = int64(e.flowID())
		if e.enclosing && rec.what == receiveNext {
			rec.what = receive
		}
	}
	if e.overflow {
		r.reading.Ledger.Add(schema.UnsupportedTime, r.counted)
		return nil
	}
	rec.site = r.sites.of(spot{e.pid, e.tid, e.name, e.cat})
	if rec.what == begin || rec.what == complete {
		t := &r.sites.tracks[r.sites.list[rec.site].track]
		t.lastBegin = max(t.lastBegin, rec.timeNs)
	}
	return r.sorter.Add(rec)
}
