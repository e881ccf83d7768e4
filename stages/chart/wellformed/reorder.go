package wellformed

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Threads that write their records one after the other may bring the receive of a message into the trace before its send. With
// Options.ReorderNs a lifeline stands still from such a receive on, until the message was sent or the time of the trace is past the
// window. What comes out is a trace with the same order on every lifeline, in which every message that was sent within the window
// is sent before it is received. Events keep their times.

// reorder is the lifelines that stand still.
type reorder struct {
	windowNs int64
	still    map[uint32]*standstill // by lifeline
	due      []*standstill          // by when they give up
	begun    int64                  // standstills so far
	sent     []MessageID            // messages that were sent, for which nobody looked yet
}

// standstill is the rows of a lifeline from a receive on, of which the message was not sent yet.
type standstill struct {
	message MessageID
	rows    []heldRow
	untilNs int64 // last time at which the message may be sent
	number  int64 // of its begin, from 1
	before  context
}

// heldRow is a row with its place in the trace.
type heldRow struct {
	event
	file    string
	ofLines bool
}

// context is the row before another, as far as further messages need it: see Builder.assignOwner.
type context struct {
	lifeline    uint32
	atNs        int64
	owner, call int64
}

// context returns that of the next row.
func (w *Builder) context() context { return context{w.before, w.beforeNs, w.owner, w.call} }

// setContext lets the next row come behind another one.
func (w *Builder) setContext(c context) {
	w.before, w.beforeNs, w.owner, w.call = c.lifeline, c.atNs, c.owner, c.call
}

// arrive takes the next row of the trace: it is woven now or behind those of its lifeline that stand still.
func (w *Builder) arrive(ev *event) {
	r, lifeline := w.reorder, w.codes.keys.List[ev.code].lifeline
	if w.codes.keys.List[ev.code].kind != schema.Message || !w.followsEvent(lifeline, ev.timeNs) {
		w.resumeSent()
	}
	w.watchTime(ev)
	for len(r.due) > 0 && r.due[0].untilNs < ev.timeNs {
		w.resume(r.due[0])
		w.resumeSent()
	}
	if s := r.still[lifeline]; s != nil {
		s.rows = append(s.rows, w.hold(ev))
		return
	}
	if w.isAhead(ev) {
		w.stop(lifeline, []heldRow{w.hold(ev)})
		return
	}
	w.weave(ev)
	w.noteSent(ev)
}

// hold keeps a row with its place.
func (w *Builder) hold(ev *event) heldRow {
	h := heldRow{event: *ev, file: w.file, ofLines: w.line > 0}
	h.line += uint32(w.line)
	return h
}

// isAhead reports whether a row receives a message that was not sent so far.
func (w *Builder) isAhead(ev *event) bool {
	m := &w.codes.marks.List[ev.mark]
	if m.direction != schema.Receive {
		return false
	}
	_, under := w.under.find(m.series, ev.id)
	return !under
}

// stop begins a standstill with rows of a lifeline.
func (w *Builder) stop(lifeline uint32, rows []heldRow) {
	r := w.reorder
	r.begun++
	s := &standstill{message: w.identify(&rows[0].event), rows: rows, untilNs: rows[0].timeNs + r.windowNs, number: r.begun, before: context{lifeline: schema.NoCode}}
	if w.before == lifeline {
		s.before = w.context()
	}
	r.still[lifeline] = s
	at, _ := slices.BinarySearchFunc(r.due, s, compareDue)
	r.due = slices.Insert(r.due, at, s)
}

// compareDue orders standstills by when they give up.
func compareDue(a, b *standstill) int {
	return cmp.Or(cmp.Compare(a.untilNs, b.untilNs), cmp.Compare(a.number, b.number))
}

// noteSent notes a message that was sent, if a lifeline stands still.
func (w *Builder) noteSent(ev *event) {
	if len(w.reorder.due) > 0 && w.codes.marks.List[ev.mark].direction == schema.Send {
		w.reorder.sent = append(w.reorder.sent, w.identify(ev))
	}
}

// resumeSent lets the lifelines go on of which the messages were sent, and those that wait for what these send.
func (w *Builder) resumeSent() {
	r := w.reorder
	for i := 0; i < len(r.sent); i++ { // which grows
		at := slices.IndexFunc(r.due, func(s *standstill) bool { return s.message == r.sent[i] })
		if at < 0 {
			continue
		}
		if head := &r.due[at].rows[0]; !w.isAhead(&head.event) {
			w.count(Loss{Reason: schema.Reordered, Count: 1, File: head.file, Line: head.lineNumber(), Seq: w.seq})
		}
		w.resume(r.due[at])
	}
	r.sent = r.sent[:0]
}

// resume weaves the rows of a standstill, up to one that receives another message that was not sent so far.
func (w *Builder) resume(s *standstill) {
	r, lifeline := w.reorder, w.codes.keys.List[s.rows[0].code].lifeline
	at, _ := slices.BinarySearchFunc(r.due, s, compareDue)
	r.due = slices.Delete(r.due, at, at+1)
	delete(r.still, lifeline)
	file, line, before := w.file, w.line, w.context()
	w.setContext(s.before)
	for i := range s.rows {
		h := &s.rows[i]
		if i > 0 && w.isAhead(&h.event) {
			w.stop(lifeline, s.rows[i:])
			break
		}
		// The line of a held row counts from the first of its file, which is 1.
		w.file, w.line = h.file, 0
		ev := h.event
		if h.ofLines {
			w.line, ev.line = 1, ev.line-1
		}
		w.weave(&ev)
		w.noteSent(&ev)
	}
	w.file, w.line = file, line
	w.setContext(before)
}

// lineNumber returns the line of a row, from 1, or 0 where the trace has no lines.
func (h *heldRow) lineNumber() int64 {
	if !h.ofLines {
		return 0
	}
	return int64(h.line)
}

// resumeAll ends all standstills.
func (w *Builder) resumeAll() {
	if w.reorder == nil {
		return
	}
	for w.resumeSent(); len(w.reorder.due) > 0; w.resumeSent() {
		w.resume(w.reorder.due[0])
	}
}
