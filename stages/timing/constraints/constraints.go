package constraints

import (
	"sort"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Builder derives the constraints into the events of one partition. Add the components of the partition, then all
// messages of the run, then the events of the partition in trace order.
type Builder struct {
	names    *schema.Names
	opt      Options
	notes    *notes
	epsilon  []int64 // by code of the label
	wanted   []bool  // components of the partition
	untraced []bool  // by component: placeholders
	arrivals arrivals
	next     int // the first arrival that no event received yet
	lines    []line
	into     into
}

// line is where a lifeline is.
type line struct {
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

// AddComponents takes components of events of the partition.
func (b *Builder) AddComponents(components []schema.Code) {
	b.wanted = widen(b.wanted, b.names.Components.Len())
	for _, c := range components {
		b.wanted[c] = true
	}
}

// MessageColumns are the columns of messages that it needs beyond label, send_seq, receive_seq, send_ns, sender and
// receiver.
func (b *Builder) MessageColumns() (names []string) {
	if len(b.notes.messages) > 0 {
		names = append(names, "id_series", "message_id")
	}
	if b.opt.Bounds == PPS {
		names = append(names, "receive_ns", "sender_lifeline", "receiver_lifeline")
	}
	return names
}

// AddMessages takes the next messages of the run.
func (b *Builder) AddMessages(m *schema.Messages) {
	b.arrivals.add(m, b.wanted, b.notes, b.opt.Bounds)
}

// Start ends the messages.
func (b *Builder) Start() {
	b.arrivals.sort()
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

// epsilonOf is the epsilon of the messages with a label.
func (b *Builder) epsilonOf(label schema.Code) int64 {
	if label == schema.NoCode {
		return b.opt.EpsilonNs
	}
	return b.epsilon[label]
}

// into is an event with the constraints into it.
type into struct {
	seq, timeNs int64
	root        bool // it starts a root execution
	traced      bool

	segment    bool // there is an event before it on its lifeline
	sourceSeq  int64
	sourceNs   int64
	function   schema.Code // NoCode: the lifeline was idle
	durationNs int64
	boundNs    int64

	messages []arrival
	manners  []manner // of the messages, where the heuristic asks
	bounds   []int64  // of the messages; NoValue: none
}

// Add appends the constraints into the next events to out.
func (b *Builder) Add(ev *schema.Events, out *schema.Constraints, led *schema.Ledger) {
	b.lines = widen(b.lines, b.names.Lifelines.Len())
	for c := len(b.untraced); c < b.names.Components.Len(); c++ {
		b.untraced = append(b.untraced, strings.HasPrefix(b.names.Components.Name(schema.Code(c)), "untraced("))
	}
	w := writer{out: out}
	w.open(len(ev.Seq) + b.arriving(ev))
	for i, kind := range ev.Kind {
		if kind == schema.Message {
			continue
		}
		b.gather(ev, i, led)
		if b.into.segment || len(b.into.messages) > 0 {
			b.bound()
			w.write(&b.into, ev.Component[i], ev.Function[i])
		}
	}
	w.close()
}

// arriving is how many messages arrive at the next events at most.
func (b *Builder) arriving(ev *schema.Events) int {
	if len(ev.Seq) == 0 {
		return 0
	}
	last := ev.Seq[len(ev.Seq)-1]
	return sort.Search(len(b.arrivals.all)-b.next, func(i int) bool { return b.arrivals.all[b.next+i].receiveSeq > last })
}

// gather finds the constraints into an event and moves its lifeline on.
func (b *Builder) gather(ev *schema.Events, i int, led *schema.Ledger) {
	x, l := &b.into, &b.lines[ev.Lifeline[i]]
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
	b.receive(led)
}

// receive takes the messages that arrive at the event.
func (b *Builder) receive(led *schema.Ledger) {
	x, all := &b.into, b.arrivals.all
	for b.next < len(all) && all[b.next].receiveSeq < x.seq {
		lose(led, all[b.next].receiveSeq)
		b.next++
	}
	from := b.next
	for b.next < len(all) && all[b.next].receiveSeq == x.seq {
		b.next++
	}
	x.messages = all[from:b.next]
	if len(b.arrivals.manners) > 0 {
		x.manners = b.arrivals.manners[from:b.next]
	}
	for len(x.messages) > 0 && x.messages[len(x.messages)-1].sendSeq > x.seq {
		lose(led, x.seq)
		x.messages = x.messages[:len(x.messages)-1]
	}
}

// Finish counts the messages that no event of the partition received.
func (b *Builder) Finish(led *schema.Ledger) {
	for _, a := range b.arrivals.all[b.next:] {
		lose(led, a.receiveSeq)
	}
}

func lose(led *schema.Ledger, seq int64) {
	led.Add(schema.LooseMessage, func() string { return "event " + strconv.FormatInt(seq, 10) })
}

// widen makes a table long enough for n codes.
func widen[T any](table []T, n int) []T {
	if n <= len(table) {
		return table
	}
	return append(table, make([]T, n-len(table))...)
}
