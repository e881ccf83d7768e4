package components

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Refusal is why a system does not accept a trace.
type Refusal string

// The refusals.
const (
	NoTransition Refusal = "the model of the component does not have this event here"
	Full         Refusal = "the buffer of the receiver is full"
	Empty        Refusal = "the message was not sent before"
	Overtaken    Refusal = "another message stands before this one in the buffer"
	Unfinished   Refusal = "the trace ends within a word of the component"
	Undelivered  Refusal = "the trace ends with messages in the buffer of the component"
)

// Verdict reports whether a system accepts a trace.
type Verdict struct {
	Accepted  bool
	Events    int64   // accepted ones
	Refusal   Refusal // the first
	Seq       int64   // the event refused; schema.NoValue at the end of the trace
	Component string
	Buffers   []Buffer // by receiver and sender; as far as the events were accepted
}

// System is the asynchronous composition of models (Hilbig 2023, section 2.2): the components take their steps one at a
// time, and communicate through buffers, first in, first out. A component that sends puts its message into a buffer; one that
// receives takes it from there, which must then be the first. Where the paper is silent: a message of which one end
// has no model comes from or goes to the environment, and passes no buffer; a system accepts at the end of a trace if all
// components do and nothing is left in a buffer.
//
// As the models are deterministic and the trace is the order of the steps, acceptance is a replay, and a buffer needs as
// much room as it is ever filled.
type System struct {
	builder *Builder
	opt     Buffers
	parts   []part           // by executor
	queues  map[uint64]*fifo // by receiver and sender
	cuts    []callstack.Cutter[struct{}]
	verdict Verdict
}

// part is a component of a system; without a model it is the environment.
type part struct {
	model *Model
	state int32
}

// Compose makes a system of models that Builder.Set returned.
func (b *Builder) Compose(set *Set, opt Buffers) *System {
	s := &System{builder: b, opt: opt, parts: make([]part, len(b.roots)), queues: make(map[uint64]*fifo)}
	s.verdict = Verdict{Accepted: true, Seq: schema.NoValue}
	for executor := range s.parts {
		m := set.Model(s.component(schema.Code(executor)))
		if s.parts[executor].model = m; m != nil {
			s.parts[executor].state = m.Initial[0]
		}
	}
	return s
}

// Add takes the next events of the trace, of all lifelines together, as the builder was given them. Exits that
// belong to no word are left out, as they are of the models.
func (s *System) Add(ev *schema.Events) {
	n := s.builder.naming
	s.cuts = widen(s.cuts, n.names.Lifelines.Len())
	c := cursor{links: n.links}
	for i, kind := range ev.Kind {
		if kind == schema.Message || !s.verdict.Accepted {
			continue
		}
		h, step := n.event(ev, i, c.at(ev.Seq[i])), callstack.Starts
		if cut := &s.cuts[ev.Lifeline[i]]; kind == schema.Enter {
			_, step = cut.Enter(ev.Function[i])
		} else {
			_, step = cut.Exit(ev.Function[i])
		}
		if step != callstack.Stray && s.parts[h.executor].model != nil {
			s.take(h)
		}
	}
}

// take takes one step.
func (s *System) take(h happening) {
	p := &s.parts[h.executor]
	to := follow(p.model.Automaton, p.state, s.builder.codes[h.label])
	if to < 0 {
		s.refuse(NoTransition, h.seq, h.executor)
		return
	}
	if h.other != schema.NoCode && s.parts[h.other].model != nil && !s.exchange(h) {
		return
	}
	p.state = to
	s.verdict.Events++
}

// exchange sends or receives the message of an event.
func (s *System) exchange(h happening) bool {
	if h.exchange.sends {
		q := s.queue(h.other, h.executor)
		if q.waiting() == s.opt.Bound && s.opt.Bound > 0 {
			return s.refuse(Full, h.seq, h.other)
		}
		q.put(uint64(h.exchange.own)<<32 | uint64(uint32(h.exchange.other)))
		return true
	}
	q := s.queue(h.executor, h.other)
	switch {
	case q.waiting() == 0:
		return s.refuse(Empty, h.seq, h.executor)
	case q.messages[q.head] != uint64(h.exchange.other)<<32|uint64(uint32(h.exchange.own)):
		return s.refuse(Overtaken, h.seq, h.executor)
	}
	q.take()
	return true
}

func (s *System) refuse(why Refusal, seq int64, executor schema.Code) bool {
	s.verdict.Accepted, s.verdict.Refusal, s.verdict.Seq = false, why, seq
	s.verdict.Component = s.component(executor)
	return false
}

func (s *System) component(executor schema.Code) string {
	return identifier(s.builder.naming.executors.Name(executor))
}

// Verdict returns what became of the trace, after its last event.
func (s *System) Verdict() Verdict {
	for executor, p := range s.parts {
		if s.verdict.Accepted && p.model != nil && !p.model.Accepting[p.state] {
			s.refuse(Unfinished, schema.NoValue, schema.Code(executor))
		}
	}
	queues := s.sorted()
	for _, q := range queues {
		if s.verdict.Accepted && q.waiting() > 0 {
			s.refuse(Undelivered, schema.NoValue, q.receiver)
		}
	}
	v := s.verdict
	v.Buffers = s.buffers(queues)
	return v
}

// follow is the target of the transition of a state with a label, or -1.
func follow(a *language.Automaton, state int32, label uint32) int32 {
	labels, targets := a.Out(state)
	if i, found := slices.BinarySearch(labels, label); found {
		return targets[i]
	}
	return -1
}
