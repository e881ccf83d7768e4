package etf

import (
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// message identifies a message.
type message struct {
	series schema.Code // of the writer's own
	id     int64       // schema.NoValue for messages without a number
}

// dependency is a message whose claims are not both written.
type dependency struct {
	from, to tie    // the sending and the receiving end
	label    string // without characters that end it
	waits    int    // for so many claims
}

// message notes one end of a message, and makes a dependency of it when the other end was there before.
func (w *Writer) message(here tie, ev *schema.Events, i int) {
	// Ends are matched by series and number; a message without a number is matched by its series alone.
	key := message{w.seriesOf(ev.Series[i]), ev.MessageID[i]}
	here.way = ev.Direction[i]
	there, met := w.messages[key]
	if !met || there.way == here.way { // of two equal ends the later one holds
		w.messages[key] = here
		return
	}
	delete(w.messages, key)
	d := dependency{from: there, to: here, label: w.label(ev, i)}
	if here.way == schema.Send {
		d.from, d.to = here, there
	}
	w.await(d)
}

// label is the label of a message; its series where it has none, and a word where that is empty, too.
func (w *Writer) label(ev *schema.Events, i int) string {
	if ev.Message[i] != schema.NoCode {
		return plain(w.names.Messages.Name(ev.Message[i]))
	}
	if ev.Series[i] != schema.NoCode {
		return plain(w.names.Series.Name(ev.Series[i]))
	}
	return "message"
}

// await writes a dependency, at once or when the claims are written that are still open.
func (w *Writer) await(d dependency) {
	// 1. How many of its claims are still open; both ends may be at one claim.
	for i, t := range [...]tie{d.from, d.to} {
		if t.lane.has(t.claim) && (i == 0 || t.claim != d.from.claim) {
			d.waits++
		}
	}
	if d.waits == 0 {
		w.dependency(&d)
		return
	}
	// A dependency must stand behind both its claims, and a claim is written when its call ends.
	waiting := d // which outlives this call
	// 2. Each of them has the dependency in its list, once.
	for _, t := range [...]tie{d.from, d.to} {
		if t.lane.has(t.claim) {
			w.unwritten[t.claim] = append(w.unwritten[t.claim], &waiting)
		}
		if d.to.claim == d.from.claim {
			return
		}
	}
}

// written notes that a claim is written, and writes the dependencies that waited for nothing else.
func (w *Writer) written(claim int64) {
	if len(w.unwritten) == 0 {
		return
	}
	for _, d := range w.unwritten[claim] {
		if d.waits--; d.waits == 0 {
			w.dependency(d)
		}
	}
	delete(w.unwritten, claim)
}

// dependency writes a dependency: its number, its kind (start or finish of the claim at either end), the claims, the label.
func (w *Writer) dependency(d *dependency) {
	w.buf = strconv.AppendInt(append(w.buf, "D "...), w.ties, 10)
	w.ties++
	// The type is two bits: which end of the first claim, and which of the second.
	for _, n := range [...]int64{int64(2*d.from.end + d.to.end), d.from.claim, d.to.claim} {
		w.buf = strconv.AppendInt(append(w.buf, ' '), n, 10)
	}
	w.buf = append(append(append(w.buf, ";label="...), d.label...), '\n')
}

// has reports whether a claim is open.
func (l *lane) has(claim int64) bool {
	for i := l.stack.Depth() - 1; i >= 0; i-- {
		if l.stack.At(i).claim == claim {
			return true
		}
	}
	return false
}
