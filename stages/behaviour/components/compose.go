package components

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Refusal is the reason why a system does not accept a trace.
type Refusal string

// The refusals. Their texts complete the sentence "the trace is refused because".
const (
	// NoTransition: the model has no transition for the event in its state.
	NoTransition Refusal = "the model of the component does not have this event here"
	// Full: a sender would have to wait for room.
	Full Refusal = "the buffer of the receiver is full"
	// Empty: a message is received before it is sent, as by clocks that are wrong.
	Empty Refusal = "the message was not sent before"
	// Overtaken: a message is received before another one that was sent earlier.
	Overtaken Refusal = "another message stands before this one in the buffer"
	// Unfinished: a model does not accept in the state in which the trace leaves it.
	Unfinished Refusal = "the trace ends within a word of the component"
	// Undelivered: some message was sent and never received.
	Undelivered Refusal = "the trace ends with messages in the buffer of the component"
)

// Verdict is the answer whether a system accepts a trace.
type Verdict struct {
	Accepted  bool     // the system can do all events of the trace, in their order
	Events    int64    // number of accepted events
	Refusal   Refusal  // the first one; empty if accepted
	Seq       int64    // of the refused event; schema.NoValue at the end of the trace
	Component string   // where it was refused
	Buffers   []Buffer // by receiver and sender, as far as events were accepted
}

// System is the asynchronous composition of models (Hilbig 2023, section 2.2): the components take their steps one at a
// time, and communicate through buffers, first in, first out. A component that sends puts its message into a buffer; one that
// receives takes it from there, which must then be the first. Where the paper is silent: a message with one end that
// has no model comes from or goes to the environment, and passes no buffer; a system accepts at the end of a trace if all
// components do and nothing is left in a buffer.
//
// As the models are deterministic and the trace is the order of the steps, acceptance is a replay, and a buffer needs as
// much room as it is ever filled.
type System struct {
	builder *Builder
	opt     Buffers
	parts   []systemPart                 // by executor
	queues  map[uint64]*fifo             // by receiver and sender: their buffer
	cuts    []callstack.Cutter[struct{}] // by lifeline: its calls, so that stray exits are left out
	verdict Verdict
}

// systemPart is a component of a system; without a model it belongs to the environment.
type systemPart struct {
	model *Model
	state int32
}

// Compose makes a system of models that Builder.Set returned, in their initial states.
func (b *Builder) Compose(set *Set, opt Buffers) *System {
	// Executors without a model stay in parts, so that positions are those of the builder.
	s := &System{builder: b, opt: opt, parts: make([]systemPart, len(b.roots)), queues: make(map[uint64]*fifo)}
	s.verdict = Verdict{Accepted: true, Seq: schema.NoValue}
	for executor := range s.parts {
		m := set.Model(s.componentName(schema.Code(executor)))
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
	s.cuts = schema.GrowTo(s.cuts, n.names.Lifelines.Len())
	c := cursor{links: n.links}
	for i, kind := range ev.Kind {
		// The first refusal ends the replay: what follows would be refused for its sake.
		if kind > schema.Exit || !s.verdict.Accepted {
			continue
		}
		h, step := n.nameEvent(ev, i, c.at(ev.Seq[i])), callstack.Starts
		if cut := &s.cuts[ev.Lifeline[i]]; kind == schema.Enter {
			_, step = cut.Enter(ev.Function[i])
		} else {
			_, step = cut.Exit(ev.Function[i])
		}
		if step != callstack.Stray && s.parts[h.executor].model != nil {
			s.takeStep(h)
		}
	}
}

// takeStep lets the executor of an event take its transition, if its model and the buffers allow it.
func (s *System) takeStep(h namedEvent) {
	p := &s.parts[h.executor]
	// 1. The model must have the event in its state.
	to := targetOf(p.model.Automaton, p.state, s.builder.codes[h.label])
	if to < 0 {
		s.refuseTrace(NoTransition, h.seq, h.executor)
		return
	}
	// 2. The buffer must have room for the message, or have the message first. Messages from and to the environment
	// pass no buffer.
	if h.other != schema.NoCode && s.parts[h.other].model != nil && !s.exchangeMessage(h) {
		return
	}
	// 3. Only then the component moves: a refused event leaves the system as it was.
	p.state = to
	s.verdict.Events++
}

// exchangeMessage sends or receives the message of an event, and reports whether the buffer allows it.
func (s *System) exchangeMessage(h namedEvent) bool {
	if h.exchange.sends {
		q := s.queueOf(h.other, h.executor)
		if q.length() == s.opt.Bound && s.opt.Bound > 0 {
			return s.refuseTrace(Full, h.seq, h.other)
		}
		// The two ends identify an exchange, the sender's first, in 64 bits.
		q.push(uint64(h.exchange.own)<<32 | uint64(uint32(h.exchange.other)))
		return true
	}
	q := s.queueOf(h.executor, h.other)
	switch {
	case q.length() == 0:
		return s.refuseTrace(Empty, h.seq, h.executor)
	// The receiver knows its own end and the other one, so that it can say which message it expects.
	case q.messages[q.head] != uint64(h.exchange.other)<<32|uint64(uint32(h.exchange.own)):
		return s.refuseTrace(Overtaken, h.seq, h.executor)
	}
	q.pop()
	return true
}

// refuseTrace records the first refusal; it returns false for its callers to pass on.
func (s *System) refuseTrace(why Refusal, seq int64, executor schema.Code) bool {
	s.verdict.Accepted, s.verdict.Refusal, s.verdict.Seq = false, why, seq
	s.verdict.Component = s.componentName(executor)
	return false
}

// componentName returns the name of an executor as models have it.
func (s *System) componentName(executor schema.Code) string {
	return identifier(s.builder.naming.executors.Name(executor))
}

// Verdict returns the verdict after the last event: all components must accept, and all buffers be empty.
func (s *System) Verdict() Verdict {
	for executor, p := range s.parts {
		if s.verdict.Accepted && p.model != nil && !p.model.Accepting[p.state] {
			s.refuseTrace(Unfinished, schema.NoValue, schema.Code(executor))
		}
	}
	queues := s.sortedQueues()
	for _, q := range queues {
		if s.verdict.Accepted && q.length() > 0 {
			s.refuseTrace(Undelivered, schema.NoValue, q.receiver)
		}
	}
	v := s.verdict
	v.Buffers = s.bufferSizes(queues)
	return v
}

// targetOf returns the target of the transition of a state with a label, or -1.
func targetOf(a *language.Automaton, state int32, label uint32) int32 {
	labels, targets := a.Out(state)
	if i, found := slices.BinarySearch(labels, label); found {
		return targets[i]
	}
	return -1
}

// Buffers say how messages wait between components: first in, first out, in the buffer of the receiver.
type Buffers struct {
	BySender bool // a receiver has a buffer for every sender, so that senders do not wait for each other
	Bound    int  // messages that a buffer has room for; 0: any number
}

// Buffer is a buffer with the capacity that a trace needs there.
type Buffer struct {
	Receiver, Sender string // Sender is "" where a receiver has one buffer
	Size             int    // messages
}

// fifo is a buffer: messages wait from the head on.
type fifo struct {
	receiver, sender schema.Code // sender is schema.NoCode where a receiver has one buffer
	messages         []uint64    // identifiers of exchanges; those before head are gone
	head, maxLength  int         // greatest length so far
}

// bufferSizes returns the buffers with the capacity that they needed, by receiver and sender.
func (s *System) bufferSizes(queues []*fifo) (out []Buffer) {
	for _, q := range queues {
		b := Buffer{Receiver: s.componentName(q.receiver), Size: q.maxLength}
		if s.opt.BySender {
			b.Sender = s.componentName(q.sender)
		}
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b Buffer) int {
		return cmp.Or(cmp.Compare(a.Receiver, b.Receiver), cmp.Compare(a.Sender, b.Sender))
	})
	return out
}

// sortedQueues returns the buffers by receiver and sender.
func (s *System) sortedQueues() (queues []*fifo) {
	for _, q := range s.queues {
		queues = append(queues, q)
	}
	slices.SortFunc(queues, func(a, b *fifo) int {
		return cmp.Or(cmp.Compare(a.receiver, b.receiver), cmp.Compare(a.sender, b.sender))
	})
	return queues
}

// queueOf returns the buffer between two components, a new one if it was never used.
func (s *System) queueOf(receiver, sender schema.Code) *fifo {
	if !s.opt.BySender {
		sender = schema.NoCode
	}
	key := uint64(receiver)<<32 | uint64(sender)
	q, known := s.queues[key]
	if !known {
		q = &fifo{receiver: receiver, sender: sender}
		s.queues[key] = q
	}
	return q
}

// length returns the number of waiting messages.
func (q *fifo) length() int { return len(q.messages) - q.head }

// push appends a message. Space before the head is reused once it is more than half.
// Each message is moved at most once on average, so that push takes amortised constant time.
func (q *fifo) push(message uint64) {
	if q.head > len(q.messages)/2 {
		q.messages = q.messages[:copy(q.messages, q.messages[q.head:])]
		q.head = 0
	}
	q.messages = append(q.messages, message)
	q.maxLength = max(q.maxLength, q.length())
}

// pop drops the first message.
func (q *fifo) pop() { q.head++ }
