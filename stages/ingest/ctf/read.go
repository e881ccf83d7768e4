package ctf

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
	"github.com/tracelake/tracelake/stages/ingest/processes"
	"github.com/tracelake/tracelake/stages/ingest/tags"
)

// reader reads the traces of a run.
type reader struct {
	reading *schema.Reading                      // what it was given
	sources []*source                            // the traces of the run, in the order given
	parsed  []*metadata                          // of the traces, once they are read
	buffers *windowBuffers                       // of the streams
	names   *processes.Table                     // of processes, threads and what they call
	counts  discards                             // what tracers say that they dropped
	out     blocks.Calls                         // the block in hand
	marks   schema.Numbering[schema.MessageMark] // of messages; the first is that of none

	woken      markPair             // of what wakes a thread
	packet     markPair             // of segments of TCP
	keys       map[string][]string  // fields that tell which ends of pairs belong together, see pairs.keys
	keyed      keyed                // pairs that are open
	lessons    lessons              // what is learned of pairs; nil where nothing is to be learned
	heard      func() error         // returns an error when the reading shall end, before there are events; nil where nobody asks
	beforehand func() error         // the same for a reader that goes through the trace beforehand
	alone      uint64               // number of the execution that stands for a message outside of calls
	messages   int64                // identifiers given so far
	cpus       map[cpuKey]*cpuState // what runs where
	threads    threadTable          // by number alone
	pids       threadTable          // the processes of threads, where the trace tells
	wakes      []wake               // by thread
	segments   map[segment]int64    // identifiers of those on their way
	ros        ros2                 // what is known of programs of ROS 2
	otf        otf                  // likewise of converted traces of OTF 2
	clocks     clocks               // of the hosts
	tags       *tags.Table          // attributes of calls; nil where none are asked for
	guard      sync.Mutex           // of the tags
}

// messageAlone is the execution that stands for a message outside of calls.
var messageAlone = processes.Execution{Function: "message"}

// newReader returns a reader that has read nothing.
func newReader(r *schema.Reading) *reader {
	out := &reader{
		reading: r, buffers: new(windowBuffers), names: processes.NewTable(r.Options), counts: discards{last: make(map[streamName]discarded)},
		cpus:     make(map[cpuKey]*cpuState),
		segments: make(map[segment]int64), ros: newROS2(), otf: newOTF(),
		tags:  tags.New(r.Options.Attributes),
		keyed: keyed{make(map[openKey]openPair), make(map[laneUse][]int32)}, clocks: clocks{Clocks: r.Options.Clocks},
	}
	out.marks.Number(schema.MessageMark{})
	out.woken, out.packet = out.wakeupPair(), out.markPair("tcp")
	out.alone = out.names.AddNamed(messageAlone)
	return out
}

// Keys implements schema.Reader.
func (r *reader) Keys() schema.KeyList { return r.names.Keys() }

// Marks implements schema.Reader.
func (r *reader) Marks() []schema.MessageMark { return r.marks.List }

// Read implements schema.Reader.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	r.listen(emit)
	if err := r.describeCalls(); err != nil {
		return err
	}
	if err := r.scan(); err != nil {
		return err
	}
	return r.readStreams(emit)
}

// listen lets what goes through the trace beforehand hear interrupts: who takes the events says so whenever a block is asked for.
func (r *reader) listen(emit func(*schema.Block) (*schema.Block, error)) {
	r.heard = func() error {
		_, err := emit(nil)
		return err
	}
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
	r.tags.Tell(r.reading.Ledger)
	return r.countSkipped()
}

// describe reads the metadata of all traces.
func (r *reader) describe(find func(*metadata, *processes.Table) pairs) error {
	r.sources = nil
	var hosts schema.Numbering[string]
	named := make(map[string]bool)
	for i, t := range r.reading.Traces {
		// Traces of one host share processes and threads, so all use one table of names.
		s := &source{Trace: t, reading: r.reading, counts: &r.counts, buffers: r.buffers}
		if i == len(r.parsed) {
			meta, err := s.parse()
			if err != nil {
				return err
			}
			r.parsed = append(r.parsed, meta)
		}
		if err := s.describe(r.parsed[i], find(r.parsed[i], r.names)); err != nil {
			return err
		}
		r.clocks.assign(s)
		s.number = len(r.sources)
		r.sources = append(r.sources, s)
		s.hostNumber = hosts.Number(s.host)
		named[s.host] = true
	}
	if delete(named, ""); len(named) > 1 {
		r.names.NameHosts(hosts.List)
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
		for _, s := range streams {
			s.heard = r.beforehand
		}
		all = append(all, streams...)
	}
	return all, nil
}

// merge takes the events of all streams in the order of time.
func (r *reader) merge(streams []*stream) error {
	for _, s := range streams {
		s.clocks = &r.clocks
	}
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

// placed is how many events enter or exit anything, or send or receive.
func (r *reader) placed() (count int64) {
	for _, t := range r.sources {
		for _, p := range t.plan.plans() {
			if p.executes() {
				count += p.count - p.omitted
			}
		}
	}
	return count
}

// countSkipped counts the events that have no place here, by their names. A run of nothing else is an error.
func (r *reader) countSkipped() error {
	kinds := make(map[string]*skipped)
	var events int64
	for _, t := range r.sources {
		for _, p := range t.plan.plans() {
			events += p.count
			n := p.omitted
			if p.role == roleNone && !p.executes() {
				n = p.count
			}
			if n == 0 {
				continue
			}
			if kinds[p.event.name] == nil {
				at := p.event.at
				kinds[p.event.name] = &skipped{name: p.event.name, place: fmt.Sprintf("%s:%d:%d: event %s", t.plan.meta.file, at.line, at.col, p.event.name)}
			}
			kinds[p.event.name].count += n
		}
	}
	countKinds(r.reading.Ledger, slices.Collect(maps.Values(kinds)))
	// Most likely the wrong trace, or one without instrumentation: an empty run would hide that.
	if r.placed() == 0 {
		return fmt.Errorf("%s: no events that enter or exit anything among %d", r.sources[0].plan.meta.file, events)
	}
	return nil
}

// skipped are the events of one name that have no place.
type skipped struct {
	name, place string
	count       int64
}

// mostKinds is how many kinds of events without a place are counted one by one.
const mostKinds = 12

// countKinds counts the kinds that are most frequent one by one, and the others together.
func countKinds(ledger *schema.Ledger, kinds []*skipped) {
	slices.SortFunc(kinds, func(a, b *skipped) int { return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name)) })
	for i, k := range kinds {
		kind := k.name
		if i >= mostKinds && len(kinds) > mostKinds+1 {
			kind = fmt.Sprintf("%d further kinds", len(kinds)-mostKinds)
		}
		ledger.AddMany(schema.SkippedRecord.OfKind(kind), k.count, func() string { return k.place })
	}
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
