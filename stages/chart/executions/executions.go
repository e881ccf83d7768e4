// Package executions pairs the enter and exit events of every lifeline into function executions with
// their nesting, self time, role and service fragment (Jonk et al. 2019, Definition 3, conditions 3-5;
// Hilbig 2023, section 2.2).
//
// An execution's row is written when it finishes, so that nothing but the call stacks is held. Its
// identity is the sequence number of its enter event; its parent is the innermost call that was open
// on the lifeline when it started. Self time is the duration less the durations of the executions
// that it is the parent of; where calls interleave (see package callstack) it can be negative.
package executions

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Builder pairs the events of one partition, in trace order.
type Builder struct {
	// Given are the ordinals of the next enters, where the partition has only some lifelines of its components; nil: all of a
	// component's executions come, and the builder counts them.
	Given *Ordinals

	counter
	lifelines []callstack.Cutter[call]
	words     []word // the word under way, by lifeline
}

// call is an open execution.
type call struct {
	word
	seq, startNs, parent int64            // sequence number and time of the enter; sequence number of the parent's enter, or NoValue
	number               int64            // of this function on this component, from 1
	nestedNs             int64            // durations of the executions that have this one as parent
	depth                int64            // 0: outermost of its word
	peer, executionType  schema.Code      // NoCode where unknown
	direction            schema.Direction // of the message at its start, if its other end is known
	synthetic            bool             // its enter was invented
}

// word is an occurrence of a service fragment.
type word struct {
	fragment   schema.Code // name, see schema.FragmentName
	occurrence int64       // of the fragment, from 0
}

// fragmentKey identifies a service fragment: the function that starts its words, and by whose message (Hilbig 2023,
// section 2.2). Peer is NoCode without a message.
type fragmentKey struct {
	component, function, peer schema.Code
	direction                 schema.Direction
	isLifetime                bool // see schema.Lifetime: it is no service fragment, and has a name of its own
}

// NewBuilder returns a builder for events with these names; executions share them.
func NewBuilder(names *schema.Names) *Builder {
	return &Builder{counter: newCounter(names)}
}

// Add appends to out the executions that finish in the next events.
func (b *Builder) Add(ev *schema.Events, out *schema.Executions, led *schema.Ledger) {
	// Dictionaries grow from chunk to chunk.
	for len(b.lifelines) < b.names.Lifelines.Len() {
		b.lifelines = append(b.lifelines, callstack.Cutter[call]{})
		b.words = append(b.words, word{})
	}
	for i, kind := range ev.Kind {
		switch kind {
		case schema.Enter:
			b.enter(ev, i)
		case schema.Exit:
			b.exit(ev, i, out, led)
		}
	}
}

// enter opens a call. The word and its parent are decided by the stack as it was before.
func (b *Builder) enter(ev *schema.Events, i int) {
	line := ev.Lifeline[i]
	l := &b.lifelines[line]
	parent, depth := schema.NoValue, int64(l.Open())
	if depth > 0 {
		parent = l.At(l.Open() - 1).seq
	}
	c, step := l.Enter(ev.Function[i])
	// The event starts a word, whether or not calls of an earlier word are still open: it has no parent.
	if step != callstack.Continues {
		b.words[line] = b.begin(ev, i)
		if b.Given != nil {
			b.words[line].occurrence = b.Given.Occurrence[b.Given.next]
		}
		parent, depth = schema.NoValue, 0
	}
	c.word, c.seq, c.startNs, c.parent, c.nestedNs, c.depth = b.words[line], ev.Seq[i], ev.TimeNs[i], parent, 0, depth
	if b.Given == nil {
		c.number = b.number(ev.Component[i], ev.Function[i])
	} else {
		c.number = b.Given.Number[b.Given.next]
		b.Given.next++
	}
	c.peer, c.direction, c.executionType, c.synthetic = ev.Peer[i], direction(ev, i), ev.ExecutionType[i], ev.Synthetic[i]
}

// direction is that of an event's message, if its other end is known.
func direction(ev *schema.Events, i int) schema.Direction {
	if ev.Peer[i] == schema.NoCode {
		return schema.NoMessage
	}
	return ev.Direction[i]
}

// exit closes the call that an exit ends and writes its row. An exit that ends none was counted when the trace was made
// well-formed and has no row.
func (b *Builder) exit(ev *schema.Events, i int, out *schema.Executions, led *schema.Ledger) {
	l := &b.lifelines[ev.Lifeline[i]]
	c, _ := l.Exit(ev.Function[i])
	if c == nil {
		return
	}
	duration := ev.TimeNs[i] - c.startNs
	if duration < 0 {
		seq := ev.Seq[i]
		led.Add(schema.NegativeDuration, func() string { return schema.EventPosition(seq) })
	}
	charge(l, c.parent, duration)
	finish := direction(ev, i)
	// An execution has the peer of its start, or else that of its finish.
	if c.peer == schema.NoCode {
		c.peer = ev.Peer[i]
	}
	if c.executionType == schema.NoCode {
		c.executionType = ev.ExecutionType[i]
	}
	out.Execution = append(out.Execution, c.seq)
	out.Component = append(out.Component, ev.Component[i])
	out.Lifeline = append(out.Lifeline, ev.Lifeline[i])
	out.Function = append(out.Function, ev.Function[i])
	out.Number = append(out.Number, c.number)
	out.StartNs = append(out.StartNs, c.startNs)
	out.FinishNs = append(out.FinishNs, ev.TimeNs[i])
	out.DurationNs = append(out.DurationNs, duration)
	out.SelfNs = append(out.SelfNs, duration-c.nestedNs)
	out.Depth = append(out.Depth, c.depth)
	out.Parent = append(out.Parent, c.parent)
	out.Fragment = append(out.Fragment, c.fragment)
	out.Occurrence = append(out.Occurrence, c.occurrence)
	out.FinishSeq = append(out.FinishSeq, ev.Seq[i])
	out.Role = append(out.Role, role(c.direction, finish))
	out.Peer = append(out.Peer, c.peer)
	out.Type = append(out.Type, c.executionType)
	out.Synthetic = append(out.Synthetic, c.synthetic || ev.Synthetic[i])
}

// charge adds a duration to the nested time of the parent, if it is still open: as a rule it is on top.
func charge(l *callstack.Cutter[call], parent, duration int64) {
	for i := l.Open() - 1; i >= 0; i-- {
		if c := l.At(i); c.seq == parent {
			c.nestedNs += duration
			return
		}
	}
}

// role reads the role of an execution off the messages at its start and at its finish.
func role(start, finish schema.Direction) schema.Role {
	switch {
	case start == schema.Send && finish == schema.Receive:
		return schema.BlockingCall
	case start == schema.Send:
		return schema.Request
	case start == schema.Receive && finish == schema.Send:
		return schema.SyncHandler
	case start == schema.Receive:
		return schema.TriggerHandle
	case finish == schema.Receive:
		return schema.Wait
	}
	return schema.Internal
}
