package text

import (
	"io"

	"github.com/tracelake/tracelake/schema"
)

// full is the number of bytes that are gathered before they are written.
const full = 1 << 16

// Omissions are what the dialect could not say of the events so far.
type Omissions struct {
	Synthetic   int64 // events left out because they were invented
	Regular     int64 // events left out because they are of no call
	Messages    int64 // messages left out
	Lifelines   int64 // events whose lifeline is not their component
	Names       int64 // distinct names with characters replaced
	Identifiers int64 // identifiers with "_" between series and number
	Times       int64 // events earlier than the first one, which had a negative time; they are written at 0
}

// Writer writes a trace. It belongs to one goroutine.
type Writer struct {
	Synthetic bool // write invented events too; to be set before the first Write

	out       io.Writer
	err       error  // the first one of out
	buf       []byte // lines that are not yet written
	omissions Omissions

	components, functions, series names
	replaced                      map[string]bool // names counted already

	begun bool
	base  int64 // time 0; at most 0
	last  event
}

// event is the line being written, which still may get a message.
type event struct {
	open     bool   // its line end is not written yet
	before   bool   // it is the row before
	message  bool   // it has its message already: the dialect allows one
	timeNs   int64  // its time
	lifeline string // its lifeline, by name
}

// NewWriter returns a writer to out, which it does not close.
func NewWriter(out io.Writer) *Writer {
	return &Writer{out: out, buf: make([]byte, 0, full+1024), replaced: make(map[string]bool)}
}

// Omissions are what could not be written so far.
func (w *Writer) Omissions() Omissions { return w.omissions }

// Write adds events in trace order. The errors are those of the underlying writer.
func (w *Writer) Write(ev *schema.Events) error {
	w.components.start(&ev.Names.Components)
	w.functions.start(&ev.Names.Functions)
	w.series.start(&ev.Names.Series)
	for i := range ev.Seq {
		switch {
		case ev.Synthetic[i] && !w.Synthetic:
			w.omissions.Synthetic++
			w.last.before = false
		case ev.Kind[i] == schema.Regular:
			w.omissions.Regular++
			w.last.before = false
		case ev.Kind[i] == schema.Message:
			w.further(ev, i)
		default:
			w.line(ev, i)
		}
		if len(w.buf) >= full {
			w.flush()
		}
	}
	return w.err
}

// Close ends the last line and writes what is left.
func (w *Writer) Close() error {
	w.endLine()
	w.flush()
	return w.err
}

// flush writes what was gathered. After an error it drops it.
func (w *Writer) flush() {
	if w.err == nil && len(w.buf) > 0 {
		_, w.err = w.out.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

// endLine ends the line that was kept open for a message.
func (w *Writer) endLine() {
	if w.last.open {
		w.buf = append(w.buf, '\n')
	}
	w.last.open = false
}

// line begins the line of an enter or exit.
func (w *Writer) line(ev *schema.Events, i int) {
	if !w.begun {
		w.begun, w.base = true, min(0, ev.TimeNs[i])
	}
	w.endLine()
	w.time(ev.TimeNs[i])
	kind := " > "
	if ev.Kind[i] == schema.Exit {
		kind = " < "
	}
	w.buf = append(w.buf, ' ')
	w.buf = append(w.buf, w.components.of(w, ev.Component[i], plainName)...)
	w.buf = append(w.buf, kind...)
	w.buf = append(w.buf, w.functions.of(w, ev.Function[i], functionName)...)
	lifeline := ev.Names.Lifelines.Name(ev.Lifeline[i])
	if lifeline != ev.Names.Components.Name(ev.Component[i]) {
		w.omissions.Lifelines++
	}
	w.last = event{open: true, before: true, timeNs: ev.TimeNs[i], lifeline: lifeline}
	if ev.Direction[i] != schema.NoMessage {
		w.message(ev, i)
	}
}

// further adds the message of a row of its own to the line before, if that is the line of its event and has no message;
// otherwise the message is an omission.
func (w *Writer) further(ev *schema.Events, i int) {
	l := &w.last
	switch {
	case ev.Direction[i] == schema.NoMessage:
	case l.before && !l.message && l.timeNs == ev.TimeNs[i] && l.lifeline == ev.Names.Lifelines.Name(ev.Lifeline[i]):
		w.message(ev, i)
	default:
		w.omissions.Messages++
		l.before = l.before && l.lifeline == ev.Names.Lifelines.Name(ev.Lifeline[i])
	}
}
