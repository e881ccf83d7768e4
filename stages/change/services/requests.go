package services

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Span is an execution as a part of its request.
type Span struct {
	Component, Function schema.Code
	StartNs, FinishNs   int64
	Parent              int32 // position of what called it among the spans of the request; -1 for the root
	Failed              bool  // the trace says that it ended with an error
}

// Request is a root with all that it calls, directly or through messages. Callers stand before those that they call, and the
// calls of one caller in the order of their starts.
type Request struct {
	Run   int32  // number that the run was given
	Root  int64  // the i-th execution of its function on its component, from 1
	Seq   int64  // execution of the root, see schema.Executions
	Spans []Span // the root first
}

// DurationNs is the time from the start of a request to the end of its root.
func (r *Request) DurationNs() int64 { return r.Spans[0].FinishNs - r.Spans[0].StartNs }

// Collector puts the executions and messages of one run together to requests. Both are added first, in any order. It takes
// some 80 bytes an execution and 24 a message.
type Collector struct {
	spans    []located
	arrivals []arrival
	failed   []int64 // executions that ended with an error
	order    []int32 // by lifeline, then by start: positions among spans
}

// located is an execution with what ties it to others.
type located struct {
	Span
	start, finish int64       // sequence numbers of its ends
	caller        int64       // start of its caller on the lifeline; schema.NoValue for none
	number        int64       // the i-th execution of its function on its component
	lifeline      schema.Code // where it ran
	mark          bool        // it stands for a message of its caller
}

// arrival is a message that may start an execution.
type arrival struct {
	sent, received int64
	from           schema.Code // lifeline of the sender
}

// ExecutionColumns and MessageColumns are the columns that a Collector reads.
var (
	ExecutionColumns = []string{"execution", "component", "lifeline", "function", "number", "start_ns", "finish_ns", "duration_ns", "parent", "finish_seq", "role"}
	MessageColumns   = []string{"send_seq", "receive_seq", "sender_lifeline"}
)

// AddExecutions adds executions. All of a collector share their names.
func (c *Collector) AddExecutions(x *schema.Executions) {
	for i, start := range x.Execution {
		c.spans = append(c.spans, located{
			Span:  Span{Component: x.Component[i], Function: x.Function[i], StartNs: x.StartNs[i], FinishNs: x.FinishNs[i], Parent: -1},
			start: start, finish: x.FinishSeq[i], caller: x.Parent[i], number: x.Number[i], lifeline: x.Lifeline[i],
			mark: isMark(x, i),
		})
	}
}

// isMark reports whether an execution is there only to carry a message that its caller sent or received in its midst: it takes
// no time, nothing happens in it, and it does no more than send or receive.
func isMark(x *schema.Executions, i int) bool {
	return x.DurationNs[i] == 0 && x.FinishSeq[i] == x.Execution[i]+1 && x.Parent[i] != schema.NoValue &&
		(x.Role[i] == schema.Request || x.Role[i] == schema.TriggerHandle)
}

// AddMessages adds messages. They have the names of the executions.
func (c *Collector) AddMessages(m *schema.Messages) {
	for i, sent := range m.SendSeq {
		c.arrivals = append(c.arrivals, arrival{sent, m.ReceiveSeq[i], m.SenderLifeline[i]})
	}
}

// AddFailure adds that an execution ended with an error.
func (c *Collector) AddFailure(execution int64) { c.failed = append(c.failed, execution) }

// Requests returns the requests in the order of their starts.
func (c *Collector) Requests(run int32) []Request {
	slices.SortFunc(c.spans, func(a, b located) int { return cmp.Compare(a.start, b.start) })
	slices.SortFunc(c.arrivals, func(a, b arrival) int { return cmp.Compare(a.received, b.received) })
	for _, execution := range c.failed {
		if i := c.at(execution); i >= 0 {
			c.spans[i].Failed = true
		}
	}
	c.indexLifelines()
	// A caller starts before what it calls, so that one walk finds the root of every execution and its place in the request.
	root, place := make([]int32, len(c.spans)), make([]int32, len(c.spans))
	var requests []Request
	for i := range c.spans {
		s := &c.spans[i]
		caller := c.callerOf(s)
		if caller < 0 {
			root[i] = int32(len(requests))
			requests = append(requests, Request{Run: run, Root: s.number, Seq: s.start, Spans: []Span{s.Span}})
			continue
		}
		if s.mark {
			root[i], place[i] = root[caller], place[caller]
			continue
		}
		r := &requests[root[caller]]
		root[i], place[i], s.Parent = root[caller], int32(len(r.Spans)), place[caller]
		r.Spans = append(r.Spans, s.Span)
	}
	return requests
}

// indexLifelines sorts the executions by lifeline, and within a lifeline by start.
func (c *Collector) indexLifelines() {
	c.order = make([]int32, len(c.spans))
	for i := range c.order {
		c.order[i] = int32(i)
	}
	slices.SortStableFunc(c.order, func(a, b int32) int { return cmp.Compare(c.spans[a].lifeline, c.spans[b].lifeline) })
}

// callerOf returns the position of the execution that called s, or -1: its caller on the lifeline, or else the innermost
// execution that was open where the message that started s was sent.
func (c *Collector) callerOf(s *located) int {
	if s.caller != schema.NoValue {
		return c.at(s.caller)
	}
	i, found := slices.BinarySearchFunc(c.arrivals, s.start, func(a arrival, seq int64) int { return cmp.Compare(a.received, seq) })
	if !found {
		return -1
	}
	return c.openAt(c.arrivals[i].from, min(c.arrivals[i].sent, s.start-1))
}

// at returns the position of the execution with a start, or -1.
func (c *Collector) at(start int64) int {
	i, found := slices.BinarySearchFunc(c.spans, start, func(s located, seq int64) int { return cmp.Compare(s.start, seq) })
	if !found {
		return -1
	}
	return i
}

// openAt returns the position of the innermost execution that is open on a lifeline at an event, its ends included, or -1.
func (c *Collector) openAt(lifeline schema.Code, seq int64) int {
	i, found := slices.BinarySearchFunc(c.order, seq, func(k int32, seq int64) int {
		s := &c.spans[k]
		return cmp.Or(cmp.Compare(s.lifeline, lifeline), cmp.Compare(s.start, seq))
	})
	if !found {
		i-- // the last one that starts before
	}
	if i < 0 || c.spans[c.order[i]].lifeline != lifeline {
		return -1
	}
	at := int(c.order[i])
	for at >= 0 && c.spans[at].finish < seq {
		if c.spans[at].caller == schema.NoValue {
			return -1
		}
		at = c.at(c.spans[at].caller)
	}
	return at
}
