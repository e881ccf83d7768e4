package chrome

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/heap"
)

// enter opens a call now. Messages that waited for an exit become rows first, as none came; those that waited for a call are
// received by this one.
// The row is remembered until the time changes, since messages of this time may still be put on it.
func (p *player) enter(l *lane, c call) {
	p.deliver(l)
	row := p.out.add(p.now, p.key(l, c.site, schema.Enter))
	if set := p.sites.list[c.site].set; set != schema.NoAttributes {
		p.out.Claims = append(p.out.Claims, schema.ClaimRow{Row: int32(row), Set: set, Resource: schema.NoResource})
	}
	l.push(c)
	l.enter, l.group = row, p.group
	if len(l.following) > 0 {
		p.attach(l, c.site, row, l.following)
		l.following = l.following[:0]
	}
}

// exit closes the call at a position of the stack, which is mostly the last.
// Calls above it stay open: their ends come behind, or never.
func (p *player) exit(l *lane, at int, timeNs int64) {
	c := l.stack[at]
	l.remove(at)
	messages := p.exitMessages(c.number, timeNs)
	row := p.leave(l, c.site, timeNs)
	p.attach(l, c.site, row, messages)
}

// leave adds the exit of a call, which takes the messages that wait for it. The call need not be on the stack: an exit whose
// enter the trace lacks is passed on, and package wellformed completes or discards it.
func (p *player) leave(l *lane, at uint32, timeNs int64) (row int) {
	enter := -1
	if l.group == p.group && p.out.Key[l.enter] == p.key(l, at, schema.Enter) {
		enter = l.enter
	}
	l.group = 0
	row = p.out.add(timeNs, p.key(l, at, schema.Exit))
	if timeNs == p.now {
		l.left = leftCall{site: at, group: p.group, enter: enter, exit: row}
	}
	if len(l.waiting) > 0 {
		p.attach(l, at, row, l.waiting)
		l.waiting = l.waiting[:0]
	}
	return row
}

// attach puts messages on a row, which holds one; those after the first get rows of their own behind it.
// Every row has the key of the call, so a message is never outside its call.
func (p *player) attach(l *lane, at uint32, row int, messages []message) {
	for _, m := range messages {
		if p.out.Mark[row] != schema.NoMark {
			row = p.out.add(p.out.TimeNs[row], p.key(l, at, schema.Message))
		}
		p.out.note(row, m)
	}
}

// exitNamed closes the innermost call of the name that an event has, or the innermost call where the event has no name. An
// exit of a call that is not open is passed on if it has a name, and counted otherwise.
func (p *player) exitNamed(l *lane, at uint32) {
	name := p.sites.list[at].name
	switch found := l.find(p.sites.list, name); {
	case found >= 0:
		p.exit(l, found, p.now)
	case name == noWord:
		p.unmatched(l.lifeline)
	default:
		p.leave(l, at, p.now)
	}
}

// instant adds an instant event, which is a call that takes no time.
func (p *player) instant(l *lane, at uint32) {
	p.moment(l, at)
	l.left.isInstant = true
}

// moment adds a call that takes no time.
func (p *player) moment(l *lane, at uint32) {
	p.enter(l, call{site: at, until: never})
	p.exit(l, len(l.stack)-1, p.now)
}

// unmatched counts an exit that closes nothing and has no name.
func (p *player) unmatched(where string) {
	p.reading.Ledger.Add(schema.UnmatchedExit, func() string {
		return fmt.Sprintf("%s: %s at %d ns", p.reading.Traces[0].Path, where, p.now)
	})
}

// complete plays a call whose record has its end. A trace may hold complete calls of one thread that overlap without lying
// in each other, which no stack can hold: such a call goes to a lane beside that of its thread.
func (p *player) complete(r *record) {
	until, l := r.timeNs+r.more, p.own(r.site)
	if p.closeEnded(l); !l.takes(until) {
		l = p.laneBeside(p.sites.list[r.site].track, r)
	}
	if r.more == 0 {
		p.moment(l, r.site)
		return
	}
	p.number++
	p.enter(l, call{site: r.site, until: until, number: p.number})
	p.ends.push(ending{until, p.number, l})
}

// closeEnded closes the innermost calls of a lane that end at the time in hand or before, so that what begins now does not
// become their callee.
// Their exits have the times of their own, which lie before the time in hand or at it.
func (p *player) closeEnded(l *lane) { p.closeUntil(l, p.now) }

// closeUntil closes the innermost calls of a lane that end at a time or before.
func (p *player) closeUntil(l *lane, timeNs int64) {
	for c := l.top(); c != nil && c.until <= timeNs; c = l.top() {
		p.exit(l, len(l.stack)-1, c.until)
	}
}

// endAll closes the complete calls of all lanes that end before a time, in the order of their ends, so that rows stay in the
// order of time.
// An end whose call is no longer on its stack was closed by closeEnded and is passed over. The search from the top is
// short, since ends come in the order of nesting. A time of its own begins, since rows of the one before may be written on the way.
func (p *player) endAll(before int64) error {
	p.group++
	for e, ok := p.ends.popBefore(before); ok; e, ok = p.ends.popBefore(before) {
		for at := len(e.lane.stack) - 1; at >= 0; at-- {
			if e.lane.stack[at].number == e.number {
				p.exit(e.lane, at, e.until)
				break
			}
		}
		if err := p.out.room(); err != nil {
			return err
		}
	}
	return nil
}

// ending is the end of a complete call.
type ending struct {
	until  int64 // ns
	number int64 // of the call, from 1: finds it on the stack of its lane
	lane   *lane
}

// ends are the ends to come, the earliest first, and of one time the call that began last. Most calls call nothing and
// end before any other does, so the first one is kept by itself while it is known, and such calls never reach the heap.
// It is the only thing that grows with calls that are open at one time over all threads.
type ends struct {
	first ending
	known bool // first is before all of later
	later heap.Heap[ending]
}

func newEnds() ends { return ends{later: heap.New(ending.before)} }

// It keeps first before all of later: an end that is earlier takes its place and pushes it into the heap.
func (e *ends) push(new ending) {
	switch {
	case e.known && new.before(e.first):
		e.later.Push(e.first)
		e.first = new
	case !e.known && (e.later.Len() == 0 || new.before(*e.later.First())):
		e.first, e.known = new, true
	default:
		e.later.Push(new)
	}
}

// popBefore takes the first one, if it is before a time.
func (e *ends) popBefore(timeNs int64) (first ending, ok bool) {
	switch {
	case e.known && e.first.until < timeNs:
		e.known = false
		return e.first, true
	case e.later.Len() > 0 && e.later.First().until < timeNs:
		return e.later.Pop(), true
	}
	return ending{}, false
}

// before reports whether an end comes before another: of equal ends that of the call that began last, the inner one.
func (e ending) before(other ending) bool {
	if e.until != other.until {
		return e.until < other.until
	}
	return e.number > other.number
}
