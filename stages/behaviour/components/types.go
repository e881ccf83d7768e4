package components

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Execution types where the trace has none. An execution has the type that its messages imply, the one at its start before
// the one at its finish, by their patterns (schema.Pattern):
//
//	                at the start           at the finish
//	trigger         trig sends, trigh receives
//	blocking        blk sends, sync or async receives
//	  its reply     arslt sends            blk receives
//	nonblocking     req sends, sync or async receives
//	  its reply     arslt sends            wait receives
//	callback        fcn sends, sync or async receives
//	  its reply     arslt sends, fcncb receives
//
// What receives a request is sync where it sends a reply at its finish. All others are unknown.

// unknown is the position of "unkn" in Types, plus one.
var unknown = typeNumber("unkn")

// typeNumber returns the position of a type in Types, plus one; 0 if there is none.
func typeNumber(typ string) uint8 { return uint8(slices.Index(Types, typ) + 1) }

// sentTypes and receivedTypes are those of the executions at the ends of messages, by pattern; handledLater where the reply
// decides.
var (
	sentTypes     = []string{"trig", "blk", "req", "fcn", "arslt", "arslt", "arslt"}
	receivedTypes = []string{"trigh", handledLater, handledLater, handledLater, "blk", "wait", "fcncb"}
)

// handledLater marks receipts whose type depends on whether a reply is sent.
// It is no type of MIDS, so that it can never come out.
const handledLater = "handled"

// execution is an execution with a message at its start or its finish.
type execution struct {
	startSeq, finishSeq int64
	start, finish       int32 // links of the messages at its start and at its finish, or -1
	at                  end   // end at its finish
}

// openCall is a call that has not ended.
type openCall struct {
	seq  int64
	link int32 // of its start, or -1
}

// callStack is that of a lifeline while events are surveyed.
type callStack = callstack.Stack[openCall]

// trackCalls follows the calls of a lifeline and keeps the executions with messages and without a type.
// link is that of the event, or -1.
func (n *naming) trackCalls(ev *schema.Events, i int, link int32) {
	n.stacks = schema.GrowTo(n.stacks, n.names.Lifelines.Len())
	stack := &n.stacks[ev.Lifeline[i]]
	if ev.Kind[i] == schema.Enter {
		*stack.Enter(ev.Function[i]) = openCall{ev.Seq[i], link}
		return
	}
	call, _ := stack.Exit(ev.Function[i])
	// An execution without a message at either end implies no type, and one with a type needs none.
	if call == nil || call.link < 0 && link < 0 || ev.ExecutionType[i] != schema.NoCode {
		return
	}
	n.executions = append(n.executions, execution{call.seq, ev.Seq[i], call.link, link, n.ends.List[n.endOf(ev, i)]})
}

// inferTypes gives the events of executions without a type the one that their messages imply. Events
// without a link get one.
func (n *naming) inferTypes() {
	// The two events of the execution change their ends: the type is part of a name.
	for i := range n.executions {
		x := &n.executions[i]
		typ := n.inferredType(x)
		start, finish := x.at, x.at
		start.kind, start.typ, finish.typ = schema.Enter, typ, typ
		n.setEnd(x.start, x.startSeq, int32(n.ends.Number(start)))
		n.setEnd(x.finish, x.finishSeq, int32(n.ends.Number(finish)))
	}
	n.executions, n.stacks = nil, nil
	slices.SortStableFunc(n.links, bySeq)
}

// setEnd gives the event of a link another end, or adds a link.
func (n *naming) setEnd(at int32, seq int64, own int32) {
	if at < 0 {
		n.links = append(n.links, link{seq: seq, partner: schema.NoValue, own: own, other: -1})
		return
	}
	n.links[at].own = own
}

// inferredType returns the type that the messages of an execution imply.
func (n *naming) inferredType(x *execution) uint8 {
	// The message at the start decides, and only without one that at the finish.
	l, reply := x.start, x.finish
	if l < 0 {
		l, reply = x.finish, -1
	}
	typ := ""
	switch link := &n.links[l]; {
	case link.sends:
		typ = sentTypes[link.pattern]
	case receivedTypes[link.pattern] != handledLater:
		typ = receivedTypes[link.pattern]
	case reply >= 0 && n.links[reply].sends && n.links[reply].pattern >= schema.BlockingReply:
		typ = "sync"
	default:
		typ = "async"
	}
	return typeNumber(typ)
}
