package wellformed

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// couplings gathers what lets events wait for those of other lifelines, beside messages: see schema.Couplings. They cost
// nothing in a trace that has none. Memory is that of the operations that have begun and not ended, or of which the trace
// does not say how many take part.
type couplings struct {
	out    []*Exchanges          // by bucket of the event that waits; nil where it has none
	opened map[MessageID]moment  // events that let a number go on
	groups map[uint32]*rankGroup // by series: communicators
	spare  []*meeting            // to be used again
	made   int64                 // couplings so far
	loose  int64                 // events that nothing waits for, or that wait for nothing
	first  int64                 // sequence number of the first of these
}

// rankGroup is a communicator: processes that meet in one collective operation after the other.
type rankGroup struct {
	next  map[uint32]int64   // by rank: how many operations it was in
	under map[int64]*meeting // by number of the operation: those that not all have ended
}

// meeting is one collective operation.
type meeting struct{ seats []seat }

// seat is the part of one process in an operation.
type seat struct {
	rank, mark  uint32
	enter, exit moment // of its call
}

// couple takes a row that is no event.
func (w *Builder) couple(ev *event) {
	m := &w.codes.marks.List[ev.mark]
	lifeline := w.codes.keys.List[ev.code].lifeline
	at := w.last[lifeline]
	if at.key == schema.NoCode { // nothing that it could be about
		w.countLooseCoupling(w.seq)
		return
	}
	c := &w.couplings
	switch m.direction {
	case schema.Opens:
		if c.opened == nil {
			c.opened = make(map[MessageID]moment)
		}
		c.opened[w.identify(ev)] = at
	case schema.Waits:
		id := w.identify(ev)
		if source, opened := c.opened[id]; opened {
			delete(c.opened, id)
			w.emitCoupling(source, at, ev.mark)
		} else {
			w.countLooseCoupling(at.seq)
		}
	default:
		w.meet(m.series, ev, at, w.ended[lifeline])
	}
}

// identify is what tells a coupling of two events from all others.
func (w *Builder) identify(ev *event) MessageID {
	return MessageID{w.codes.names.Series.Name(w.codes.marks.List[ev.mark].series), ev.id}
}

// meet takes the part of a process in a collective operation, that of the call between two events.
func (w *Builder) meet(series uint32, ev *event, exit, enter moment) {
	c := &w.couplings
	if w.codes.keys.List[exit.key].kind != schema.Exit || enter.key == schema.NoCode {
		w.countLooseCoupling(exit.seq) // the call did not stay in the trace
		return
	}
	g := c.groups[series]
	if g == nil {
		if c.groups == nil {
			c.groups = make(map[uint32]*rankGroup)
		}
		g = &rankGroup{make(map[uint32]int64), make(map[int64]*meeting)}
		c.groups[series] = g
	}
	rank, size := schema.SeatOf(ev.id)
	number := g.next[rank]
	g.next[rank]++
	at := g.under[number]
	if at == nil {
		at = c.freshMeeting()
		g.under[number] = at
	}
	at.seats = append(at.seats, seat{rank, ev.mark, enter, exit})
	if len(at.seats) == int(size) {
		w.endMeeting(at)
		delete(g.under, number)
	}
}

// freshMeeting returns a meeting without seats.
func (c *couplings) freshMeeting() *meeting {
	if n := len(c.spare); n > 0 {
		at := c.spare[n-1]
		c.spare = c.spare[:n-1]
		return at
	}
	return new(meeting)
}

// endMeeting makes the couplings of an operation: every end that waits does so for the last start among those that let it go on.
// That is one coupling a process, so the cost is linear in them, for prefix sums n log n.
func (w *Builder) endMeeting(at *meeting) {
	last := moment{key: schema.NoCode}
	scans := false
	for i := range at.seats {
		s := &at.seats[i]
		switch w.codes.marks.List[s.mark].direction {
		case schema.Scans:
			scans = true
		case schema.Meets, schema.Gives:
			last = later(last, s.enter)
		}
	}
	if scans {
		slices.SortStableFunc(at.seats, func(a, b seat) int { return cmp.Compare(a.rank, b.rank) })
	}
	for i := range at.seats {
		s := &at.seats[i]
		switch w.codes.marks.List[s.mark].direction {
		case schema.Gives:
			continue
		case schema.Scans: // of all ranks up to this one
			last = later(last, s.enter)
		}
		w.coupleEnd(last, s)
	}
	at.seats = at.seats[:0]
	w.couplings.spare = append(w.couplings.spare, at)
}

// coupleEnd lets the end of an operation in a process wait for the last start. A process that came last itself waits for nobody.
func (w *Builder) coupleEnd(last moment, s *seat) {
	keys := w.codes.keys.List
	switch {
	case last.key == schema.NoCode: // there is no root
		w.countLooseCoupling(s.exit.seq)
	case keys[last.key].lifeline == keys[s.exit.key].lifeline:
	case last.seq > s.exit.seq || last.timeNs > s.exit.timeNs: // the clocks of the processes are apart
		w.countLooseCoupling(s.exit.seq)
	default:
		w.emitCoupling(last, s.exit, s.mark)
	}
}

// later is the later of two events; the first may be none.
func later(a, b moment) moment {
	if a.key == schema.NoCode || b.timeNs > a.timeNs || b.timeNs == a.timeNs && b.seq > a.seq {
		return b
	}
	return a
}

// emitCoupling adds a coupling of two lifelines to those of the bucket of the event that waits.
func (w *Builder) emitCoupling(source, target moment, mark uint32) {
	from, to := &w.codes.keys.List[source.key], &w.codes.keys.List[target.key]
	if from.lifeline == to.lifeline { // which orders its events by itself
		return
	}
	c, bucket := &w.couplings, int(to.bucket)
	for len(c.out) <= bucket {
		c.out = append(c.out, nil)
	}
	if c.out[bucket] == nil {
		c.out[bucket] = w.sink.FreshExchanges()
	}
	m := c.out[bucket].next()
	m.id, m.mark, m.number = schema.NoValue, mark, c.made
	m.sendSeq, m.sendNs, m.sendKey = source.seq, source.timeNs, source.key
	m.receiveSeq, m.receiveNs, m.receiveKey = target.seq, target.timeNs, target.key
	c.made++
	if len(c.out[bucket].list) >= w.groups.Messages {
		w.handOnExchanges(c.out, bucket, w.sink.TakeCouplings)
	}
}

// countLooseCoupling counts an event that has no part in a coupling after all.
func (w *Builder) countLooseCoupling(seq int64) {
	c := &w.couplings
	if c.loose == 0 || seq < c.first {
		c.first = seq
	}
	c.loose++
}

// endCouplings couples what is there of operations that have not ended everywhere, and hands on all couplings.
func (w *Builder) endCouplings() {
	c := &w.couplings
	for _, series := range slices.Sorted(maps.Keys(c.groups)) {
		g := c.groups[series]
		for _, number := range slices.Sorted(maps.Keys(g.under)) {
			w.endMeeting(g.under[number])
		}
	}
	for bucket, x := range c.out {
		if x != nil && len(x.list) > 0 {
			w.handOnExchanges(c.out, bucket, w.sink.TakeCouplings)
		}
	}
	if c.loose > 0 {
		w.ledger.AddMany(schema.LooseCoupling, c.loose, func() string { return w.eventPosition(c.first) })
	}
}

// Couplings appends couplings to a table, as Messages does to one of messages.
func (l *CodeTables) Couplings(x *Exchanges, out *schema.Couplings) {
	out.Names = &l.names
	n := len(out.SourceSeq)
	schema.Extend(out, len(x.list))
	for i := range x.list {
		m, at := &x.list[i], n+i
		mark, from, to := &l.marks[m.mark], &l.keys[m.sendKey], &l.keys[m.receiveKey]
		out.Kind[at], out.Label[at] = mark.coupling, mark.label
		out.SourceSeq[at], out.SourceNs[at], out.Source[at], out.SourceLifeline[at] = m.sendSeq, m.sendNs, from.component, from.lifeline
		out.TargetSeq[at], out.TargetNs[at], out.Target[at], out.TargetLifeline[at] = m.receiveSeq, m.receiveNs, to.component, to.lifeline
	}
}
