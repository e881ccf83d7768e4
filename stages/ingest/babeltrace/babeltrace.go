package babeltrace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// maxLine is the greatest length of a line in bytes.
const maxLine = 256 << 10

// Detect reports whether a text is of the format, by its first bytes, which may end within a line: at least one line
// must be an event, and none of the first ones anything else.
func Detect(head []byte) bool {
	var l line
	// Eight lines are enough: no other text format begins its lines with "[" time "]".
	for lines := 0; lines < 8; lines++ {
		text, rest, whole := bytes.Cut(head, []byte("\n"))
		if !whole {
			return lines > 0
		}
		if _, err := l.parse(bytes.TrimSuffix(text, []byte("\r"))); err != nil {
			return false
		}
		head = rest
	}
	return true
}

// reader reads one text.
type reader struct {
	reading *schema.Reading  // what it was given
	file    string           // its name, for positions
	number  int64            // of the line, from 1
	line    line             // in hand
	names   *processes.Table // of processes, threads and what they call
	last    int64            // time of day of the line before
	days    int64            // ns of the days that have passed
	events  int64            // lines that are events
	calls   int64            // of these, enters and exits
	out     blocks.Calls     // the block in hand

	lastKey    processes.ThreadKey // of the line before
	lastKnown  bool                // there was one
	lastThread int32               // number of the thread of lastKey
}

// Keys implements schema.Reader.
func (r *reader) Keys() []schema.EventKey { return r.names.Keys() }

// Marks implements schema.Reader. The format has no messages.
func (r *reader) Marks() []schema.MessageMark { return make([]schema.MessageMark, 1) }

// Read implements schema.Reader.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) (err error) {
	trace := r.reading.Traces[0]
	r.file = path.Clean(trace.Path)
	f, err := trace.FS.Open(trace.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := r.out.Begin(emit); err != nil {
		return err
	}
	if err := r.readLines(bufio.NewReaderSize(f, maxLine)); err != nil {
		return err
	}
	if err := r.out.End(); err != nil {
		return err
	}
	// A text of other events is most likely the wrong file or a trace without -finstrument-functions; an empty run
	// would hide that.
	if r.calls == 0 {
		return fmt.Errorf("%s: no function events among %d", r.file, r.events)
	}
	return nil
}

var errLong = errors.New("the line is too long")

// readLines reads all lines.
func (r *reader) readLines(in *bufio.Reader) error {
	for {
		text, err := in.ReadSlice('\n')
		r.number++
		// A line longer than the buffer is passed over to its end and counted as one bad line.
		long := err == bufio.ErrBufferFull
		// Its rest is read piece by piece and dropped.
		for err == bufio.ErrBufferFull {
			_, err = in.ReadSlice('\n')
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("%s: %w", r.file, err)
		}
		if len(text) > 0 {
			if err := r.readLine(text, long); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// readLine reads a line with its end, which the last one may lack.
func (r *reader) readLine(text []byte, long bool) error {
	reason := schema.BadLine
	body := bytes.TrimSuffix(text, []byte("\n"))
	// Only the last line can lack its end.
	if len(body) == len(text) && !long {
		reason = schema.TornLine
	}
	col, err := r.line.parse(bytes.TrimSuffix(body, []byte("\r")))
	if long {
		col, err = 1, errLong
	}
	if err != nil {
		return r.reading.Bad(reason, &schema.SyntaxError{File: r.file, Line: r.number, Col: int64(col), Err: err})
	}
	r.events++
	return r.takeEvent()
}

// position is the place of the line in hand.
func (r *reader) position() string { return fmt.Sprintf("%s:%d", r.file, r.number) }

// takeEvent turns the line in hand into an event, a name or nothing, by the name of its event.
func (r *reader) takeEvent() error {
	l := &r.line
	// Every line's time is looked at, of skipped events too: midnight must not be missed.
	ns := r.eventTime()
	switch string(l.name) {
	case "lttng_ust_cyg_profile:func_entry", "lttng_ust_cyg_profile_fast:func_entry":
		return r.addCall(ns, schema.Enter)
	case "lttng_ust_cyg_profile:func_exit":
		return r.addCall(ns, schema.Exit)
	case "lttng_ust_cyg_profile_fast:func_exit":
		return r.addReturn(ns)
	// What a process has loaded: the addresses of later calls are resolved with it.
	case "lttng_ust_statedump:bin_info", "lttng_ust_lib:load", "lttng_ust_dl:dlopen":
		r.loadModule()
	case "lttng_ust_statedump:procname":
		r.names.Rename(r.process(), l.text(true, "procname"))
	// Scheduling, system calls and the like have no enter and exit of a function.
	default:
		r.reading.Ledger.Add(schema.SkippedRecord, r.position)
	}
	return nil
}

// eventTime is the time of the line in hand: times of day go on over midnight.
func (r *reader) eventTime() int64 {
	if !r.line.daily {
		return r.line.ns
	}
	// Streams are merged by their times, so a small step back is the tracer's; half a day or more is midnight.
	if r.line.ns < r.last-day/2 {
		r.days += day
		r.reading.Ledger.Add(schema.ClockWrap, r.position)
	}
	r.last = r.line.ns
	return r.line.ns + r.days
}

// addCall passes on an enter or exit of a function at an address.
func (r *reader) addCall(ns int64, kind schema.Kind) error {
	address, ok := r.line.number(true, "addr")
	if !ok {
		return r.reading.Bad(schema.BadLine, &schema.SyntaxError{File: r.file, Line: r.number, Col: 1, Err: errors.New("expected a field addr")})
	}
	r.calls++
	// An enter is pushed and an exit popped although both have addresses, because exits of the fast variant on the same
	// thread close whatever is innermost.
	number := r.thread()
	k := r.names.EnterKey(processes.Call{Address: address, Thread: number})
	if t := r.names.Thread(number); kind == schema.Enter {
		t.Enter(k)
		// An exit of a call that is not innermost closes that call alone, as calls of package ctf do.
	} else if !t.Exit(k) {
		t.Remove(k)
	}
	return r.out.Put(ns, k+uint32(kind))
}

// addReturn passes on the exit of the innermost call.
func (r *reader) addReturn(ns int64) error {
	r.calls++
	k, known := r.names.Thread(r.thread()).Return()
	if !known {
		r.reading.Ledger.Add(schema.UnmatchedExit, r.position)
		return nil
	}
	return r.out.Put(ns, k+uint32(schema.Exit))
}
