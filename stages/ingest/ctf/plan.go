package ctf

import (
	"maps"
	"slices"

	"github.com/tracelake/tracelake/stages/ingest/tags"
)

// plan is an event description, compiled.
type plan struct {
	event   *eventClass       // its description
	role    role              // what it means
	named   uint64            // of one end of a pair: number of the execution, which the event and not a field names
	instant uint64            // number of an execution of no time that the event is, too; or noExecution
	object  object            // of roleObject and roleDefinition: what it tells of
	body    []op              // all behind the header
	has     [registers]bool   // what the event tells
	room    [registers]uint64 // how long a text may be, in bytes; 0: up to its zero byte

	interrupt, never, forks bool // of one end of a pair: see isInterrupt, neverReturns, returnsTwice
	tellsReturn             bool // regOther has what the call returns

	fromContext, fromFields map[string]register // where the fields that are wanted go, by their names

	keys []string // of one end of a pair: the fields that tell to which other end it belongs, see keys.go

	attributes []attributeField // that the user asked for

	count   int64 // events read so far
	omitted int64 // those of them that have no place among the events of the run, though others of the kind have
}

// noExecution is the number of no execution.
const noExecution = ^uint64(0)

// executes reports whether an event is an enter, an exit or a message of the trace.
func (p *plan) executes() bool { return p.role.executes() || p.instant != noExecution }

// streamPlan is a description of streams, compiled.
type streamPlan struct {
	class   *streamClass     // its description
	context []op             // of packets
	header  []op             // of events
	align   uint64           // of events, bits
	clock   timescale        // of the time in the header
	events  map[uint64]*plan // by number

	numbered bool  // headers tell the number of their event
	single   *plan // the only event, where they do not

	short  flatTable // events whose header has their number once
	long   flatTable // those whose header has escape in its place, and then the number
	escape uint64
}

// tracePlan is the metadata of a trace, compiled.
type tracePlan struct {
	meta    *metadata              // its metadata
	header  []op                   // of packets
	streams map[uint64]*streamPlan // by number
	slots   int32                  // that any of the programs needs
	pairs   pairs                  // events that are the two ends of an execution by their names
	kernel  bool                   // the trace is of a kernel
	wanted  *tags.Table            // attributes that the user asked for
}

// newTracePlan compiles the metadata of a trace, in which the names of events make pairs.
func newTracePlan(meta *metadata, pairs pairs) (*tracePlan, error) {
	return newAttributedPlan(meta, pairs, nil)
}

// newAttributedPlan does the same where fields of calls are attributes.
func newAttributedPlan(meta *metadata, pairs pairs, wanted *tags.Table) (*tracePlan, error) {
	c := &compiler{meta: meta}
	t := &tracePlan{meta: meta, wanted: wanted, streams: make(map[uint64]*streamPlan), pairs: pairs, kernel: meta.env["domain"] == kernelDomain}
	var err error
	if t.header, err = c.part("trace.packet.header", meta.header, false, headerRegisters); err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(meta.streams)) {
		of := c.fork()
		if t.streams[id], err = t.stream(of, meta.streams[id]); err != nil {
			return nil, err
		}
		c.ops = of.ops
	}
	return t, nil
}

// stream compiles the parts that the events of a stream share, and then the events.
func (t *tracePlan) stream(c *compiler, class *streamClass) (*streamPlan, error) {
	s := &streamPlan{class: class, align: 1, events: make(map[uint64]*plan), clock: t.meta.timescale(class.header)}
	var err error
	if s.context, err = c.part("stream.packet.context", class.packetContext, false, packetRegisters); err != nil {
		return nil, err
	}
	if s.header, err = c.part("stream.event.header", class.header, true, eventRegisters); err != nil {
		return nil, err
	}
	if class.header != nil {
		s.align = class.header.align
		s.numbered = class.header.mentions("id")
	}
	for _, id := range slices.Sorted(maps.Keys(class.events)) {
		of := c.fork()
		p, err := t.event(of, class, class.events[id])
		if err != nil {
			return nil, err
		}
		c.ops = of.ops
		t.slots = max(t.slots, of.slots)
		s.add(id, p)
	}
	t.slots = max(t.slots, c.slots)
	return s, nil
}

// add puts an event into the tables.
func (s *streamPlan) add(id uint64, p *plan) {
	s.events[id] = p
	s.single = p
	if id >= maxFlatEvent {
		return
	}
	if f, ok := flatten(id, id, false, s.align, s.header, p.body); ok {
		s.short.add(id, f.first, f, p)
	}
	escape, ok := escapeOf(s.header)
	if !ok {
		return
	}
	if f, ok := flatten(id, escape, true, s.align, s.header, p.body); ok {
		s.short.id, s.escape = f.first, escape
		s.long.add(id, f.second, f, p)
	}
}

// event compiles what is behind the header of an event. Only what its role needs goes into registers.
func (t *tracePlan) event(c *compiler, stream *streamClass, e *eventClass) (*plan, error) {
	p := &plan{event: e, instant: noExecution}
	contexts := contextRegisters(stream.context, e.context)
	fields := t.assignRole(p)
	if p.role == roleNone {
		contexts = nil
	} else {
		addPerfFields(e.fields, contexts, fields)
	}
	t.wantAttributes(p, stream, contexts, fields)
	p.fromContext, p.fromFields = contexts, fields
	for _, of := range []struct {
		name string
		typ  *typ
		want map[string]register
	}{
		{"stream.event.context", stream.context, contexts},
		{"event.context", e.context, contexts},
		{"event.fields", e.fields, fields},
	} {
		ops, err := c.part(of.name, of.typ, p.role.isPacket() && of.typ == e.fields, of.want)
		if err != nil {
			return nil, err
		}
		p.body = append(p.body, ops...)
		for name, reg := range of.want {
			if m := of.typ.member(name); m != nil && m.class != sequence {
				p.has[reg], p.room[reg] = true, m.length
			}
		}
	}
	return p, nil
}

// contextRegisters returns the fields of the contexts that identify the thread: those of its own namespace where both are
// there.
func contextRegisters(contexts ...*typ) map[string]register {
	there := make(map[string]bool)
	for _, c := range contexts {
		if c != nil {
			for _, m := range c.members {
				there[shown(m.name)] = true
			}
		}
	}
	want := make(map[string]register)
	for reg, names := range map[register][]string{
		regTid: {"vtid", "tid"}, regPid: {"vpid", "pid", "tgid"}, regComm: {"procname"},
	} {
		for _, name := range names {
			if there[name] {
				want[name] = reg
				break
			}
		}
	}
	return want
}

// addPerfFields wants the fields in which perf says where an event happened, unless a context says it.
func addPerfFields(fields *typ, contexts, wanted map[string]register) {
	for _, w := range perfFields {
		told := false
		for _, reg := range contexts {
			told = told || reg == w.reg
		}
		if fields.field(w.names) && !told {
			wanted[w.names] = w.reg
		}
	}
}
