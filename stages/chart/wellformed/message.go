package wellformed

import "github.com/tracelake/tracelake/schema"

// set makes e the end that an event is. A further message is that of the event before it.
func (e *end) set(ev *event, row int64) {
	e.seq, e.timeNs, e.event, e.call, e.row, e.key = ev.seq, ev.timeNs, ev.owner, ev.call, row, ev.code
}

// send opens the exchange of a message, or completes that of one that was received already.
func (w *Builder) send(ev *event, k *key, row int64) (x int32, peer uint32) {
	if x, peer = w.sendLate(ev, k, row); x != none {
		return x, peer
	}
	series := w.codes.marks.List[ev.mark].series
	if len(w.loose) > 0 {
		w.noteLate(series, ev.id)
	}
	x = w.open.place()
	e := &w.open.all[x]
	e.mark, e.id, e.request, e.reply, e.returns = ev.mark, ev.id, none, none, schema.NoValue
	e.received, e.unsent, e.replaced, e.callerOpen, e.calleeOpen = false, false, false, false, false
	e.send.set(ev, row)
	// The later send takes the identifier: receives are matched with the send right before them.
	if old := w.under.put(series, ev.id, x); old != none {
		w.countLoss(schema.DuplicateSend, ev)
		w.dropReplaced(old)
	}
	return x, schema.NoCode
}

// dropReplaced gives up an exchange whose identifier was sent again before it was received.
func (w *Builder) dropReplaced(x int32) {
	e := &w.open.all[x]
	w.unbind(x)
	if e.replaced = true; !e.callerOpen {
		w.open.remove(x)
	}
}

// unbind ends the relation of an exchange to its request or reply.
func (w *Builder) unbind(x int32) {
	e := &w.open.all[x]
	if e.request != none {
		w.open.all[e.request].reply = none
		request := e.request
		e.request = none
		w.settle(request)
	}
	if e.reply != none {
		w.open.all[e.reply].request = none
		reply := e.reply
		e.reply = none
		w.settle(reply)
	}
}

// receive completes the exchange of a message and makes its two ends each other's peers.
func (w *Builder) receive(ev *event, k *key, row int64) (x int32, peer uint32) {
	series := w.codes.marks.List[ev.mark].series
	x = w.under.take(series, ev.id)
	if x == none {
		if x = w.receiveEarly(ev, row); x != none {
			return x, schema.NoCode
		}
		w.noteLoose(series, ev, k)
		w.countLoss(schema.UnmatchedReceive, ev)
		w.noteStray(ev)
		var at end
		at.set(ev, row)
		return none, w.noteUntraced(at, ev.mark, ev.id)
	}
	e := &w.open.all[x]
	e.received = true
	e.receive.set(ev, row)
	if w.relation.between != nil {
		w.relateClocks(w.codes.keys.List[e.send.key].component, e.send.timeNs, k.component, ev.timeNs)
	}
	if e.receive.timeNs < e.send.timeNs {
		w.countLoss(schema.NegativeLatency, ev)
	}
	w.setPeer(&e.send, k.component, ev.seq)
	return x, w.codes.keys.List[e.send.key].component
}

// setPeer writes the peer of an event, which is known since the event of number known, or notes it when the row was handed
// on already. A slice also notes what one pass might have handed on.
func (w *Builder) setPeer(at *end, peer uint32, known int64) {
	p := &w.parts[w.codes.keys.List[at.key].bucket]
	if at.row >= p.base {
		p.rows.list[at.row-p.base].peer = peer
		if !w.slice || known-at.seq < w.stride*int64(w.groups.Rows/4) {
			return
		}
	}
	p.late = append(p.late, Patch{Seq: at.seq, Known: known, Peer: peer})
}

// holdExchange keeps an exchange from being complete before the execution that its message belongs to finishes.
func (w *Builder) holdExchange(x int32, sent bool) {
	switch {
	case x == none:
	case sent:
		w.open.all[x].callerOpen = true
	default:
		w.open.all[x].calleeOpen = true
	}
}

// settleReceived settles the exchange of a message that no execution holds, once it was received.
func (w *Builder) settleReceived(x int32) {
	if x != none && w.open.all[x].received {
		w.settle(x)
	}
}

// finishExecution ends an execution: the message x at its finish (sent or received) is tied to the one at its start.
func (w *Builder) finishExecution(f *frame, x int32, sent bool) {
	if x != none && !sent && f.seq >= 0 { // an invented enter has sent nothing
		w.open.all[x].returns = f.seq
	}
	if f.exchange == none {
		w.settleReceived(x)
		return
	}
	// A message received at the start and one sent at the finish, or the reverse, are a request and its reply.
	if x != none && sent != f.sent {
		w.open.link(f.exchange, x)
	}
	// The call was blocking if its own reply came at its finish; only then was the lifeline idle.
	w.emitCallbacks(f, x != none && f.sent && w.open.all[f.exchange].reply == x)
	w.releaseCall(f)
	w.settleReceived(x)
}

// releaseCall ends what an open call holds of the exchange at its start.
func (w *Builder) releaseCall(f *frame) {
	e := &w.open.all[f.exchange]
	if !f.sent {
		e.calleeOpen = false
	} else if e.callerOpen = false; e.replaced {
		w.open.remove(f.exchange)
		return
	}
	w.settle(f.exchange)
}

// A further message is of the event right before it: on the same lifeline and at the same time. Traces also have messages
// that are sent or received in the middle of a call, at a time when nothing starts or ends. Such a message stands by
// itself, and analyses need an event for it: it becomes a call that takes no time, named after what it does.
var standaloneFunctions = [...]string{schema.Send: "send", schema.Receive: "receive"}

// isStandaloneMessage reports whether a row is a message that stands by itself.
func (w *Builder) isStandaloneMessage(ev *event) bool {
	k := &w.codes.keys.List[ev.code]
	return k.kind == schema.Message && ev.mark != schema.NoMark && !w.followsEvent(k.lifeline, ev.timeNs)
}

// followsEvent reports whether a row of a lifeline at a time comes right behind an event of it.
func (w *Builder) followsEvent(lifeline uint32, timeNs int64) bool {
	return w.before == lifeline && w.beforeNs == timeNs
}

// addStandaloneMessage adds a message that stands by itself.
func (w *Builder) addStandaloneMessage(ev *event) {
	k := w.codes.keys.List[ev.code]
	k.function, k.kind = w.codes.names.Functions.Code(standaloneFunctions[w.codes.marks.List[ev.mark].direction]), schema.Enter
	ev.code = w.codes.keys.Number(k)
	w.assignSeq(ev)
	w.addEvent(ev)
	k.kind = schema.Exit
	exit := event{code: w.codes.keys.Number(k), timeNs: ev.timeNs, id: schema.NoValue, line: ev.line}
	w.assignSeq(&exit)
	w.addEvent(&exit)
}
