package chrome

import (
	"io"

	"github.com/tracelake/tracelake/schema"
)

// buffered is the number of bytes that are written at a time.
const buffered = 1 << 18

// Writer writes a run.
type Writer struct {
	w     io.Writer
	buf   []byte
	err   error // of w
	begun bool  // there is an event before the next
	end   int64 // latest time so far

	processes map[string]int       // pid by component, from 1
	threads   map[thread]*track    // the tid is the track's place in tracks, from 1
	tracks    []*track             // in the order of their first events
	functions map[string]*function // by name

	held exit // is written before anything but its own messages
	codes
}

// thread is a lifeline of a component.
type thread struct{ component, lifeline string }

// track is a thread as it is written.
type track struct {
	place []byte      // its members pid and tid, up to the time
	stack []*function // of open calls, the outermost first
	last  int64       // time of its last event

	bare   bool  // a call that was invented for a message is open
	bareNs int64 // its time
}

// function is the name of a function as it is written.
type function struct{ name []byte }

// NewWriter returns a writer of a run to w. Nothing is complete before Close.
func NewWriter(w io.Writer) *Writer {
	return &Writer{
		w: w, buf: append(make([]byte, 0, buffered+1<<12), "{\"displayTimeUnit\":\"ns\",\"traceEvents\":["...),
		processes: make(map[string]int), threads: make(map[thread]*track), functions: make(map[string]*function),
		end: schema.NoValue,
	}
}

// Write writes events that follow those before in the trace. It keeps nothing of them. Its error is that of the writer
// below, and of every call after it.
func (w *Writer) Write(ev *schema.Events) error {
	w.codes.reset(ev.Names)
	for i := range ev.TimeNs {
		w.event(ev, i)
		if len(w.buf) >= buffered {
			w.flush()
		}
	}
	return w.err
}

// event writes an event and its message.
func (w *Writer) event(ev *schema.Events, i int) {
	t, f := w.track(ev.Component[i], ev.Lifeline[i]), w.function(ev.Function[i])
	// Only further messages of the exit itself may come between it and its end.
	if w.held.track != nil && (ev.Kind[i] != schema.Message || t != w.held.track || ev.TimeNs[i] > w.held.timeNs) {
		w.release()
	}
	t.last = max(t.last, ev.TimeNs[i])
	w.end = max(w.end, t.last)
	switch invented := ev.Synthetic[i]; {
	case invented && w.isLeftOut(t, f, ev, i):
	case ev.Kind[i] == schema.Enter:
		w.enter(t, f, t.last)
	case ev.Kind[i] == schema.Exit:
		w.held = exit{t, f, t.last}
	}
	if isMessage(ev, i) {
		w.flow(t, ev, i)
	}
}

// isMessage reports whether an event sends or receives a message, whose identifier may have a series or be a number alone.
func isMessage(ev *schema.Events, i int) bool {
	return ev.Direction[i] == schema.Send || ev.Direction[i] == schema.Receive
}

// isLeftOut reports whether an invented event is not written. A call that was invented for a message stands where
// the message is, which is written by itself; the invented end of a call is that of the trace, where viewers end what is
// open anyway. An invented start is written, since they have no ends without one.
func (w *Writer) isLeftOut(t *track, f *function, ev *schema.Events, i int) bool {
	if ev.Kind[i] == schema.Enter {
		if t.bare = isMessage(ev, i); t.bare {
			t.bareNs = ev.TimeNs[i]
		}
		return t.bare
	}
	if t.bare && t.bareNs == ev.TimeNs[i] {
		t.bare = ev.Kind[i] != schema.Exit
		return true
	}
	for at := len(t.stack) - 1; ev.Kind[i] == schema.Exit && at >= 0; at-- {
		if t.stack[at] == f {
			t.stack = append(t.stack[:at], t.stack[at+1:]...)
			break
		}
	}
	return true
}

// enter opens a call.
func (w *Writer) enter(t *track, f *function, timeNs int64) {
	t.stack = append(t.stack, f)
	w.line('B', t, timeNs)
	w.close(f.name)
}

// What is written for a message without a series, and without a label beside.
var noSeries, noLabel = []byte(`""`), []byte(`"message"`)

// flow writes the message of an event.
func (w *Writer) flow(t *track, ev *schema.Events, i int) {
	if ev.Direction[i] == schema.Send {
		w.line('s', t, t.last)
	} else {
		w.line('f', t, t.last)
		w.buf = append(w.buf, `"bp":"e",`...)
	}
	s, label := noSeries, noLabel
	if ev.Series[i] != schema.NoCode {
		s = w.series(ev.Series[i])
		label = s
	}
	w.buf = append(append(w.buf, `"cat":`...), s...)
	w.buf = append(append(w.buf, `,"id":`...), s[:len(s)-1]...)
	if ev.MessageID[i] != schema.NoValue {
		w.buf = appendInt(append(w.buf, ':'), ev.MessageID[i])
	}
	w.buf = append(w.buf, `",`...)
	if ev.Message[i] != schema.NoCode {
		label = w.label(ev.Message[i])
	}
	w.close(label)
}

// Close closes what is open and completes the text. It does not close the writer below.
func (w *Writer) Close() error {
	if w.held.track != nil {
		w.release()
	}
	for _, t := range w.tracks {
		for i := len(t.stack) - 1; i >= 0; i-- {
			w.leave(t, t.stack[i], w.end)
		}
		t.stack = nil
	}
	w.buf = append(w.buf, "\n]}\n"...)
	w.flush()
	return w.err
}

// flush writes what was gathered. After an error it drops it.
func (w *Writer) flush() {
	if w.err == nil {
		_, w.err = w.w.Write(w.buf)
	}
	w.buf = w.buf[:0]
}
