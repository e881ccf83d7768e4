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
	received map[identifier]int64   // the positions of receives that come before their sends, by clocks that are apart
	unsent   map[identifier]bool    // sends that are left out, and not yet received
	channels map[channel]*[]lane    // by tag
}

// lane is a tag of a channel. Messages that are received before they are sent have tags of their own: they are settled when they are
// sent, and others only when their send is written, so that the order of one kind says nothing about the other.
type lane struct {
	last  int64 // position of the last receive; notYet while it was not met
	early bool
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
		if at, early := w.received[id]; early {
			w.tieEarly(r, id, at)
			return
		}
		w.abandon(id)
		r.id, r.receive = id, notYet
		r.peer = tokenOf(w.component, ev.Peer[i], &w.groups, &w.names.Components)
		w.pending[id] = pending{position: position, process: r.process, label: r.label}
		return
	}
	p, sent := w.pending[id]
	if !sent && w.unsent[id] {
		delete(w.unsent, id)
		r.other = w.other()
		return
	}
	if !sent { // its send comes later, as the event has a peer
		w.received[id] = position
		r.id, r.receive = id, notYet
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
	(*w.channels[channel{p.process, p.receiver, p.label}])[p.tag].last = position
	// The send named a guessed receiver and cannot be changed any more.
	if p.receiver != r.process {
		w.omissions.Missed++
	}
}

// tieEarly gives a send, the last row of the queue, and the receive before it each other and their tag.
func (w *Writer) tieEarly(r *row, id identifier, at int64) {
	delete(w.received, id)
	receive := &w.queue[at-w.first]
	receive.receive, receive.other, receive.label = never, r.process, r.label
	w.join(r.label, receive.process)
	r.other = receive.process
	r.tag = w.tag(r, at, true, func(last int64) bool { return last < at })
	receive.tag = r.tag
}

// forsake gives up waiting for the send of a receive that stands at the head of the queue.
func (w *Writer) forsake(r *row) {
	w.omissions.Early++
	delete(w.received, r.id)
	r.receive, r.other = never, w.other()
}

// invented looks at an event that is left out: no send has to wait for its receive.
func (w *Writer) invented(ev *schema.Events, i int) {
	if ev.Peer[i] == schema.NoCode {
		return
	}
	id := w.identifier(ev, i)
	if w.abandon(id); ev.Direction[i] == schema.Send {
		w.unsent[id] = true
	}
}

// abandon gives up waiting for the other end of a message.
func (w *Writer) abandon(id identifier) {
	if at, early := w.received[id]; early {
		delete(w.received, id)
		receive := &w.queue[at-w.first]
		receive.receive, receive.other = never, w.other()
	}
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
	r.tag = w.tag(r, r.receive, false, func(last int64) bool { return last < r.receive })
	w.queue[r.receive-w.first].tag = r.tag
}

// guess gives a send the likely receiver and a tag of its own until it is received.
func (w *Writer) guess(r *row) {
	w.omissions.Guessed++
	r.receive = never
	if r.other = w.home(r.peer); r.other == 0 {
		r.other = w.other()
	}
	r.tag = w.tag(r, notYet, false, func(last int64) bool { return last != notYet })
	p := w.pending[r.id]
	p.guessed, p.receiver, p.tag = true, r.other, r.tag
	w.pending[r.id] = p
}

// tag returns the minimum tag of a send's channel whose last receive may be followed by one at the given position.
func (w *Writer) tag(r *row, receive int64, early bool, fit func(last int64) bool) uint32 {
	c := channel{r.process, r.other, r.label}
	lanes := w.channels[c]
	if lanes == nil {
		lanes = new([]lane)
		w.channels[c] = lanes
	}
	i := slices.IndexFunc(*lanes, func(l lane) bool { return l.early == early && fit(l.last) })
	if i < 0 {
		i = len(*lanes)
		*lanes = append(*lanes, lane{early: early})
	}
	(*lanes)[i].last = receive
	return uint32(i)
}
