package wellformed

import "github.com/tracelake/tracelake/schema"

// The units of a trace may have clocks that are apart, and then a message is received before it is sent in the order of
// the trace. It is a message all the same, known by its identifier, which one send and one receive have.
//
// One pass cannot tell it from two messages of which a window of the trace cut off one end each: most receives without a
// send have none that comes later, identifiers are used again, and what is paired must be handed on. So a pass over the trace notes
// receives without a send and sends without a receive, and says at its end which of them belong together. Only a trace
// that has some is woven again, and every other trace is woven as if there were none.

// Early are the identifiers, by the names of their series, of messages whose receive comes before their send.
type Early map[string]map[int64]struct{}

// mostLoose bounds the receives without a send of which the identifiers are kept, at 60 bytes each. A trace that has more
// lacks the other side of its messages: it is no matter of clocks.
const mostLoose = 1 << 22

// looseID is the identifier of a receive without a send.
type looseID struct {
	series uint32
	id     int64
}

// looseReceives are the receives without a send so far.
type looseReceives map[looseID]looseUse

// looseUse is how often an identifier was used, from its first receive without a send on.
type looseUse struct {
	receives, sends uint8
	receiver        uint32 // component
	timeNs          int64  // of the receive
}

// often is how many uses are told apart: an identifier that is sent twice, or received twice, is no identity.
const often = 2

// noteLoose notes a receive without a send.
func (w *Builder) noteLoose(series uint32, ev *event, k *key) {
	if w.slice {
		return // which keeps names of its own: see strays
	}
	if w.loose == nil {
		w.loose = make(looseReceives)
	}
	at := looseID{series, ev.id}
	use, known := w.loose[at]
	if !known && len(w.loose) >= mostLoose {
		return
	}
	use.receives, use.receiver, use.timeNs = min(use.receives+1, often), k.component, ev.timeNs
	w.loose[at] = use
}

// noteLate notes a send that may be that of a receive before it.
func (w *Builder) noteLate(series uint32, id int64) {
	at := looseID{series, id}
	if use, known := w.loose[at]; known {
		use.sends = min(use.sends+1, often)
		w.loose[at] = use
	}
}

// collectEarly notes a message that was sent and not received, if its only receive came before.
func (w *Builder) collectEarly(e *exchange) {
	series := w.codes.marks.List[e.mark].series
	use := w.loose[looseID{series, e.id}]
	if use.receives != 1 || use.sends != 1 {
		return
	}
	if w.relation.between != nil {
		w.relateClocks(w.codes.keys.List[e.send.key].component, e.send.timeNs, use.receiver, use.timeNs)
	}
	if w.found == nil {
		w.found = make(Early)
	}
	name := w.codes.names.Series.Name(series)
	if w.found[name] == nil {
		w.found[name] = make(map[int64]struct{})
	}
	w.found[name][e.id] = struct{}{}
}

// Expect says, before the first event, which messages are received before they are sent: what Outcome.Early of an earlier pass
// over the same trace has.
func (w *Builder) Expect(early Early) {
	if len(early) > 0 {
		w.expected, w.ahead = early, newInflight()
	}
}

// receiveEarly opens the exchange of a message that is received before it is sent, or returns none where it is none such.
func (w *Builder) receiveEarly(ev *event, row int64) int32 {
	if w.expected == nil {
		return none
	}
	series := w.codes.marks.List[ev.mark].series
	if _, early := w.expected[w.codes.names.Series.Name(series)][ev.id]; !early {
		return none
	}
	if _, twice := w.ahead.find(series, ev.id); twice {
		return none
	}
	x := w.open.place()
	e := &w.open.all[x]
	*e = exchange{mark: ev.mark, id: ev.id, request: none, reply: none, returns: schema.NoValue, received: true, unsent: true}
	e.receive.set(ev, row)
	w.ahead.put(series, ev.id, x)
	return x
}

// sendLate completes the exchange of a message that was received before, or returns none. Its pattern is found as that of any
// other: by the executions that sent and received it, whatever their order.
func (w *Builder) sendLate(ev *event, k *key, row int64) (x int32, peer uint32) {
	if w.expected == nil {
		return none, schema.NoCode
	}
	x = w.ahead.take(w.codes.marks.List[ev.mark].series, ev.id)
	if x == none {
		return none, schema.NoCode
	}
	e := &w.open.all[x]
	e.mark, e.unsent = ev.mark, false
	e.send.set(ev, row)
	w.countLoss(schema.ReceivedBeforeSent, ev)
	w.setPeer(&e.receive, k.component, ev.seq)
	return x, w.codes.keys.List[e.receive.key].component
}
