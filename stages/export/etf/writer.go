package etf

import (
	"io"
	"strconv"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

const (
	buffered    = 1 << 18 // bytes written at a time
	exact       = 1 << 53 // a float64 holds whole numbers up to here
	millisecond = 1_000_000
)

// Ends of claims, as in the types of dependencies.
const (
	start  = 0
	finish = 1
)

// Writer writes a run.
type Writer struct {
	w      io.Writer // below
	buf    []byte    // of text that is not written yet
	err    error     // of w
	begun  bool      // the head is written
	origin int64     // ns, taken off all times
	end    int64     // latest time so far

	lanes     map[string]*lane        // by lifeline
	order     []*lane                 // in the order of their numbers
	calls     schema.Dictionary       // attributes of claims
	series    schema.Dictionary       // of all chunks
	claims    int64                   // so far: the number of the next one
	messages  map[message]tie         // of which one end was met
	ties      int64                   // dependencies so far
	unwritten map[int64][]*dependency // by the claims that they wait for

	codes
}

// lane is a lifeline.
type lane struct {
	resource int                    // number in the text
	stack    callstack.Stack[frame] // open calls of the lifeline
	last     tie                    // of its last enter or exit
	at       int64                  // time of that
	idle     bool                   // nothing has happened yet
}

// frame is an open call.
type frame struct {
	claim, timeNs int64       // number of the claim, and its start
	call          schema.Code // of its attributes
	inside        bool        // of another call
}

// tie is an end of a claim.
type tie struct {
	lane  *lane            // on which the claim is
	claim int64            // its number
	end   byte             // start or finish
	way   schema.Direction // of the message
}

// NewWriter returns a writer of a run to w. Nothing is complete before Close.
func NewWriter(w io.Writer) *Writer {
	return &Writer{
		w: w, buf: make([]byte, 0, buffered+1<<12), lanes: make(map[string]*lane), messages: make(map[message]tie),
		unwritten: make(map[int64][]*dependency),
	}
}

// Write writes events that follow those before in the trace. It keeps nothing of them. Its error is that of the writer
// below, and of every call after it.
// Codes hold for these events alone, so what is known by code is forgotten.
func (w *Writer) Write(ev *schema.Events) error {
	w.codes.reset(ev.Names)
	if !w.begun && len(ev.TimeNs) > 0 {
		w.begin(ev.TimeNs[0])
	}
	for i, timeNs := range ev.TimeNs {
		w.end = max(w.end, timeNs)
		w.event(ev, i)
		if len(w.buf) >= buffered {
			w.flush()
		}
	}
	return w.err
}

// begin writes the head of the text. Times that a float64 does not hold are written from the millisecond of the first.
func (w *Writer) begin(first int64) {
	w.begun, w.end = true, first
	w.buf = append(w.buf, "TU NANOSECONDS\n"...)
	if first < exact && first > -exact {
		return
	}
	// The offset is in whole milliseconds, as the format has it; what is left of times stays small.
	ms := first / millisecond
	w.origin = ms * millisecond
	w.buf = append(strconv.AppendInt(append(w.buf, "O "...), ms, 10), '\n')
}

// event writes what ends with an event, and notes what starts with it.
func (w *Writer) event(ev *schema.Events, i int) {
	l, timeNs := w.lane(ev.Lifeline[i]), ev.TimeNs[i]
	call := w.call(ev.Component[i], ev.Function[i], ev.Lifeline[i])
	switch ev.Kind[i] {
	case schema.Enter:
		w.enter(l, call, timeNs)
	case schema.Exit:
		w.exit(l, call, timeNs)
	}
	// Only messages tie claims; other directions, such as those of collective operations, have no form.
	if d := ev.Direction[i]; d != schema.Send && d != schema.Receive {
		return
	}
	// A message in the middle of a call has an event of its own, unless one of the same time is there already.
	if ev.Kind[i] == schema.Message && (l.idle || l.at != timeNs) {
		w.moment(l, ev, i)
	}
	w.message(l.last, ev, i)
}

// enter opens a claim.
func (w *Writer) enter(l *lane, call schema.Code, timeNs int64) {
	// Whether the call lies in another one is asked before it is opened.
	inside := !l.stack.Idle()
	*l.stack.Enter(call) = frame{w.claims, timeNs, call, inside}
	l.last, l.at, l.idle = tie{lane: l, claim: w.claims, end: start}, timeNs, false
	w.claims++
}

// exit writes a claim. A call that was never entered has no length.
func (w *Writer) exit(l *lane, call schema.Code, timeNs int64) {
	// An exit without a call gets a call of no length, so that its messages have a claim.
	f, _ := l.stack.Exit(call)
	if f == nil {
		w.enter(l, call, timeNs)
		f, _ = l.stack.Exit(call)
	}
	l.last, l.at = tie{lane: l, claim: f.claim, end: finish}, timeNs
	w.claim(l, *f, timeNs)
}

// moment writes a claim of no length for a message in the middle of a call.
func (w *Writer) moment(l *lane, ev *schema.Events, i int) {
	word := "send"
	if ev.Direction[i] == schema.Receive {
		word = "receive"
	}
	call := w.calls.Code(attributes(word, ev.Names.Components.Name(ev.Component[i]), ev.Names.Lifelines.Name(ev.Lifeline[i])))
	w.enter(l, call, ev.TimeNs[i])
	w.exit(l, call, ev.TimeNs[i])
	if ev.Direction[i] == schema.Receive {
		l.last.end = start // so that a message goes from an end to a start
	}
}

// claim writes a claim and the dependencies that have waited for it alone.
func (w *Writer) claim(l *lane, f frame, timeNs int64) {
	w.buf = append(w.buf, "C "...)
	// A resource has the capacity 1, so only the outermost claim on it takes any of it.
	amount := int64(1)
	if f.inside {
		amount = 0
	}
	for _, n := range [...]int64{f.claim, f.timeNs - w.origin, timeNs - w.origin, int64(l.resource), amount} {
		w.buf = append(strconv.AppendInt(w.buf, n, 10), ' ')
	}
	w.buf[len(w.buf)-1] = ';'
	w.buf = append(append(w.buf, w.calls.Name(f.call)...), '\n')
	w.written(f.claim)
}

// Close writes what is open and the rest of the text. It does not close the writer below.
func (w *Writer) Close() error {
	if !w.begun {
		w.begin(0)
	}
	// What is open ends with the run, the innermost call of each lifeline first.
	for _, l := range w.order {
		for i := l.stack.Depth() - 1; i >= 0; i-- {
			w.claim(l, *l.stack.At(i), w.end)
		}
		l.stack = callstack.Stack[frame]{}
	}
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
