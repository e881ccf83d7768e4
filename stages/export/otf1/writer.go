package otf1

import (
	"io"
	"math"

	"github.com/tracelake/tracelake/schema"
)

const (
	full          = 1 << 16 // bytes that are gathered before they are written
	defaultWindow = 1 << 20 // about 64 MB of events
)

// Omissions are what OTF could not say of the events so far.
type Omissions struct {
	Synthetic int64 // events left out because they were invented
	Times     int64 // events whose time was raised to that of the event before
	Names     int64 // distinct names with characters replaced
	Guessed   int64 // messages whose receiver was guessed
	Missed    int64 // of those, messages whose receiver was another, so that their ends are not tied
	Early     int64 // messages received before they are sent, whose send is too far behind or not there, so that their ends are not tied
}

// Writer writes a trace. It belongs to one goroutine.
type Writer struct {
	// To be set before the first Write:
	Synthetic bool // write invented events too
	Window    int  // how many events may wait for the receiver of a message; 0 for a million

	create    func(name string) (io.WriteCloser, error)
	stub      string         // name of all files before their first dot
	events    io.WriteCloser // STUB.1.events; nil before the first Write
	err       error          // the first one
	omissions Omissions

	tokens
	chunk
	exchanges
	encoder
	queue []row
	head  int   // of the queue: rows before it were written
	first int64 // position in the trace of queue[0]
}

// NewWriter returns a writer of the files STUB.otf, STUB.0.def and STUB.1.events, which it makes with create and closes.
func NewWriter(create func(name string) (io.WriteCloser, error), stub string) *Writer {
	return &Writer{
		create: create, stub: stub, tokens: newTokens(), exchanges: exchanges{pending: make(map[identifier]pending), received: make(map[identifier]int64), unsent: make(map[identifier]bool), channels: make(map[channel]*[]lane)},
		encoder: encoder{buf: make([]byte, 0, full+1024)},
	}
}

// Omissions are what could not be written so far.
func (w *Writer) Omissions() Omissions { return w.omissions }

// Write adds events in trace order. The errors are those of create and of the files.
func (w *Writer) Write(ev *schema.Events) error {
	if w.err != nil {
		return w.err
	}
	if w.err = w.open(); w.err != nil {
		return w.err
	}
	w.start(ev.Names)
	for i := range ev.Seq {
		if ev.Synthetic[i] && !w.Synthetic {
			w.omissions.Synthetic++
			w.invented(ev, i)
			continue
		}
		w.add(ev, i)
	}
	return w.err
}

// open makes the file of the events.
func (w *Writer) open() (err error) {
	if w.events == nil {
		w.events, err = w.create(w.stub + ".1.events")
	}
	return err
}

// Close writes what still waits, the definitions and the master file. It returns the first error of all.
func (w *Writer) Close() error {
	if w.err == nil {
		w.err = w.open()
	}
	w.drain(math.MaxInt)
	w.finishExit()
	w.flush()
	if w.events != nil {
		if err := w.events.Close(); w.err == nil {
			w.err = err
		}
	}
	w.file(".0.def", w.definitions())
	w.file(".otf", w.master())
	return w.err
}

// flush writes what was gathered. After an error it drops it.
func (w *Writer) flush() {
	if w.err == nil && len(w.buf) > 0 {
		_, w.err = w.events.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

// file writes a whole file.
func (w *Writer) file(ext string, content []byte) {
	if w.err != nil {
		return
	}
	out, err := w.create(w.stub + ext)
	if err != nil {
		w.err = err
		return
	}
	_, w.err = out.Write(content)
	if err := out.Close(); w.err == nil {
		w.err = err
	}
}
