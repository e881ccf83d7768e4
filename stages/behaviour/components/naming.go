package components

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// end is one end of a message, or an event without a message, reduced to what its name depends on. Codes
// are those of the trace's names.
type end struct {
	executor schema.Code // what the model is of: a lifeline, or a component
	function schema.Code
	typ      uint8 // position in Types, plus one; 0: the trace does not say
	kind     schema.Kind
}

// link ties an event to its message, or to what is known about it beyond the event itself.
// There are two links for each message, one for each end, in one list sorted by seq: 32 bytes each.
type link struct {
	seq        int64
	partner    int64 // seq of the other end, or schema.NoValue
	own, other int32 // ends; -1 until they are known
	sends      bool
	pattern    schema.Pattern
}

// operation is what a function implements. Without an annotation both are empty.
type operation struct{ holder, name string }

// naming names the events of a trace, in three phases: messages and annotations, a survey of all events,
// names.
type naming struct {
	// Phase 1: messages and annotations.
	names     *schema.Names
	opt       Options
	executors *schema.Dictionary   // names behind end.executor
	declared  map[string]operation // by function: what it implements
	skipped   map[message]bool     // messages that are no calls, such as orders of the domain

	links      []link      // by seq, once they are sorted
	stacks     []callStack // by lifeline
	executions []execution
	resolved   bool

	// Phase 3: names, cached by what they depend on.
	ends schema.Numbering[end]

	alphabet    *schema.Dictionary  // names of events
	labels      map[exchange]uint32 // by exchange: the label of its event
	types       []uint8             // by execution type of the trace: position in Types plus one; 0: not looked up yet
	identifiers map[string]string   // by kind and identifier: the name that it was made from
	err         error               // the first event without a name
}

// message identifies a message by its sending event.
type message struct {
	sendSeq, number int64
	series          string
}

// exchange is all that the name of an event depends on.
type exchange struct {
	own, other int32 // ends; other is -1 of an internal event
	sends      bool
}

// callTypes are the types of dependencies that are messages to the models; the others only order events.
var callTypes = map[string]bool{"message": true, "request": true, "reply": true}

// newNaming prepares the names of a trace from its annotations.
func newNaming(names *schema.Names, opt Options, notes []schema.Annotation) *naming {
	n := &naming{
		names: names, opt: opt, executors: &names.Lifelines, declared: make(map[string]operation), skipped: make(map[message]bool),
		alphabet: new(schema.Dictionary), labels: make(map[exchange]uint32), identifiers: make(map[string]string),
	}
	if opt.ByComponent {
		n.executors = &names.Components
	}
	for _, a := range notes {
		n.addAnnotation(a)
	}
	return n
}

// addAnnotation records what a function implements, or that a message is no call.
func (n *naming) addAnnotation(a schema.Annotation) {
	op := n.declared[a.Subject]
	switch {
	case a.About == schema.AboutFunction && a.Name == schema.NoteInterface:
		op.holder = a.Value
		n.declared[a.Subject] = op
	case a.About == schema.AboutFunction && a.Name == schema.NoteOperation:
		op.name = a.Value
		n.declared[a.Subject] = op
	case a.About == schema.AboutMessage && a.Name == schema.NoteType && a.Seq != nil && !callTypes[a.Value]:
		m := message{sendSeq: *a.Seq, number: schema.NoValue, series: a.Series}
		if a.Number != nil {
			m.number = *a.Number
		}
		n.skipped[m] = true
	}
}

// addMessages takes messages, in any order. Those that are inferred and not in the trace name no event.
func (n *naming) addMessages(m *schema.Messages) {
	for i := range m.SendSeq {
		id := message{m.SendSeq[i], m.MessageID[i], m.Names.Series.Name(m.Series[i])}
		// A message that the ingest inferred is no message of the trace: MIDS does not know it.
		if m.Pattern[i] == schema.Inferred || len(n.skipped) > 0 && n.skipped[id] {
			continue
		}
		pattern := m.Pattern[i]
		if pattern == schema.Wakeup { // MIDS knows no threads
			pattern = schema.Trigger
		}
		n.links = append(n.links,
			link{m.SendSeq[i], m.ReceiveSeq[i], -1, -1, true, pattern}, link{m.ReceiveSeq[i], m.SendSeq[i], -1, -1, false, pattern})
	}
}

// surveyEnds finds the ends of messages among events, once all messages are in.
func (n *naming) surveyEnds(ev *schema.Events) {
	if !slices.IsSortedFunc(n.links, bySeq) {
		slices.SortStableFunc(n.links, bySeq)
	}
	c := cursor{links: n.links}
	for i, seq := range ev.Seq {
		if ev.Kind[i] > schema.Exit {
			continue
		}
		at := int32(-1)
		if l := c.at(seq); l != nil {
			l.own = n.endOf(ev, i)
			at = int32(c.next)
		}
		n.trackCalls(ev, i, at)
	}
}

// resolveLinks gives every link its other end, once all events were surveyed. A message with an end that
// is not among the events is treated as absent.
func (n *naming) resolveLinks() {
	n.resolved = true
	// 1. The name of an event has room for one message.
	for i := 1; i < len(n.links); i++ {
		if n.links[i-1].seq == n.links[i].seq {
			n.failOnce("event %d has more than one message, and a name has room for one", n.links[i].seq)
		}
	}
	// 2. Executions without a type get the one that their messages imply, which changes the ends of their events.
	n.inferTypes()
	// 3. Each link learns the end of its partner. The links are sorted by seq again, so that a search finds it.
	for i := range n.links {
		l := &n.links[i]
		if at, found := slices.BinarySearchFunc(n.links, link{seq: l.partner}, bySeq); found {
			l.other = n.links[at].own
		}
	}
}

// failOnce keeps the first error.
func (n *naming) failOnce(format string, args ...any) {
	if n.err == nil {
		n.err = fmt.Errorf(format, args...)
	}
}

// endOf numbers what the name of an event depends on.
func (n *naming) endOf(ev *schema.Events, i int) int32 {
	e := end{executor: ev.Lifeline[i], function: ev.Function[i], kind: ev.Kind[i]}
	if n.opt.ByComponent {
		e.executor = ev.Component[i]
	}
	// The codes of types are those of the trace; each is looked up in Types once.
	if c := ev.ExecutionType[i]; c != schema.NoCode {
		n.types = schema.GrowTo(n.types, n.names.Types.Len())
		if n.types[c] == 0 {
			n.types[c] = n.typeOf(n.names.Types.Name(c), ev.Seq[i])
		}
		e.typ = n.types[c]
	}
	return int32(n.ends.Number(e))
}

// typeOf returns the position in Types, plus one, of an execution type of the trace.
func (n *naming) typeOf(typ string, seq int64) uint8 {
	number := typeNumber(typ)
	if number == 0 {
		n.failOnce("event %d: execution type %q is none of %v", seq, typ, Types)
		return unknown
	}
	return number
}

// bySeq orders links by event.
func bySeq(a, b link) int { return cmp.Compare(a.seq, b.seq) }

// cursor finds the links of events that come by ascending seq, in amortised constant time.
type cursor struct {
	links []link
	next  int
	begun bool
}

// at returns the link of an event, or nil.
func (c *cursor) at(seq int64) *link {
	if !c.begun {
		c.next, _ = slices.BinarySearchFunc(c.links, link{seq: seq}, bySeq)
		c.begun = true
	}
	// Each link is passed once per batch.
	for c.next < len(c.links) && c.links[c.next].seq < seq {
		c.next++
	}
	if c.next < len(c.links) && c.links[c.next].seq == seq {
		return &c.links[c.next]
	}
	return nil
}
