package chrome

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

// enter opens a call now.
func (p *player) enter(l *lane, c call) {
	p.deliver(l)
	row := p.out.add(p.now, p.key(l, c.site, schema.Enter))
	l.push(c)
	l.enter, l.group = row, p.group
	if len(l.following) > 0 {
		p.attach(l, c.site, row, l.following)
		l.following = l.following[:0]
	}
}

// exit closes the call at a place of the stack.
func (p *player) exit(l *lane, at int, timeNs int64) {
	s := l.stack[at].site
	l.remove(at)
	p.leave(l, s, timeNs)
}

// leave makes the exit of a call, which takes the messages that wait for it.
func (p *player) leave(l *lane, at uint32, timeNs int64) {
	l.group = 0
	row := p.out.add(timeNs, p.key(l, at, schema.Exit))
	if len(l.waiting) > 0 {
		p.attach(l, at, row, l.waiting)
		l.waiting = l.waiting[:0]
	}
}

// attach puts messages on a row, those after the first on rows of their own behind it.
func (p *player) attach(l *lane, at uint32, row int, messages []message) {
	for i, m := range messages {
		if i > 0 {
			row = p.out.add(p.out.block.TimeNs[row], p.key(l, at, schema.Message))
		}
		p.out.note(row, m)
	}
}

// exitNamed closes the call that an event names, or the innermost one where it names none. One that is not open is for
// the next room to judge.
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

// moment is a call that takes no time.
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
