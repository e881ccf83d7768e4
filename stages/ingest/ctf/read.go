package ctf

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// reader reads the traces of a run.
type reader struct {
	reading *schema.Reading  // what it was given
	sources []*source        // the traces of the run, in the order given
	names   *processes.Table // of processes, threads and what they call
	running map[cpuKey]int32 // number of the thread on a CPU, where sched_switch tells
	counts  discards         // what tracers say that they dropped
	out     blocks.Calls     // the block in hand
}

// newReader returns a reader that has read nothing.
func newReader(r *schema.Reading) *reader {
	return &reader{reading: r, names: processes.NewTable(r.Options), running: make(map[cpuKey]int32), counts: discards{last: make(map[streamName]discarded)}}
}

// Keys implements schema.Reader.
func (r *reader) Keys() []schema.EventKey { return r.names.Keys() }

// Marks implements schema.Reader. The format has no messages.
func (r *reader) Marks() []schema.MessageMark { return make([]schema.MessageMark, 1) }

// Read implements schema.Reader.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	if err := r.describe(); err != nil {
		return err
	}
	return r.readStreams(emit)
}

// readStreams passes on the events of the traces that are described.
func (r *reader) readStreams(emit func(*schema.Block) (*schema.Block, error)) error {
	streams, err := r.openStreams()
	if err != nil {
		return err
	}
	defer closeAll(streams)
	if err := r.out.Begin(emit); err != nil {
		return err
	}
	if err := r.merge(streams); err != nil {
		return err
	}
	if err := r.out.End(); err != nil {
		return err
	}
	return r.countSkipped()
}

// describe reads the metadata of all traces.
func (r *reader) describe() error {
	for _, t := range r.reading.Traces {
		// Traces of one host share processes and threads, so all use one table of names.
		s := &source{Trace: t, reading: r.reading, counts: &r.counts}
		if err := s.describe(r.names); err != nil {
			return err
		}
		r.sources = append(r.sources, s)
	}
	return nil
}

// openStreams opens the streams of all traces; after an error none stays open.
func (r *reader) openStreams() ([]*stream, error) {
	var all []*stream
	for _, t := range r.sources {
		streams, err := t.streams()
		if err != nil {
			closeAll(all)
			return nil, err
		}
		all = append(all, streams...)
	}
	return all, nil
}

// merge takes the events of all streams in the order of time.
func (r *reader) merge(streams []*stream) error {
	// Every stream is at its first event while it waits, so its key is the time of that event.
	keys := make([]int64, len(streams))
	for i, s := range streams {
		var err error
		if keys[i], err = s.key(); err != nil {
			return err
		}
	}
	if len(streams) == 0 {
		return nil
	}
	for t := extsort.NewTournament(keys); ; {
		i, until := t.Min()
		if i < 0 {
			return nil
		}
		key, err := r.runUntil(streams[i], until)
		if err != nil {
			return err
		}
		t.Update(key)
	}
}

// runUntil takes events of a stream as long as they come before those of the others.
func (r *reader) runUntil(s *stream, until int64) (int64, error) {
	for {
		// The event in hand was found by key before.
		if err := r.takeEvent(s); err != nil {
			return 0, err
		}
		key, err := s.key()
		if err != nil || key >= until {
			return key, err
		}
	}
}

// key goes to the next event and returns its time.
func (s *stream) key() (int64, error) {
	more, err := s.next()
	if err != nil || !more {
		return extsort.Done, err
	}
	return s.ns, nil
}

// countSkipped counts the events that have no place here. A run of nothing else is an error.
func (r *reader) countSkipped() error {
	var events, placed int64
	for _, t := range r.sources {
		for _, p := range t.plan.plans() {
			events += p.count
			if p.role.executes() {
				placed += p.count
			}
			if p.role == roleNone && p.count > 0 {
				r.reading.Ledger.AddMany(schema.SkippedRecord, p.count, func() string {
					return fmt.Sprintf("%s:%d:%d: event %s", t.plan.meta.file, p.event.at.line, p.event.at.col, p.event.name)
				})
			}
		}
	}
	// Most likely the wrong trace, or one without instrumentation: an empty run would hide that.
	if placed == 0 {
		return fmt.Errorf("%s: no events that enter or exit anything among %d", r.sources[0].plan.meta.file, events)
	}
	return nil
}

// plans returns those of all events, in the order of streams and numbers.
func (t *tracePlan) plans() []*plan {
	var out []*plan
	for _, id := range slices.Sorted(maps.Keys(t.streams)) {
		for _, e := range slices.Sorted(maps.Keys(t.streams[id].events)) {
			out = append(out, t.streams[id].events[e])
		}
	}
	return out
}
