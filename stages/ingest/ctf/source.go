package ctf

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/tags"
)

// source is one of the traces of a run.
type source struct {
	schema.Trace
	reading    *schema.Reading // of the run
	plan       *tracePlan      // nil before the metadata are read
	hostNumber uint32          // of the host, from 0
	host       string          // env.hostname: traces of one host share processes
	process    string          // the name of the only process, where the trace tells one
	counts     *discards       // of the run
	number     int             // of the trace, from 0
	buffers    *windowBuffers  // of the run
	clock      uint32          // number of what has its clock
	aheadNs    int64           // how far that is known to be ahead
}

// open opens a file of the trace, decompressed.
func (t *source) open(name string) (io.Reader, io.Closer, string, error) {
	full := path.Join(t.Path, name)
	f, err := t.FS.Open(full)
	if err != nil {
		return nil, nil, full, err
	}
	if t.Decompress == nil {
		return f, f, full, nil
	}
	r, err := t.Decompress(f)
	if err != nil {
		f.Close()
		return nil, nil, full, fmt.Errorf("%s: %w", full, err)
	}
	return r, f, full, nil
}

// parse reads the metadata.
func (t *source) parse() (*metadata, error) {
	r, closer, full, err := t.open(metadataFile)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	src, err := readMetadata(r, full)
	if err != nil {
		return nil, err
	}
	if isFragments([]byte(src)) {
		return parseFragments(full, src)
	}
	return parse(full, src)
}

// describe compiles the metadata, in which the names of events make pairs.
func (t *source) describe(meta *metadata, pairs pairs) (err error) {
	if t.plan, err = newAttributedPlan(meta, pairs, tags.New(t.reading.Options.Attributes)); err != nil {
		return err
	}
	t.host, t.process = cmp.Or(meta.env["hostname"], meta.env["host"]), meta.env["procname"]
	for _, at := range meta.doubles {
		t.reading.Ledger.Add(schema.DuplicateDef, func() string { return fmt.Sprintf("%s:%d:%d", meta.file, at.line, at.col) })
	}
	if len(meta.clocks) > 0 && meta.clocksLost() {
		t.reading.Ledger.Add(schema.UnsupportedTime, func() string { return meta.file + ": the offset of the clock, which was left out" })
	}
	return nil
}

// clocksLost reports whether the offset of a clock does not fit.
func (m *metadata) clocksLost() bool {
	for _, s := range m.streams {
		if t := m.timescale(s.header); t.lost {
			return true
		}
	}
	return false
}

// streams opens the files of the trace: all but the metadata and what is hidden.
func (t *source) streams() ([]*stream, error) {
	entries, err := fs.ReadDir(t.FS, path.Join(".", t.Path))
	if err != nil {
		return nil, err
	}
	var out []*stream
	for _, e := range entries {
		if e.IsDir() || e.Name() == metadataFile || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		r, closer, full, err := t.open(e.Name())
		if err != nil {
			closeAll(out)
			return nil, err
		}
		out = append(out, &stream{
			trace: t, file: full, closer: closer, reading: t.reading, window: newWindow(r, t.buffers.take(schema.ReadAhead(r, windowBytes))), number: uint64(len(out)),
			machine: machine{slots: make([]uint64, t.plan.slots)}, lastThread: -1,
		})
	}
	return out, nil
}

// closeAll closes the files of streams, which were only read, and gives their memory back.
func closeAll(streams []*stream) {
	for _, s := range streams {
		s.closer.Close()
		s.trace.buffers.put(s.window.buf)
	}
}

// discards holds, by stream, what the tracer has said that it dropped. Streams of one name in several traces are
// one stream, whose trace was cut into pieces.
type discards struct {
	last map[streamName]discarded // counters at the packet before
	any  bool                     // something was lost
}

// streamName identifies a stream over all traces of a run.
type streamName struct {
	uuid, file            string // the file only where there is no UUID
	stream, instance, cpu uint64 // number of the description, stream_instance_id, cpu_id
}

// discarded are the counters of a packet: events_discarded and packet_seq_num.
type discarded struct {
	events, packet uint64 // 0 where the packet has no such field
}

// losses counts what was dropped before the packet that begins.
func (t *source) losses(s *stream) {
	context := s.plan.class.packetContext
	counter, sequence := context.member("events_discarded"), context.member("packet_seq_num")
	if counter == nil && sequence == nil {
		return
	}
	name := streamName{t.plan.meta.uuid, "", s.plan.class.id, s.regs[regInstance], s.cpu}
	if name.uuid == "" {
		name.file = s.file
	}
	now := discarded{s.regs[regDiscarded], s.regs[regSequence]}
	was, again := t.counts.last[name]
	t.counts.last[name] = now
	if counter != nil {
		t.lost(s, grown(was.events, now.events, counter.size))
	}
	if sequence != nil && again && now.packet > was.packet {
		t.lost(s, now.packet-was.packet-1)
	}
}

// grown returns how far a counter of width bits went up. One that went down has gone past its end where that is a small
// step, and was set back otherwise.
func grown(was, now, width uint64) uint64 {
	if now >= was {
		return now - was
	}
	if step := (now - was) << (64 - width) >> (64 - width); width < 64 && step < 1<<(width-1) {
		return step
	}
	return 0
}

// lost counts events that the tracer dropped.
func (t *source) lost(s *stream, n uint64) {
	if n == 0 {
		return
	}
	t.counts.any = true
	t.reading.Ledger.AddMany(schema.LostByTracer, int64(min(n, 1<<62)), func() string { return fmt.Sprintf("%s@%#x", s.file, s.start) })
}
