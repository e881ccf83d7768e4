package otf1

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// exchanges tie receives to sends. OTF has no identifiers of messages: a receive is that of the oldest send with the same
// sender, receiver, communicator and tag. Messages that overtake each other therefore need different tags, and the least
// tag that works is taken, so that traces without overtaking have tag 0 alone.
type exchanges struct {
	pending  map[identifier]pending // sent and not yet received
	channels map[channel]*[]int64   // by tag, the position of the last receive; notYet while it was not met
}

// identifier is that of a message.
type identifier struct {
	series uint32
	id     int64
}

// pending is a message that was sent and not yet received. Its send waits in the queue unless the window was too small.
type pending struct {
	position       int64
	process, label uint32 // tokens of the sender and of the message's label

	guessed       bool // its send was written already, with these
	receiver, tag uint32
}

// channel identifies messages that are received in the order in which they were sent, tags aside: tokens of
// the sending and the receiving process and of the label.
type channel struct{ from, to, label uint32 }

// identifier returns what the two ends of a message have in common.
func (w *Writer) identifier(ev *schema.Events, i int) identifier {
	return identifier{tokenOf(w.ids, ev.Series[i], &w.series, &w.names.Series), ev.MessageID[i]}
}

// exchange finds out about the other end of the message of the last row of the queue.
func (w *Writer) exchange(ev *schema.Events, i int, r *row) {
	if ev.Peer[i] == schema.NoCode {
		r.other = w.other()
		return
	}
	id, position := w.identifier(ev, i), w.first+int64(len(w.queue))-1
	if r.send {
		w.abandon(id)
		r.id, r.receive = id, notYet
		r.peer = tokenOf(w.component, ev.Peer[i], &w.groups, &w.names.Components)
		w.pending[id] = pending{position: position, process: r.process, label: r.label}
		return
	}
	p, sent := w.pending[id]
	if !sent {
		r.other = w.other()
		return
	}
	delete(w.pending, id)
	r.other, r.label, r.tag = p.process, p.label, p.tag
	w.join(r.label, r.process)
	if !p.guessed {
		send := &w.queue[p.position-w.first]
		send.receive, send.other = position, r.process
		return
	}
	(*w.channels[channel{p.process, p.receiver, p.label}])[p.tag] = position
	// The send named a guessed receiver and cannot be changed any more.
	if p.receiver != r.process {
		w.omissions.Missed++
	}
}

// invented looks at an event that is left out: no send has to wait for its receive.
func (w *Writer) invented(ev *schema.Events, i int) {
	if ev.Peer[i] != schema.NoCode {
		w.abandon(w.identifier(ev, i))
	}
}

// abandon gives up waiting for the receive of a message.
func (w *Writer) abandon(id identifier) {
	p, sent := w.pending[id]
	if !sent {
		return
	}
	delete(w.pending, id)
	if !p.guessed {
		send := &w.queue[p.position-w.first]
		send.receive, send.other = never, w.other()
	}
}

// settle gives a send and its receive their tag.
func (w *Writer) settle(r *row) {
	r.tag = w.tag(r, r.receive, func(last int64) bool { return last < r.receive })
	w.queue[r.receive-w.first].tag = r.tag
}

// guess gives a send the likely receiver and a tag of its own until it is received.
func (w *Writer) guess(r *row) {
	w.omissions.Guessed++
	r.receive = never
	if r.other = w.home(r.peer); r.other == 0 {
		r.other = w.other()
	}
	r.tag = w.tag(r, notYet, func(last int64) bool { return last != notYet })
	p := w.pending[r.id]
	p.guessed, p.receiver, p.tag = true, r.other, r.tag
	w.pending[r.id] = p
}

// tag returns the minimum tag of a send's channel whose last receive may be followed by one at the given position.
func (w *Writer) tag(r *row, receive int64, fit func(last int64) bool) uint32 {
	c := channel{r.process, r.other, r.label}
	lasts := w.channels[c]
	if lasts == nil {
		lasts = new([]int64)
		w.channels[c] = lasts
	}
	i := slices.IndexFunc(*lasts, fit)
	if i < 0 {
		i = len(*lasts)
		*lasts = append(*lasts, receive)
	}
	(*lasts)[i] = receive
	return uint32(i)
}
