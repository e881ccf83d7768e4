package validate

import "github.com/tracelake/tracelake/schema"

// Builder checks the tables of one bucket. Its memory follows the open executions, and the events whose
// constraints are yet to come.
type Builder struct {
	names     *schema.Names
	slots     slotTable
	lifelines []lifeline      // by code
	lastSeq   int64           // highest so far
	waiting   []waitingTarget // in the order of the rows
	head      int             // position of the first event that still waits
	tally     tally
}

// lifeline is the state of a lifeline after its last event.
type lifeline struct {
	seq, timeNs int64  // of its last event; NoValue: none yet
	calls       []call // open executions, the innermost last
}

// call is an open execution.
type call struct {
	seq, timeNs int64 // of its start
	slot        int32
	function    schema.Code
	outlived    bool // whether an execution in which it started has finished
}

// NewBuilder returns a builder that has seen nothing. The tables must have the dictionaries names.
func NewBuilder(names *schema.Names) *Builder {
	return &Builder{names: names, lastSeq: schema.NoValue, tally: make(tally)}
}

// AddEvents checks the rows [from, to) of the events, the next ones of the bucket. Some thousand at a time, each
// followed by its constraints, are quickest: what waits then stays in the cache.
func (b *Builder) AddEvents(ev *schema.Events, from, to int) {
	b.makeRoom(to - from)
	for i := from; i < to; i++ {
		kind := ev.Kind[i]
		if kind > schema.Exit {
			continue
		}
		code := int(ev.Lifeline[i])
		for code >= len(b.lifelines) {
			b.lifelines = append(b.lifelines, lifeline{seq: schema.NoValue})
		}
		l := &b.lifelines[code]
		at := l.slotFor(&b.slots, ev.Component[i], ev.Lifeline[i], ev.Function[i], kind)
		e := event{ev.Seq[i], ev.TimeNs[i], at}
		if e.seq <= b.lastSeq {
			if b.checkRepeated(e, l, kind) {
				continue
			}
		} else {
			b.lastSeq = e.seq
		}
		s := &b.slots.all[at]
		s.last[kind] = max(s.last[kind], e.seq)
		b.awaitConstraints(e, l)
		if kind == schema.Enter {
			s.open++
			l.calls = append(l.calls, call{e.seq, e.timeNs, at, ev.Function[i], false})
		} else {
			b.closeCall(e, l)
		}
	}
}

// event is the row at hand.
type event struct {
	seq, timeNs int64
	slot        int32
}

// slotFor returns the slot of an event on the lifeline; most exits belong to the innermost call, which
// needs no lookup.
func (l *lifeline) slotFor(s *slotTable, component, code, function schema.Code, kind schema.Kind) int32 {
	if n := len(l.calls); kind == schema.Exit && n > 0 {
		if top := &l.calls[n-1]; top.function == function {
			return top.slot
		}
	}
	return s.slotOf(component, code, function)
}

// checkRepeated checks an event whose sequence number is not the highest so far (conditions 1, 2 and 3),
// and reports whether it was there before. Where rows are out of order, the events with its number may be
// too far back to decide.
func (b *Builder) checkRepeated(e event, l *lifeline, kind schema.Kind) bool {
	last := b.slots.all[e.slot].last[kind]
	switch {
	case e.seq == last && e.seq == l.seq && e.timeNs != l.timeNs:
		b.reportEvent(&schema.TwoTimes, e)
		return true
	case e.seq == last:
		b.reportEvent(&schema.RepeatedEvent, e)
		return true
	case e.seq == b.lastSeq || e.seq == l.seq:
		b.reportEvent(&schema.SharedSeq, e)
	}
	if e.seq < l.seq {
		b.reportEvent(&schema.OrderReversed, e)
	}
	if e.seq < last {
		b.reportEvent(&schema.IndexOrder, e)
	}
	return false
}

// closeCall closes the innermost open call of the event's function (conditions 4 and 5).
func (b *Builder) closeCall(e event, l *lifeline) {
	s := &b.slots.all[e.slot]
	if s.open == 0 {
		b.reportEvent(&schema.MissingStart, e)
		return
	}
	s.open--
	i := l.innermostCall(e.slot)
	if l.calls[i].outlived {
		b.reportEvent(&schema.CallsInterleave, e)
	}
	if i < len(l.calls)-1 {
		copy(l.calls[i:], l.calls[i+1:])
	}
	l.calls = l.calls[:len(l.calls)-1]
}

// innermostCall returns the position of the innermost open call of a slot, which has one. The calls above
// outlive it.
func (l *lifeline) innermostCall(slot int32) int {
	i := len(l.calls) - 1
	for ; l.calls[i].slot != slot; i-- {
		l.calls[i].outlived = true
	}
	return i
}
