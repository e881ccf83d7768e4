package otf1

import (
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// encoder writes the records of the stream. OTF has no place for a message in an enter or exit, so the reader of the
// format ties messages to events by what stands next to them: behind an enter, or right before a leave. The encoder
// orders records such that this finds the events that the run has, and begins a new time line where it would not.
type encoder struct {
	buf      []byte
	begun    bool   // the first time line is written
	base     int64  // time 0; at most 0
	earliest int64  // tick of the first event
	now      int64  // tick of the last time line
	process  uint32 // of the last process line
	last     lastRecord
	exit     row // waits for further messages of its own, if exiting
	exiting  bool
	more     []row // these
}

// lastRecord is the kind of the last record behind the last time or process line.
type lastRecord uint8

const (
	noRecord lastRecord = iota
	anEnter             // with its messages
	anExit
	aMessage // of no enter
)

// write writes a row. An exit waits for the next row, which may be a further message of it.
func (w *Writer) write(r *row) {
	if w.exiting && r.kind == schema.Message && r.process == w.exit.process && r.timeNs == w.exit.timeNs {
		w.more = append(w.more, *r)
		return
	}
	// Whatever comes next, an exit that waited has all its messages now.
	w.finishExit()
	switch r.kind {
	case schema.Exit:
		w.exit, w.exiting = *r, true
		return
	case schema.Enter:
		w.place(r)
		w.record("E", r.function)
		w.end()
		w.last = anEnter
	case schema.Regular: // OTF has no record of an event that is of no function
		return
	default:
		if w.place(r); w.last != anEnter {
			w.last = aMessage
		}
	}
	w.message(r)
}

// finishExit writes the exit that waits, behind its messages. A time line keeps them from the record before, of
// which they would be otherwise; and messages before from the exit.
func (w *Writer) finishExit() {
	if !w.exiting {
		return
	}
	w.place(&w.exit)
	own := w.exit.label != 0 || len(w.more) > 0
	if w.last == aMessage || own && w.last == anEnter {
		w.timeLine()
	}
	w.message(&w.exit)
	for i := range w.more {
		w.message(&w.more[i])
	}
	w.record("L", w.exit.function)
	w.end()
	w.last, w.exiting, w.more = anExit, false, w.more[:0]
}

// place writes the time and process lines that a row needs.
func (w *Writer) place(r *row) {
	if !w.begun {
		w.base = min(0, r.timeNs)
	}
	tick := r.timeNs - w.base
	// OTF wants times that do not fall.
	if tick < w.now {
		w.omissions.Times++
		tick = w.now
	}
	switch {
	case !w.begun:
		w.begun, w.earliest = true, tick
		fallthrough
	case tick != w.now:
		w.now, w.process = tick, r.process
		w.timeLine()
	case r.process != w.process:
		w.process = r.process
		w.record("*", w.process)
		w.end()
		w.last = noRecord
	}
}

// timeLine writes the time and the process again; what follows has no record before it to be tied to.
func (w *Writer) timeLine() {
	w.buf = strconv.AppendInt(w.buf, w.now, 16)
	w.end()
	w.record("*", w.process)
	w.end()
	w.last = noRecord
}

// message writes the message of a row, if it has one.
func (w *Writer) message(r *row) {
	if r.label == 0 {
		return
	}
	word := "R"
	if r.send {
		word = "S"
	}
	w.record(word, r.other)
	w.record("L0T", r.tag)
	w.record("C", r.label)
	w.end()
}

// record writes a keyword and a number.
func (w *Writer) record(word string, number uint32) {
	w.buf = append(w.buf, word...)
	w.buf = strconv.AppendUint(w.buf, uint64(number), 16)
}

// end ends a record.
func (w *Writer) end() { w.buf = append(w.buf, '\n') }
