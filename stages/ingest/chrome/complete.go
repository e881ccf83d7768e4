package chrome

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

// complete plays a call that says when it ends: on its thread, or on the first lane of the thread that has room.
func (p *player) complete(r *record) {
	until, at := r.timeNs+r.more, p.sites.list[r.site].track
	for i := 0; ; i++ {
		if i == len(p.lanes[at]) {
			p.lanes[at] = append(p.lanes[at], newLane(p.names.unique(p.labels[at].lifeline)))
		}
		l := p.lanes[at][i]
		if p.closeEnded(l); !l.takes(until) {
			continue
		}
		if i > 0 {
			own := p.lanes[at][0]
			l.following, own.following = append(l.following, own.following...), own.following[:0]
			p.reading.Ledger.Add(schema.CrossingCall, func() string {
				return fmt.Sprintf("%s: %s at %d ns", p.reading.Traces[0].Path, l.lifeline, r.timeNs)
			})
		}
		if r.more == 0 {
			p.moment(l, r.site)
			return
		}
		p.number++
		p.enter(l, call{site: r.site, until: until, number: p.number})
		p.ends.push(ending{until, p.number, l})
		return
	}
}

// closeEnded closes the innermost calls of a lane that end now.
func (p *player) closeEnded(l *lane) {
	for c := l.top(); c != nil && c.until <= p.now; c = l.top() {
		p.exit(l, len(l.stack)-1, c.until)
	}
}

// endAll closes the complete calls that end before a time, wherever they are.
func (p *player) endAll(before int64) error {
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
