package etf

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/heap"
)

// player passes on claims, which come in the order of their starts, as enters and exits.
// It holds one heap entry a claim that is open, the claims that start at the time in hand, and the messages that wait for exits.
type player struct {
	*reader
	lanes   map[uint32]*lanes // by resource
	all     []*lane           // all lanes, by number
	start   starts            // claims of the latest start, which have lanes but are not entered yet
	open    heap.Heap[end]    // ends of open claims, the earliest first
	moments *lane             // of regular events; nil before the first
	count   int64             // claims so far
	waiting map[int64][]point // dependencies at the ends of open claims, by their number
	free    [][]point         // memory of those before
}

// point is one end of a dependency, which is a message.
type point struct {
	mark    uint32 // schema.NoMark of a dependency that is no message
	message int64  // its number in the trace
	target  bool   // the dependency goes to it
}

// take gives a claim its lane and keeps it until all of its start are known, and passes on what came before; or it adds the end
// of a dependency to the claim or event before it.
func (p *player) take(r *record) error {
	switch r.kind {
	case startPoint, atEvent:
		// Regular events were passed on, claims wait.
		if r.kind == atEvent || len(p.start.claims) == 0 {
			return p.out.attach(r.what.point())
		}
		p.start.attach(r.what.point())
		return nil
	case finishPoint:
		return p.wait(r.what.point())
	}
	// What started before this, and what ended before or with it, is passed on first.
	if len(p.start.claims) > 0 && p.start.timeNs != r.from {
		if err := p.enterAll(); err != nil {
			return err
		}
	}
	if err := p.leave(r.from); err != nil {
		return err
	}
	if r.regular() {
		return p.happen(r)
	}
	p.count++
	l := p.lane(r)
	l.calls = append(l.calls, r.to)
	p.start.add(starting{record: *r, number: p.count, lane: l, key: p.key(l, r)})
	return nil
}

// happen passes on a regular event. It opens nothing, so all of them have one lifeline.
func (p *player) happen(r *record) error {
	if p.moments == nil {
		p.moments = p.newLane(r)
	}
	key := p.key(p.moments, r)
	err := p.out.add(r.from, key, key)
	p.out.mark(schema.ClaimRow{Set: r.what.set(), Resource: schema.RegularEvent, ID: r.id})
	return err
}

// wait keeps the end of a dependency for the exit of the claim that came last.
// Only claims with dependencies at their ends have an entry in the map.
func (p *player) wait(end point) error {
	dependencyEnds := p.waiting[p.count]
	if last := len(p.free) - 1; dependencyEnds == nil && last >= 0 {
		dependencyEnds, p.free = p.free[last], p.free[:last]
	}
	p.waiting[p.count] = append(dependencyEnds, end)
	return nil
}

// enterAll passes on the enters of the time in hand, in the order of the text. A claim without length ends at once.
func (p *player) enterAll() error {
	for _, at := range p.start.inOrder() {
		s := &p.start.claims[at]
		if err := p.out.add(s.from, s.key, s.key+uint32(schema.Message)); err != nil {
			return err
		}
		p.out.mark(schema.ClaimRow{Set: s.what.set(), Resource: p.doings.list[s.what.doing()].resource, ID: s.id})
		for _, point := range p.start.points[s.firstPoint:s.endPoint] {
			if err := p.out.attach(point); err != nil {
				return err
			}
		}
		e := end{at: s.to, line: s.line, number: s.number, key: s.key, lane: s.lane.number}
		if s.to > s.from {
			s.lane.open = append(s.lane.open, e)
			p.open.Push(e)
		} else if err := p.exit(&e); err != nil {
			return err
		}
	}
	p.start.clear()
	return nil
}

// leave passes on the exits up to a time: equal ones in the order of the text, but what a claim holds ends before it does.
// So at one time exits come before enters, and lifelines are free for what begins then.
func (p *player) leave(until int64) error {
	for p.open.Len() > 0 && p.open.First().at <= until {
		e := p.open.Pop()
		// Those above a claim on its lane end with it, and were entered later. One that has ended with its holder is not there.
		l := p.all[e.lane]
		for n := len(l.open) - 1; n >= 0 && l.open[n].number >= e.number; n-- {
			inner := l.open[n]
			l.open = l.open[:n]
			if err := p.exit(&inner); err != nil {
				return err
			}
		}
	}
	return nil
}

// exit passes on the end of a claim, with the dependencies that wait for it.
func (p *player) exit(e *end) error {
	if err := p.out.add(e.at, e.key+uint32(schema.Exit), e.key+uint32(schema.Message)); err != nil {
		return err
	}
	// Most claims have no dependency at their ends, so the map is mostly empty.
	if len(p.waiting) == 0 {
		return nil
	}
	dependencyEnds, some := p.waiting[e.number]
	if !some {
		return nil
	}
	for _, w := range dependencyEnds {
		if err := p.out.attach(w); err != nil {
			return err
		}
	}
	p.free = append(p.free, dependencyEnds[:0])
	delete(p.waiting, e.number)
	return nil
}

// key is the key of the enter of a claim; that of its exit and of their messages follow.
// The attribute of the claim goes before that of the resource, and both before the name of the resource.
func (p *player) key(l *lane, r *record) uint32 {
	// A lane has few kinds of claims, so a map a lane answers nearly always.
	if key, known := l.keys[r.what.doing()]; known {
		return key
	}
	c := p.doings.list[r.what.doing()]
	component := l.resource.name
	if c.component != noName {
		component = p.texts.Name(c.component)
	} else if l.resource.component != "" {
		component = l.resource.component
	}
	of := schema.EventKey{Component: component, Lifeline: l.name, Function: p.texts.Name(c.function)}
	var key uint32
	if r.regular() {
		key = p.AppendOne(of, schema.Regular)
	} else {
		key = p.Append(of)
	}
	l.keys[r.what.doing()] = key
	return key
}

// finish ends all claims that are open.
// The output then writes the event that it holds back.
func (p *player) finish() error {
	if err := p.enterAll(); err != nil {
		return err
	}
	if err := p.leave(1<<63 - 1); err != nil {
		return err
	}
	return p.out.finish()
}

// end is the end of an open claim.
type end struct {
	at     int64  // ns
	number int64  // of the claim, in the order of starts: on its lane of that in which it was entered
	line   uint32 // its place among claims and events of the text
	key    uint32 // of its enter
	lane   uint32 // its number
}

// before says which end comes first: of equal times that of the claim that stands first in the text.
func (e end) before(f end) bool { return e.at < f.at || e.at == f.at && e.line < f.line }

// newEnds returns the ends to come, the earliest first.
func newEnds() heap.Heap[end] { return heap.New(end.before) }
