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
	for len(p.ends) > 0 && p.ends[0].until < before {
		e := p.ends.pop()
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
	until, number int64
	lane          *lane
}

// ends are the ends to come: a binary heap, the earliest first, and of one time the call that began last.
type ends []ending

func (h ends) before(a, b int) bool {
	if h[a].until != h[b].until {
		return h[a].until < h[b].until
	}
	return h[a].number > h[b].number
}

func (h *ends) push(e ending) {
	*h = append(*h, e)
	q := *h
	for i := len(q) - 1; i > 0 && q.before(i, (i-1)/2); i = (i - 1) / 2 {
		q[i], q[(i-1)/2] = q[(i-1)/2], q[i]
	}
}

func (h *ends) pop() ending {
	q := *h
	first, last := q[0], len(q)-1
	q[0] = q[last]
	q = q[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(q); child++ {
			if q.before(child, least) {
				least = child
			}
		}
		if least == i {
			*h = q
			return first
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
}
