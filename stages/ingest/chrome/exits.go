package chrome

import (
	"github.com/tracelake/tracelake/schema"
)

// awaitedLabel is the label of messages from the end of work of a device to what waits for it.
const awaitedLabel = "synchronisation"

// exits are the messages of calls under way that are sent or received when they end, and of work whose message is sent when it
// ends. Memory grows with calls that are open.
type exits struct {
	of   map[int64][]record // by the number of the call
	sent map[int64]int64    // exchanges that are sent and not yet received, by the identifier of the coupling
	from map[int64]sender   // of those that are not sent
}

// sender is a call under way that sends a message when it ends.
type sender struct {
	lane   *lane
	number int64
}

func newExits() exits {
	return exits{make(map[int64][]record), make(map[int64]int64), make(map[int64]sender)}
}

// await takes a message that a call sends or receives when it ends. The record of the call comes right before it.
func (p *player) await(own *lane, r *record) {
	l := own
	if own.besideAt == p.group {
		l = own.beside
	}
	for at := len(l.stack) - 1; at >= 0; at-- {
		if c := &l.stack[at]; c.site == r.site && c.number > 0 {
			p.exits.of[c.number] = append(p.exits.of[c.number], *r)
			if r.what == exitSend {
				p.exits.from[r.more] = sender{l, c.number}
			}
			return
		}
	}
	if messages := p.coupled(r, p.now); l.left.group == p.group && l.left.site == r.site { // it took no time, and has ended
		p.attach(l, l.left.site, l.left.exit, messages)
	} else {
		p.outside(p.sites.list[r.site].track, r.what, p.sites.list[r.site].cat, messages)
	}
}

// coupled returns the end of a message, with the number of its exchange. What is received at this time may be sent at this
// time, by a call that has not yet been closed.
func (p *player) coupled(r *record, timeNs int64) []message {
	if r.what == enterMeeting || r.what == exitMeeting {
		return []message{p.meetingEnd(r)}
	}
	if r.what == exitSend {
		n := p.exchange()
		p.exits.sent[r.more] = n
		delete(p.exits.from, r.more)
		return []message{{p.out.mark(schema.Send, awaitedLabel), n}}
	}
	if s, open := p.exits.from[r.more]; open {
		p.closeUntil(s.lane, timeNs)
	}
	n, sent := p.exits.sent[r.more]
	if !sent {
		n = p.exchange()
	}
	delete(p.exits.sent, r.more)
	return []message{{p.out.mark(schema.Receive, awaitedLabel), n}}
}

// awaitEnter takes a message that the call receives which begins next on the lane, at this time.
func (p *player) awaitEnter(l *lane, r *record) {
	l.following = append(l.following, p.coupled(r, p.now)...)
}

// exitMessages are the messages of a call that ends.
func (p *player) exitMessages(number, timeNs int64) (messages []message) {
	if len(p.exits.of) == 0 {
		return nil
	}
	for _, r := range p.exits.of[number] {
		messages = append(messages, p.coupled(&r, timeNs)...)
	}
	delete(p.exits.of, number)
	return messages
}
