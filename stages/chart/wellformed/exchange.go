package wellformed

import "github.com/tracelake/tracelake/schema"

// none is the absent exchange.
const none int32 = -1

// end is the send or the receive event of an exchange.
type end struct {
	seq, timeNs int64  // of the row itself
	event       int64  // seq of the enter or exit that it belongs to
	call        int64  // seq of the enter of the execution that this event starts or finishes, or NoValue
	row         int64  // in its bucket
	key         uint32 // of the row, in run-wide codes
}

// exchange is a message from its send until its pattern is known.
type exchange struct {
	mark          uint32 // of the send
	id            int64  // number of the message, or schema.NoValue
	send, receive end

	request int32 // the exchange to which this one replies
	reply   int32 // the exchange that replies to this one

	returns    int64 // the start of the execution whose finish received it, or NoValue
	received   bool
	unsent     bool // it was received before it was sent, and was not sent yet
	replaced   bool // another message took its identifier while it was under way
	callerOpen bool // the execution that sent it at its start has not finished
	calleeOpen bool // the execution that it started has not finished
}

// exchanges keeps the exchanges that are not yet complete, in reused places.
type exchanges struct {
	all  []exchange // by number; places in free hold old ones
	free []int32    // numbers to be used again
}

// place finds a place for an exchange, which still holds an earlier one.
func (x *exchanges) place() int32 {
	if n := len(x.free); n > 0 {
		i := x.free[n-1]
		x.free = x.free[:n-1]
		return i
	}
	x.all = append(x.all, exchange{})
	return int32(len(x.all) - 1)
}

// remove frees the place of an exchange. It counts as not received until the place is taken again, so that
// whoever still knows its number does not settle it twice.
func (x *exchanges) remove(i int32) {
	x.all[i].received = false
	x.free = append(x.free, i)
}

// link makes reply the reply of request, unless either is bound already: an exchange is a request or a reply
// and not both. A request that was replaced has no reply, since it is never emitted.
func (x *exchanges) link(request, reply int32) {
	q, r := &x.all[request], &x.all[reply]
	bound := q.request != none || q.reply != none || r.request != none || r.reply != none
	// The first relation holds; others would make chains, for which the paper has no pattern.
	if request == reply || bound || q.replaced {
		return
	}
	q.reply, r.request = reply, request
}

// settle emits an exchange, and the one bound to it, once nothing can change its pattern any more.
func (w *Builder) settle(i int32) {
	e := &w.open.all[i]
	if e.request != none {
		i, e = e.request, &w.open.all[e.request]
	}
	if !e.received || e.unsent || e.callerOpen || e.calleeOpen {
		return
	}
	if e.reply == none {
		w.emit(i, w.oneWay(e.mark))
		return
	}
	// A request and its reply are emitted together: the pattern of the one depends on where the other is received.
	reply := &w.open.all[e.reply]
	if !reply.received || reply.unsent || reply.callerOpen || reply.calleeOpen {
		return
	}
	w.emitPair(i, e.reply)
}

// oneWay is the pattern of a message that nobody replies to.
func (w *Builder) oneWay(mark uint32) schema.Pattern {
	if w.codes.marks.List[mark].coupling == schema.ByWakeup {
		return schema.Wakeup
	}
	return schema.Trigger
}

// emitPair emits a request and its reply with the pattern that the receive of the reply shows.
func (w *Builder) emitPair(request, reply int32) {
	pattern := schema.NonBlocking
	switch r := &w.open.all[reply]; {
	case w.codes.keys.List[r.receive.key].kind == schema.Enter:
		pattern = schema.Callback
	case w.blocking(request, reply):
		pattern = schema.Blocking
	}
	w.emit(request, pattern)
	w.emit(reply, pattern+schema.BlockingReply-schema.Blocking)
}

// blocking reports whether the execution that sent the request at its start received the reply at its finish.
func (w *Builder) blocking(request, reply int32) bool {
	q, r, keys := &w.open.all[request], &w.open.all[reply], w.codes.keys.List
	return keys[q.send.key].kind == schema.Enter && keys[r.receive.key].kind == schema.Exit && r.returns == q.send.seq
}

// emit appends an exchange to the messages of its sender's bucket and to the arrivals of its receiver's, and frees its place.
func (w *Builder) emit(i int32, pattern schema.Pattern) {
	e := &w.open.all[i]
	// A round trip is from the send of the request to the receive of the reply, on both of their rows, in ns.
	requestSeq, roundTrip := schema.NoValue, schema.NoValue
	if e.request != none {
		q := &w.open.all[e.request]
		requestSeq, roundTrip = q.send.event, e.receive.timeNs-q.send.timeNs
	} else if e.reply != none && w.open.all[e.reply].received {
		roundTrip = w.open.all[e.reply].receive.timeNs - e.send.timeNs
	}
	bucket, to := w.codes.keys.List[e.send.key].bucket, w.codes.keys.List[e.receive.key].bucket
	out, in := w.messages[bucket], w.arrivals[to]
	// Both are filled from the exchange: see grow.
	for _, m := range [...]*message{out.next(), in.next()} {
		m.id, m.mark, m.pattern, m.requestSeq, m.roundTripNs, m.number = e.id, e.mark, pattern, requestSeq, roundTrip, w.exchanged
		m.sendSeq, m.sendNs, m.sendKey = e.send.event, e.send.timeNs, e.send.key
		m.receiveSeq, m.receiveNs, m.receiveKey = e.receive.event, e.receive.timeNs, e.receive.key
	}
	w.exchanged++
	if len(in.list) >= w.groups.Messages && !w.slice {
		w.handOnExchanges(w.arrivals, int(to), w.sink.TakeArrivals)
	}
	if len(out.list) >= w.groups.Messages && !w.slice {
		w.handOnExchanges(w.messages, int(bucket), w.sink.TakeExchanges)
	}
	if e.request == none && e.reply != none {
		return // its reply, which still needs it, comes next and frees both
	}
	if e.request != none {
		w.open.remove(e.request)
	}
	w.open.remove(i)
}

// handOnExchanges gives the complete exchanges that a bucket sends, or those that it receives, to the sink.
func (w *Builder) handOnExchanges(of []*Exchanges, bucket int, take func(bucket int, x *Exchanges)) {
	full := of[bucket]
	of[bucket] = w.sink.FreshExchanges()
	take(bucket, full)
}
