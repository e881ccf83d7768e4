package otf1

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// stream is a stream of events.
type stream struct {
	*lines
	closer io.Closer // closes the file

	tick   uint64   // of the last time line
	timeNs int64    // the same, converted
	timed  bool     // there was a time, and it fits
	key    int64    // of the next time: ticks since the origin
	proc   *process // of the last process line; nil before the first
	token  uint64   // of proc

	entered bool      // the last row is an enter of proc, and nothing but messages came after it
	held    []message // messages that wait for a leave right behind them
}

const (
	leastBuffer = 1 << 14 // bytes of a stream's buffer at least
	leastMemory = 1 << 25 // where no bound is given
)

// openStreams opens the events of all streams. One without a file is counted; a trace without any is refused.
func (r *reader) openStreams(ids []streamID) error {
	// Half of the memory goes to the buffers of the streams, in equal shares: a run of MPI has thousands of streams.
	// A stream's buffer grows beyond its share only for a line that is longer.
	memory := max(r.reading.Memory, leastMemory)
	buffer := int(min(firstBuffer, max(leastBuffer, memory/2/int64(len(ids)))))
	for _, id := range ids {
		name := fmt.Sprintf("%s.%x.events", r.stub, id.number)
		in, closer, err := r.open(name, buffer)
		if errors.Is(err, fs.ErrNotExist) {
			at := &schema.SyntaxError{File: r.trace.Path, Line: id.line, Col: 1, Err: fmt.Errorf("expected a file %s for this stream", name)}
			if err := r.reading.Bad(schema.BadRecord, at); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		r.streams = append(r.streams, &stream{lines: in, closer: closer})
	}
	if len(r.streams) == 0 {
		return fmt.Errorf("%s: no stream of the trace has its file %s.<id>.events", r.trace.Path, r.stub)
	}
	return nil
}

// close closes the files of all streams.
func (r *reader) close() {
	for _, s := range r.streams {
		s.closer.Close() // it was read only
	}
}

// firstTime reads up to the first time of a stream, which is s.tick. What has no time is bad.
// Lines before the first time have none and are counted as bad.
func (r *reader) firstTime(s *stream) (found bool, err error) {
	for s.at < s.end || s.fill() {
		begin := s.at
		s.next()
		f := fields{text: s.line()}
		if !f.more() {
			continue
		}
		if hexDigit[f.text[f.at]] < 16 {
			if s.tick = f.hex("a time"); f.fault == "" && !f.more() {
				s.at = begin
				return true, nil
			}
		}
		if err := r.bad(s, &f, "a time before the first record"); err != nil {
			return false, err
		}
	}
	return false, r.checkEnd(s.lines)
}

// mergeStreams reads all streams in the order of their times.
func (r *reader) mergeStreams() error {
	keys := make([]int64, len(r.streams))
	for i, s := range r.streams {
		// A stream without any time has ended before it began.
		if keys[i] = extsort.Done; s.at < s.end {
			keys[i] = r.keyOf(s.tick)
			s.key = keys[i]
		}
	}
	t := extsort.NewTournament(keys)
	for {
		i, until := t.Min()
		if i < 0 {
			return nil
		}
		if err := r.run(r.streams[i], until); err != nil {
			return err
		}
		t.Update(r.streams[i].key)
	}
}

// keyOf is the place of a time among the streams.
func (r *reader) keyOf(tick uint64) int64 {
	// A time that runs back before the first one sorts as the first.
	if tick < r.origin {
		return 0
	}
	// The greatest keys are kept free for streams that have ended.
	return int64(min(tick-r.origin, math.MaxInt64-2))
}

// checkEnd looks at how a file ended.
func (r *reader) checkEnd(in *lines) error {
	// A fault is at the end of what was read.
	in.begin = in.end
	if err := in.err; err != io.EOF && !unfinished(err) {
		at := in.syntax(0, err)
		if !corrupt(err) {
			return at
		}
		if err := r.reading.Bad(schema.BadRecord, at); err != nil {
			return err
		}
	}
	if in.torn() {
		return r.reading.Bad(schema.TornRecord, in.syntax(0, errors.New("the file ends within this record")))
	}
	return nil
}
