package chrome

import "github.com/tracelake/tracelake/schema"

// flow plays an event of a flow, which is a message: s sends, f receives, and t does both. The identifiers of a trace may be
// used again for another flow, so every exchange gets a number of its own. p.flows has those that are sent and not yet received.
// A receipt without a sending gets a number of its own and stays unmatched, which package wellformed decides about.
func (p *player) flow(l *lane, r *record) {
	name := p.function(p.sites.list[r.site])
	id := uint64(r.more)
	exchange, sent := p.flows[id]
	if !sent || r.what == send { // whoever sends again has not been received before
		exchange = p.exchange()
	}
	var messages [2]message
	some := messages[:0]
	if r.what != send {
		some = append(some, message{p.out.mark(schema.Receive, name), exchange})
		delete(p.flows, id)
	}
	if r.what == forward {
		exchange = p.exchange()
	}
	if r.what == send || r.what == forward {
		some = append(some, message{p.out.mark(schema.Send, name), exchange})
		p.flows[id] = exchange
	}
	p.place(l, r, some)
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
// next on the thread, where the flow says so by having no bp, (3) or the call that is open, on its exit if that comes next and
// else on a row of their own, (4) or, where no call is open, a call of no duration.
// A row has one message, so an enter that has one already does not take a second in case (1).
func (p *player) place(l *lane, r *record, messages []message) {
	track := p.sites.list[r.site].track
	switch {
	case l.group == p.group && p.out.Mark[l.enter] == schema.NoMark:
		p.attach(l, l.stack[len(l.stack)-1].site, l.enter, messages)
	case r.what == receiveNext && p.beginsLater(track, r.timeNs):
		p.deliver(l)
		l.following = append(l.following, messages...)
	case len(l.stack) > 0:
		if l.waiting = append(l.waiting, messages...); !p.mayExit(track) {
			p.closeEnded(l)
			p.deliver(l)
		}
	default:
		l.following = append(l.following, messages...)
		p.outside(l, track, r.what, p.sites.list[r.site].cat)
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

// outside adds a call of no duration for messages outside all calls.
// Its function is a word of this reader, "send", "receive" or "forward"; its category is that of the flow.
func (p *player) outside(l *lane, track uint32, what what, cat word) {
	t := &p.sites.tracks[track]
	p.moment(l, p.sites.of(spot{t.pid, t.tid, p.words.of([]byte(callOf(what))), cat}))
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

// deliver gives messages rows of their own in the innermost call, as no exit came at their time.
// Their rows have the time in hand, which is that of the messages.
func (p *player) deliver(l *lane) {
	for _, m := range l.waiting {
		p.out.note(p.out.add(p.now, p.key(l, l.top().site, schema.Message)), m)
	}
	l.waiting = l.waiting[:0]
}
