package kieker

import "github.com/tracelake/tracelake/schema"

// settlePending handles a record that waited for r, the next one: a call event whose callee is not entered next has no call
// in the log, and a message that no call receives gets one of its own.
// Both wait for at most one record, so the tracer holds no list of them. The end of a trace settles them with an empty
// record.
func (t *tracer) settlePending(r *record) error {
	if t.pendingCall.kind == call {
		if r.kind != enter || r.name != t.pendingCall.name {
			t.r.reading.Ledger.Add(schema.MissingDuration, func() string { return t.position(&t.pendingCall) })
		}
		t.pendingCall.kind = unknown
	}
	if t.pendingReceive.kind == receive && r.kind != enter && r.kind != startComp {
		err := t.addStandaloneMessage(&t.pendingReceive)
		t.pendingReceive.kind = unknown
		return err
	}
	return nil
}

// event adds a record that is not an execution to the flow of the trace.
// A trace that has any event of a call gets no executions: entered notes it.
func (t *tracer) event(r *record) error {
	switch r.kind {
	case call:
		t.pendingCall = *r
	case enter, startComp:
		t.entered = true
		return t.enter(r)
	case exit, failure, endComp, failedComp:
		t.entered = true
		return t.exit(r)
	case receive:
		if len(t.flow.open) == 0 {
			t.pendingReceive = *r
			return nil
		}
		return t.message(r)
	case send:
		if len(t.flow.open) == 0 {
			return t.addStandaloneMessage(r)
		}
		return t.message(r)
	}
	return nil
}

// matchOf returns what the start and the end of a call have in common: the signature, or the number of the component in
// component records, whose ends have the signature of an outgoing interface.
// Numbers of components are mapped below zero, where no number of a signature is.
func matchOf(r *record) int64 {
	switch r.kind {
	case startComp, endComp, failedComp:
		return -1 - int64(uint32(r.other))
	}
	return int64(r.name)
}

// enter opens a call, which receives the message that came right before it.
// The receipt is put on the enter, because the message is what started the call.
func (t *tracer) enter(r *record) error {
	e := event{time: r.time, place: t.calls.of(r, t.host), kind: schema.Enter}
	if t.pendingReceive.kind == receive {
		e.receives(&t.pendingReceive)
		t.pendingReceive.kind = unknown
	}
	t.flow.open = append(t.flow.open, open{match: matchOf(r), place: e.place})
	return t.put(&t.flow, t.host, e)
}

// searchDepth bounds how far below the top of the stack an end looks for its call: calls whose ends the log lacks stay on the
// stack, and a search through all of them would take quadratic time.
const searchDepth = 1 << 12

// exit ends the innermost call that matches. An end that matches none is passed on as it is.
// Calls above the one that ends are left open on the stack, as the log has no ends for them; package wellformed
// completes or discards them.
func (t *tracer) exit(r *record) error {
	e := event{time: r.time, kind: schema.Exit, word: r.word}
	if r.kind == failure || r.kind == failedComp {
		e.flags = failed
	}
	s := &t.flow
	match, at := matchOf(r), len(s.open)-1
	for last := max(0, len(s.open)-searchDepth); at >= last && s.open[at].match != match; {
		at--
	}
	if at < 0 || s.open[at].match != match {
		e.place = t.calls.of(r, t.host)
		return t.put(s, t.host, e)
	}
	e.place = s.open[at].place
	s.open = append(s.open[:at], s.open[at+1:]...)
	return t.put(s, t.host, e)
}

// sends and receives make an event carry the message of a record.
func (e *event) sends(r *record) {
	e.direction, e.sender, e.senderOrder, e.word = schema.Send, r.trace, r.order, r.word
}

func (e *event) receives(r *record) {
	e.direction, e.sender, e.senderOrder = schema.Receive, r.other, r.height
}

// carries makes an event carry the message of a record of either kind.
func (e *event) carries(r *record) {
	if r.kind == send {
		e.sends(r)
		return
	}
	e.receives(r)
}

// message adds a row for a message in the innermost open call.
// The row has the place of that call, so a message never stands outside its execution.
func (t *tracer) message(r *record) error {
	e := event{time: r.time, place: t.flow.open[len(t.flow.open)-1].place, kind: schema.Message}
	e.carries(r)
	return t.put(&t.flow, t.host, e)
}

// addStandaloneMessage adds a call of no duration for a message outside all calls: every message needs an execution.
func (t *tracer) addStandaloneMessage(r *record) error {
	e := event{time: r.time, place: t.calls.message(r.kind, t.host), kind: schema.Enter}
	e.carries(r)
	if err := t.put(&t.flow, t.host, e); err != nil {
		return err
	}
	return t.put(&t.flow, t.host, event{time: r.time, place: e.place, kind: schema.Exit})
}
