package constraints

import (
	"sort"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Builder derives the constraints into the events of one partition. Add the components of the partition, then all
// messages of the run, then the events of the partition in trace order.
type Builder struct {
	names     *schema.Names
	opt       Options
	notes     *notes  // annotations of the run
	epsilon   []int64 // by code of the label, ns
	wanted    []bool  // by component: whether the partition has it
	untraced  []bool  // by component: whether it is a placeholder
	arrivals  arrivals
	next      int                 // the first arrival that no event has received yet
	lifelines []lifelineState     // by code
	into      incomingConstraints // the event at hand
}

// lifelineState is the last event of a lifeline and its open calls.
type lifelineState struct {
	stack  callstack.Cutter[struct{}]
	seq    int64
	timeNs int64
	begun  bool
}

// NewBuilder returns a builder for events and messages with these names. The annotations are those of the run.
func NewBuilder(names *schema.Names, opt Options, annotations []schema.Annotation) *Builder {
	b := &Builder{names: names, opt: opt, notes: readNotes(annotations)}
	if b.opt.Bounds == Auto {
		b.opt.Bounds = Paper
		if b.notes.bounds {
			b.opt.Bounds = Declared
		}
		if b.notes.defaultNs != schema.NoValue {
			b.opt.Bounds, b.opt.DefaultNs = PPS, b.notes.defaultNs
		}
	}
	return b
}

// AddComponents takes components of events of the partition, before any messages.
func (b *Builder) AddComponents(components []schema.Code) {
	b.wanted = schema.GrowTo(b.wanted, b.names.Components.Len())
	for _, c := range components {
		b.wanted[c] = true
	}
}

// MessageColumns returns the columns of messages that are needed beyond label, send_seq, receive_seq,
// send_ns, sender and receiver. Reading fewer columns is faster.
func (b *Builder) MessageColumns() (names []string) {
	names = append(names, "pattern")
	if len(b.notes.messages) > 0 {
		names = append(names, "id_series", "message_id")
	}
	if b.opt.Bounds == PPS {
		names = append(names, "receive_ns", "sender_lifeline", "receiver_lifeline")
	}
	return names
}

// Reserve says how many messages will come at most, where that is known: memory for them is then taken at once.
func (b *Builder) Reserve(messages int) { b.arrivals.reserve(messages, b.opt.Bounds) }

// AddMessages takes the next messages of the run.
func (b *Builder) AddMessages(m *schema.Messages) {
	b.arrivals.addMessages(m, b.wanted, b.notes, b.opt.Bounds)
}

// AddCouplings takes the next couplings into events of the partition, after all messages.
func (b *Builder) AddCouplings(c *schema.Couplings) { b.arrivals.addCouplings(c, b.opt.Bounds) }

// Start ends the messages; events follow.
func (b *Builder) Start() {
	b.arrivals.sortByReceiver()
	b.epsilon = make([]int64, b.names.Messages.Len())
	for i := range b.epsilon {
		b.epsilon[i] = b.opt.EpsilonNs
	}
	for _, l := range b.opt.Epsilons {
		if code, known := b.names.Messages.Lookup(l.Message); known {
			b.epsilon[code] = l.EpsilonNs
		}
	}
}

// epsilonFor returns the epsilon of the messages with a label, in ns.
func (b *Builder) epsilonFor(label schema.Code) int64 {
	if label == schema.NoCode {
		return b.opt.EpsilonNs
	}
	return b.epsilon[label]
}

// incomingConstraints is an event with the constraints into it. It is reused from event to event.
type incomingConstraints struct {
	seq, timeNs int64
	root        bool // it starts a root execution
	traced      bool // both this event and its source are observed, not inserted

	segment    bool        // whether an event comes before it on its lifeline
	sourceSeq  int64       // that event
	sourceNs   int64       // and its time
	function   schema.Code // NoCode: the lifeline was idle
	durationNs int64       // time since that event
	boundNs    int64       // bound of the segment

	messages []arrival               // and couplings of other kinds
	kinds    []schema.ConstraintKind // of these
	details  []messageDetails        // likewise, where the heuristic asks
	bounds   []int64                 // of the messages, ns; schema.NoValue: none
}

// Add appends the constraints into the next events to out.
func (b *Builder) Add(ev *schema.Events, out *schema.Constraints, led *schema.Ledger) {
	b.lifelines = schema.GrowTo(b.lifelines, b.names.Lifelines.Len())
	for c := len(b.untraced); c < b.names.Components.Len(); c++ {
		b.untraced = append(b.untraced, strings.HasPrefix(b.names.Components.Name(schema.Code(c)), "untraced("))
	}
	w := rowWriter{out: out}
	w.openRows(len(ev.Seq) + b.countArriving(ev))
	for i, kind := range ev.Kind {
		if kind > schema.Exit {
			continue
		}
		b.gatherIncoming(ev, i, led)
		if b.into.segment || len(b.into.messages) > 0 {
			b.setBounds()
			w.writeEvent(&b.into, ev.Component[i], ev.Function[i])
		}
	}
	w.closeRows()
}

// countArriving returns how many messages arrive at the next events at most.
func (b *Builder) countArriving(ev *schema.Events) int {
	if len(ev.Seq) == 0 {
		return 0
	}
	last := ev.Seq[len(ev.Seq)-1]
	return sort.Search(len(b.arrivals.all)-b.next, func(i int) bool { return b.arrivals.all[b.next+i].receiveSeq > last })
}

// gatherIncoming finds the constraints into an event and moves its lifeline on.
func (b *Builder) gatherIncoming(ev *schema.Events, i int, led *schema.Ledger) {
	x, l := &b.into, &b.lifelines[ev.Lifeline[i]]
	x.seq, x.timeNs, x.traced = ev.Seq[i], ev.TimeNs[i], !ev.Synthetic[i]
	x.segment, x.root = l.begun, false
	if l.begun {
		x.sourceSeq, x.sourceNs, x.durationNs, x.function = l.seq, l.timeNs, x.timeNs-l.timeNs, schema.NoCode
		if f, open := l.stack.Innermost(); open {
			x.function = f
		}
	}
	l.seq, l.timeNs, l.begun = x.seq, x.timeNs, true
	if ev.Kind[i] == schema.Enter {
		if _, step := l.stack.Enter(ev.Function[i]); step != callstack.Continues {
			x.root, x.function = true, schema.NoCode
		}
	} else {
		l.stack.Exit(ev.Function[i])
	}
	b.takeArrivals(led)
}

// takeArrivals takes the messages that arrive at the event.
func (b *Builder) takeArrivals(led *schema.Ledger) {
	x, all := &b.into, b.arrivals.all
	for b.next < len(all) && all[b.next].receiveSeq < x.seq {
		countLoose(led, all[b.next].receiveSeq)
		b.next++
	}
	from := b.next
	for b.next < len(all) && all[b.next].receiveSeq == x.seq {
		b.next++
	}
	x.messages = all[from:b.next]
	if len(b.arrivals.details) > 0 {
		x.details = b.arrivals.details[from:b.next]
	}
	x.kinds = b.arrivals.kinds[from:b.next]
	for len(x.messages) > 0 && x.messages[len(x.messages)-1].sendSeq > x.seq {
		countLoose(led, x.seq)
		x.messages = x.messages[:len(x.messages)-1]
	}
}

// holdsBack reports whether a message into the event may be what its lifeline waited for: one that was seen, or any if callbacks are
// to decide.
func (b *Builder) holdsBack(x *incomingConstraints, message int) bool {
	return b.opt.Callbacks || x.kinds[message] != schema.ByCallback
}

// Finish counts the messages that no event of the partition received.
func (b *Builder) Finish(led *schema.Ledger) {
	for _, a := range b.arrivals.all[b.next:] {
		countLoose(led, a.receiveSeq)
	}
}

// countLoose counts a message that no event received.
func countLoose(led *schema.Ledger, seq int64) {
	led.Add(schema.LooseMessage, func() string { return schema.EventPosition(seq) })
}

// rowWriter fills rows of constraints in place. It makes room for the greatest possible number, and gives
// back the rest: appending to nine columns row by row is slower.
type rowWriter struct {
	out *schema.Constraints
	n   int // rows so far
}

// openRows makes room for at most that many rows.
func (w *rowWriter) openRows(most int) {
	w.n = len(w.out.Target)
	schema.Extend(w.out, most)
}

// closeRows gives back the rows that were not needed.
func (w *rowWriter) closeRows() { schema.Truncate(w.out, w.n) }

// writeEvent adds the constraints into an event of a component and a function.
func (w *rowWriter) writeEvent(x *incomingConstraints, component, function schema.Code) {
	out := w.out
	if x.segment {
		i := w.addRow(x, component, x.durationNs, x.boundNs)
		out.Source[i], out.Kind[i], out.Function[i] = x.sourceSeq, schema.OnLifeline, x.function
		out.Sender[i], out.Label[i] = schema.NoCode, schema.NoCode
	}
	for k := range x.messages {
		m := &x.messages[k]
		i := w.addRow(x, component, x.timeNs-m.sendNs, x.bounds[k])
		out.Source[i], out.Kind[i], out.Function[i] = m.sendSeq, x.kinds[k], function
		out.Sender[i], out.Label[i] = m.sender, m.label
	}
}

// addRow begins a row with its target, duration and bound.
func (w *rowWriter) addRow(x *incomingConstraints, component schema.Code, durationNs, boundNs int64) int {
	out, i := w.out, w.n
	w.n++
	slack := schema.NoValue
	if boundNs != schema.NoValue {
		slack = durationNs - boundNs
	}
	out.Target[i], out.TargetNs[i], out.Component[i] = x.seq, x.timeNs, component
	// A slack below 0 is that of a message that was received before it was sent, by clocks that disagree: it is what the event waited
	// for all the more.
	out.DurationNs[i], out.SlackNs[i], out.Critical[i] = durationNs, slack, slack <= 0 && slack != schema.NoValue
	return i
}
