package wellformed

import "github.com/tracelake/tracelake/schema"

// none is the absent exchange.
const none int32 = -1

// end is the send or the receive event of an exchange.
type end struct {
	seq, timeNs         int64
	row                 int64 // of the event in its bucket
	component, function uint32
	bucket              uint32
	kind                schema.Kind
}

// exchange is a message from its send until its pattern is known.
type exchange struct {
	mark          uint32 // of the send
	id            int64
	send, receive end

	request int32 // the exchange to which this one replies
	reply   int32 // the exchange that replies to this one

	returns    int64 // the start of the execution whose finish received it, or NoValue
	received   bool
	replaced   bool // another message took its identifier while it was under way
	callerOpen bool // the execution that sent it at its start has not finished
	calleeOpen bool // the execution that it started has not finished
}

// exchanges keeps the exchanges that are not yet complete, in reused places.
type exchanges struct {
	all  []exchange
	free []int32
}

func (x *exchanges) add(e exchange) int32 {
	if n := len(x.free); n > 0 {
		i := x.free[n-1]
		x.free = x.free[:n-1]
		x.all[i] = e
		return i
	}
	x.all = append(x.all, e)
	return int32(len(x.all) - 1)
}

// link makes reply the reply of request, unless either is bound already.
func (x *exchanges) link(request, reply int32) {
	if request == reply || x.all[request].reply != none || x.all[reply].request != none {
		return
	}
	x.all[request].reply = reply
	x.all[reply].request = request
}

// settle emits an exchange, and the one bound to it, once nothing can change its pattern any more.
func (w *Weaver) settle(i int32) {
	e := &w.open.all[i]
	if e.request != none {
		i, e = e.request, &w.open.all[e.request]
	}
	if !e.received || e.callerOpen || e.calleeOpen {
		return
	}
	if e.reply == none {
		w.emit(i, schema.Trigger)
		return
	}
	reply := &w.open.all[e.reply]
	if !reply.received || reply.callerOpen || reply.calleeOpen {
		return
	}
	w.emitPair(i, e.reply)
}

// emitPair emits a request and its reply with the pattern that the receive of the reply shows.
func (w *Weaver) emitPair(request, reply int32) {
	pattern := schema.NonBlocking
	switch r := &w.open.all[reply]; {
	case r.receive.kind == schema.Enter:
		pattern = schema.Callback
	case w.blocking(request, reply):
		pattern = schema.Blocking
	}
	w.emit(request, pattern)
	w.emit(reply, pattern+schema.BlockingReply-schema.Blocking)
}

// blocking says whether the execution that sent the request at its start received the reply at its finish.
func (w *Weaver) blocking(request, reply int32) bool {
	q, r := &w.open.all[request], &w.open.all[reply]
	return q.send.kind == schema.Enter && r.receive.kind == schema.Exit && r.returns == q.send.seq
}

// emit appends the row of an exchange to the messages and frees its place.
func (w *Weaver) emit(i int32, pattern schema.Pattern) {
	e := &w.open.all[i]
	requestSeq, roundTrip := schema.NoValue, schema.NoValue
	if e.request != none {
		q := &w.open.all[e.request]
		requestSeq, roundTrip = q.send.seq, e.receive.timeNs-q.send.timeNs
	} else if e.reply != none && w.open.all[e.reply].received {
		roundTrip = w.open.all[e.reply].receive.timeNs - e.send.timeNs
	}
	m, out := w.codes.marks[e.mark], w.messages[e.send.bucket]
	out.Series = append(out.Series, m.series)
	out.MessageID = append(out.MessageID, e.id)
	out.Label = append(out.Label, m.label)
	out.Pattern = append(out.Pattern, pattern)
	out.SendSeq = append(out.SendSeq, e.send.seq)
	out.ReceiveSeq = append(out.ReceiveSeq, e.receive.seq)
	out.Sender = append(out.Sender, e.send.component)
	out.Receiver = append(out.Receiver, e.receive.component)
	out.SenderFunction = append(out.SenderFunction, e.send.function)
	out.ReceiverFunction = append(out.ReceiverFunction, e.receive.function)
	out.SendNs = append(out.SendNs, e.send.timeNs)
	out.ReceiveNs = append(out.ReceiveNs, e.receive.timeNs)
	out.LatencyNs = append(out.LatencyNs, e.receive.timeNs-e.send.timeNs)
	out.RequestSeq = append(out.RequestSeq, requestSeq)
	out.RoundTripNs = append(out.RoundTripNs, roundTrip)
	w.exchanged++
	if len(out.SendSeq) >= w.rowGroup {
		w.handOnMessages(int(e.send.bucket))
	}
	if e.request == none && e.reply != none {
		return // its reply, which still needs it, comes next and frees both
	}
	if e.request != none {
		w.open.free = append(w.open.free, e.request)
	}
	w.open.free = append(w.open.free, i)
}

// handOnMessages gives the complete exchanges of a bucket to the sink.
func (w *Weaver) handOnMessages(bucket int) {
	full := w.messages[bucket]
	full.Names = &w.codes.legend().names
	w.messages[bucket] = schema.NewMessages(&w.codes.names)
	w.sink.TakeMessages(bucket, full)
}
