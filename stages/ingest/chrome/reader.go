package chrome

import (
	"errors"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/tags"
)

// reader reads a trace in two passes over its events: it takes what matters of each into a record, sorts the records by time
// (events stand in any order in a file), and plays them on the stacks of their threads.
type reader struct {
	reading *schema.Reading
	out     *output

	*eventReader
	sites    *sites
	names    *names
	sorter   *extsort.Sorter[record]
	fanouts  fanouts
	devices  devices
	meetings meetings
	profiled profiles
	counters counters

	found     bool          // a list of events was found
	counted   func() string // method values, made once instead of for every event
	onEvent   func() error
	onSkipped func() error
}

// Keys implements schema.Reader.
func (r *reader) Keys() schema.KeyList { return r.out.keys }

// Marks implements schema.Reader.
func (r *reader) Marks() []schema.MessageMark { return r.out.marks.List }

// Attributed implements schema.AttributeReader.
func (r *reader) Attributed() *schema.Attributed {
	return r.counters.attributed(r.args.tags.Attributed())
}

// mostSorted is how many bytes of records are sorted in memory, whatever may be taken: a trace of 1 GB takes a tenth more CPU time than with all of them
// in memory, and half of the memory.
const mostSorted = 80 << 20

// Read implements schema.Reader. It stops at errors of the file, and at text that is no JSON or has no list of events. A
// file that ends within the list is read up to there: browsers write such files when they crash.
// Names of processes may stand at the very end, so no event is given out before all of the file is read.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) (err error) {
	trace := r.reading.Traces[0]
	f, err := trace.FS.Open(trace.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	text := jsontext.New(f, trace.Path)
	text.Lenient = true
	r.eventReader, r.sites, r.names = newEventReader(text, r.reading.Options.NameArgs, r.reading.Bad), newSites(), newNames()
	r.args.tags = tags.New(r.reading.Options.Attributes)
	r.profiled = profiles{reader: r, known: make(map[profileID]*profiled)}
	r.words.isStable = r.reading.IsPart
	r.sorter = extsort.NewSorter(byTime, min(r.reading.Memory/8*5, mostSorted), r.reading.Scratch)
	defer r.sorter.Close()
	r.fanouts.sorter = extsort.NewSorter(byFlow, r.reading.Memory/8, r.reading.Scratch)
	defer r.fanouts.sorter.Close()
	r.fanouts.isPart = r.reading.IsPart
	r.devices = devices{reader: r, calls: extsort.NewSorter(byCorrelation, r.reading.Memory/8, r.reading.Scratch)}
	defer r.devices.calls.Close()
	r.meetings = meetings{reader: r, rank: none}
	r.eventReader.rank = &r.meetings.rank
	r.counters = newCounters(r)
	defer func() {
		if err != nil { // signals are asked for only behind a reading without errors
			err = errors.Join(err, r.counters.values.Close())
		}
	}()
	r.onEvent, r.onSkipped, r.counted = r.takeEvent, r.skipSample, r.position
	if err := r.document(); err != nil {
		return err
	}
	if err := r.profiled.end(); err != nil {
		return err
	}
	r.counters.tell()
	if err := r.meetings.settle(); err != nil {
		return err
	}
	if err := r.devices.couple(r.reading.Memory / 8); err != nil {
		return err
	}
	return r.play(emit)
}

// document reads the whole text into the sorter.
// (1) The list is read, directly, as a member of an object, or as a sequence of events without brackets; (2) what ended the reading is judged: a file without a
// list is an error, one cut off within it a loss, and bytes behind it are counted and not read.
func (r *reader) document() error {
	var err error
	switch k := r.Kind(); k {
	case jsontext.Object:
		err = r.takeDocument()
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

// takeDocument reads the first object of a text: the one that holds the list, or the first event of a text that is a
// sequence of events, one a line, with commas or without.
// It is read as an event whose members may be lists. Other members, such as metadata and stack frames, are skipped.
func (r *reader) takeDocument() error {
	r.list = r.takeList
	err := r.next()
	if r.list = nil; err != nil || r.found || r.event.phase == 0 {
		return err
	}
	r.found = true
	for err = r.judge(); err == nil; err = r.takeEvent() {
		if r.Comma(); r.Kind() != jsontext.Object {
			return r.Err()
		}
	}
	return err
}

// takeList reads a list of the object that holds the trace: its events, or samples of a profiler.
// The objects in the list are events, whose members are no lists.
func (r *reader) takeList(which int) (err error) {
	if r.Kind() != jsontext.Array {
		return nil
	}
	first := r.event
	r.list = nil
	if which == memberEvents {
		r.found = true
		err = r.Array(r.onEvent)
	} else {
		err = r.Array(r.onSkipped)
	}
	r.list, r.event = r.takeList, first
	return err
}

// skipSample counts a sample of a profiler, which is no call.
// Its value is left, and so skipped.
func (r *reader) skipSample() error {
	r.event.phase = 0
	r.reading.Ledger.Add(skippedKinds['P'], r.counted)
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
	return r.judge()
}

// judge takes the event in hand into the sorter, or into the names where it is metadata.
func (r *reader) judge() error {
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
		if r.isProfile() {
			return r.profiled.take()
		}
		if e.phase == 'C' && !e.overflow {
			if taken, err := r.counters.take(); taken || err != nil {
				return err
			}
		}
		r.reading.Ledger.Add(skippedKinds[e.phase], r.counted)
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
		rec.more = int64(r.flowID())
		if e.enclosing && rec.what == receiveNext {
			rec.what = receive
		}
	}
	if e.overflow {
		r.reading.Ledger.Add(schema.UnsupportedTime, r.counted)
		return nil
	}
	if rec.what == complete && r.counters.isTotal() {
		return r.counters.takeTotal()
	}
	if r.counters.until(rec.timeNs); rec.what == complete {
		r.counters.until(rec.timeNs + rec.more)
		r.counters.noteCall(e.name)
	}
	tid := e.tid
	if (e.cat == r.eventReader.apart[0] || e.cat == r.eventReader.apart[1]) && rec.what == complete {
		tid = r.names.apart(e, r.words)
	}
	shown, set := e.name, schema.NoAttributes
	if e.hasArgs {
		isCall := begins[rec.what]
		if isCall {
			set = r.args.set
		}
		if isCall && len(r.args.shown) > 0 {
			shown = r.args.named()
		}
		r.args.settle(isCall, r.counted)
	}
	rec.site = r.sites.of(spot{e.pid, tid, e.name, e.cat, shown, set})
	if rec.what == begin || rec.what == complete {
		t := &r.sites.tracks[r.sites.list[rec.site].track]
		t.lastBegin = max(t.lastBegin, rec.timeNs)
	}
	if rec.what == complete && e.hasArgs && r.args.isDevice {
		if err := r.devices.takeCall(&rec, &r.args.device, r.words.texts[e.cat]); err != nil {
			return err
		}
		if r.args.device.collective != noWord && r.words.texts[e.cat] == kernels {
			r.meetings.take(&rec, &r.args.device)
		}
	}
	if rec.what >= send && e.isNumber && r.words.texts[e.cat] == launchFlow {
		return r.devices.takeFlow(&rec, e.number)
	}
	if err := r.sort(rec); err != nil {
		return err
	}
	if flow := e.boundFlow(); flow != unknown && (rec.what == begin || rec.what == complete) {
		return r.sort(record{timeNs: rec.timeNs, more: int64(mix(e.bind, bound)), site: rec.site, what: flow})
	}
	return nil
}

// bound sets the identifiers of flows of bind_id apart from those of s, t and f.
const bound = 1 << 40

// boundFlow is what a call does to the flow of its bind_id; unknown where it has none.
func (e *event) boundFlow() what {
	switch {
	case !e.hasBind:
		return unknown
	case e.isIn && e.isOut:
		return forward
	case e.isIn:
		return receive
	case e.isOut:
		return send
	}
	return unknown
}

// sort gives a record to the sorter, an event of a flow also to that of flows.
func (r *reader) sort(rec record) error {
	if rec.what >= send {
		if err := r.fanouts.sorter.Add(flowEvent{uint64(rec.more), rec.timeNs, rec.what}); err != nil {
			return err
		}
	}
	return r.sorter.Add(rec)
}
