package chrome

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// flow plays an event of a flow, which is a message: s sends, f receives, and t does both. The identifiers of a trace may be
// used again for another flow, so every exchange gets a number of its own. p.flows has those that are sent and not yet received.
// A receipt without a sending gets a number of its own and stays unmatched, which package wellformed decides about.
func (p *player) flow(l *lane, r *record) {
	name := p.function(p.sites.list[r.site])
	id := uint64(r.more)
	messages := p.messages[:0]
	if r.what != send {
		_, sent := p.flows[id]
		if _, isEarly := p.fanouts.early[id]; isEarly {
			p.fanouts.early[id] = p.exchange()
			messages = append(messages, message{p.out.mark(schema.Receive, name), p.last})
		} else if !sent && p.mayCross(r) {
			messages = append(messages, p.crossing(schema.Receive, name, id))
		} else {
			messages = append(messages, message{p.out.mark(schema.Receive, name), p.receipt(id)})
		}
	}
	if r.what == send || r.what == forward {
		receipts := p.fanouts.of(id, r.timeNs)
		if early := p.fanouts.early[id]; early > 0 {
			messages = append(messages, message{p.out.mark(schema.Send, name), early})
		} else if receipts == 0 && p.mayCross(r) {
			messages = append(messages, p.crossing(schema.Send, name, id))
		} else {
			under := underway{p.last + 1, max(1, receipts)}
			for range under.left { // whoever sends again has not been received before
				messages = append(messages, message{p.out.mark(schema.Send, name), p.exchange()})
			}
			p.flows[id] = under
		}
	}
	p.messages = messages
	p.place(l, r, messages)
}

// mayCross reports whether a flow of which this trace has one end may have the other in another trace of the run. Those of
// a profiler of devices have identifiers that hold within one process.
func (p *player) mayCross(r *record) bool {
	return p.reading.IsPart && !slices.Contains(profilerFlows, p.words.texts[p.sites.list[r.site].cat])
}

// profilerFlows are the categories of flows whose identifiers count calls of one process.
var profilerFlows = []string{launchFlow, "fwdbwd", "async_cpu_to_gpu", "async_gpu"}

// crossing is an end of a message whose other end may lie in another trace.
func (p *player) crossing(direction schema.Direction, label string, id uint64) message {
	return message{p.out.marks.Number(schema.MessageMark{Direction: direction, Series: schema.BetweenTraces, Label: label}), int64(id >> 1)}
}

// underway are exchanges of one sending that are not received yet: their numbers follow each other.
type underway struct {
	next int64
	left int32
}

// receipt returns the number of the exchange that a receipt of a flow ends.
func (p *player) receipt(id uint64) int64 {
	under, sent := p.flows[id]
	if !sent {
		return p.exchange()
	}
	if under.left > 1 {
		p.flows[id] = underway{under.next + 1, under.left - 1}
	} else {
		delete(p.flows, id)
	}
	return under.next
}

// exchange returns the number of a new exchange, from 1.
func (p *player) exchange() int64 {
	p.last++
	return p.last
}

// callOf names the call that is made for a message outside all calls.
func callOf(what what) string {
	switch what {
	case send:
		return "send"
	case forward:
		return "forward"
	}
	return "receive"
}

// place puts messages on the event that they belong to. (1) An enter of this very time takes them, (2) or the call that begins
// next on the thread, where the flow says so by having no bp, (3) or the call that has ended at this very time, on its
// exit, unless another exit comes next, (4) or the call that is open, on its exit if that comes next and else on a call that is invented in it, (5) or,
// where no call is open, on a call that is invented.
// In case (1) a row has one message, so those after the first get rows of their own behind it.
func (p *player) place(l *lane, r *record, messages []message) {
	track := p.sites.list[r.site].track
	if l.besideAt == p.group && l.group != p.group {
		l = l.beside // the call that begins at this time is there
	}
	switch {
	case l.group == p.group:
		p.attach(l, l.stack[len(l.stack)-1].site, l.enter, messages)
	case r.what == receiveNext && p.beginsLater(track, r.timeNs):
		p.deliver(l)
		l.following = append(l.following, messages...)
	case l.left.group == p.group && l.left.takes(l, r.what) && !p.exitFollows(l, track):
		p.attach(l, l.left.site, l.left.row(r.what), messages)
	case len(l.stack) > 0:
		if l.waiting = append(l.waiting, messages...); !p.mayExit(track) {
			p.closeEnded(l)
			p.deliver(l)
		}
	default:
		p.outside(track, r.what, p.sites.list[r.site].cat, messages)
	}
}

// mayExit reports whether the record behind the one in hand is an exit of the same thread, which takes the messages in hand,
// or a further message, behind which an exit may stand.
// Asking for the very next record is enough, as choose has put what belongs to the message there.
func (p *player) mayExit(track uint32) bool {
	if len(p.rest) == 0 || p.sites.list[p.rest[0].site].track != track {
		return false
	}
	return p.rest[0].what == end || p.rest[0].what >= send
}

// exitFollows reports whether an exit of the thread stands behind the messages in hand, at their time, while a call is open.
func (p *player) exitFollows(l *lane, track uint32) bool {
	for i := range p.rest {
		if r := &p.rest[i]; len(l.stack) == 0 || p.sites.list[r.site].track != track || r.what < send {
			return len(l.stack) > 0 && p.sites.list[r.site].track == track && r.what == end
		}
	}
	return false
}

// outside invents a call of no duration for messages outside all calls.
// Its function is a word of this reader, "send", "receive" or "forward"; its category is that of the flow.
func (p *player) outside(track uint32, what what, cat word, messages []message) {
	t := &p.sites.tracks[track]
	name := p.words.of([]byte(callOf(what)))
	at := p.sites.of(spot{t.pid, t.tid, name, cat, name, schema.NoAttributes})
	p.invent(p.lanes[track], at, schema.MessageOutside, messages)
}

// invent makes a call of no duration for messages, which is marked as invented and counted.
func (p *player) invent(l *lane, at uint32, why schema.Reason, messages []message) {
	row := p.out.add(p.now, p.inventedKey(l, at, schema.Enter))
	for i, m := range messages {
		if i > 0 {
			row = p.out.add(p.now, p.inventedKey(l, at, schema.Message))
		}
		p.out.note(row, m)
	}
	p.out.add(p.now, p.inventedKey(l, at, schema.Exit))
	p.reading.Ledger.Add(why, func() string {
		return fmt.Sprintf("%s: %s at %d ns", p.reading.Traces[0].Path, l.lifeline, p.now)
	})
}

// invention is an event of an invented call.
type invention struct {
	lane *lane
	site uint32
	kind schema.Kind
}

// inventedKey returns the key of an event of an invented call.
func (p *player) inventedKey(l *lane, at uint32, kind schema.Kind) uint32 {
	of := invention{l, at, kind}
	key, known := p.invented[of]
	if !known {
		k := p.eventKey(l, at, kind)
		k.Synthetic = true
		key = p.out.keys.Add(k)
		p.invented[of] = key
	}
	return key
}

// beginsLater reports whether a call of a thread begins behind the record in hand. Only then can it receive a message.
// The last begin of every thread is known from the first pass. Without this test a message at the end of a thread
// would wait forever.
func (p *player) beginsLater(track uint32, timeNs int64) bool {
	last := p.sites.tracks[track].lastBegin
	if timeNs != last {
		return timeNs < last
	}
	for i := range p.rest {
		if r := &p.rest[i]; p.sites.list[r.site].track == track && (r.what == begin || r.what == complete) {
			return true
		}
	}
	return false
}

// deliver puts messages that waited for an exit on a call that is invented in the innermost open one and has its function,
// as no exit came at their time.
func (p *player) deliver(l *lane) {
	if len(l.waiting) > 0 {
		p.invent(l, l.top().site, schema.MessageInside, l.waiting)
		l.waiting = l.waiting[:0]
	}
}
