package samplechanges

import (
	"cmp"

	"github.com/tracelake/tracelake/schema"
)

// Call is a call of another component, as the caller has it.
type Call struct {
	Component, Function string // of the caller
	Peer                string // the component that is called
}

// Receivers are the functions that receive calls, where the callee has another name for a call than the caller: of a span that
// calls and one that serves, each is named by its own side. A call that is not among them has one name.
type Receivers map[Call]string

// Awaited says for every transition of a fragment's automaton whom the component waits for in the time
// before it: "component.function", or "" where it is its own time. It waits in the time before a
// receive, and between the start and the finish of a blocking call (an enter that sends whose exit
// receives), whatever other events come in between: then it is called back, and waits for the call all the same.
// What is awaited is the function that received the call.
func Awaited(transitions []schema.Transition, receivers Receivers) []string {
	awaited := make([]string, len(transitions))
	for i, c := range openCalls(transitions) {
		awaited[i] = receivers.whom(&transitions[i], c)
	}
	return awaited
}

// Running says for every transition of a fragment's automaton which function runs in the time before it: that
// of the innermost open call, or "" where none is open, as before the first event.
func Running(transitions []schema.Transition) []string {
	running := make([]string, len(transitions))
	for i, c := range openCalls(transitions) {
		if c != nil {
			running[i] = c.enter.Function
		}
	}
	return running
}

// openCalls are the innermost calls open before every transition.
//
// The transitions are in the order of their numbers, breadth-first, so that the calls open in a state are
// known before the transitions that leave it. They are the same on all ways to the state, as words nest.
func openCalls(transitions []schema.Transition) []*openCall {
	open := map[int64]*openCall{0: nil} // by state
	calls := make([]*openCall, len(transitions))
	for i := range transitions {
		t := &transitions[i]
		calls[i] = open[t.Source]
		after := calls[i].step(t)
		if _, known := open[t.Target]; !known && t.Target != 0 {
			open[t.Target] = after
		}
	}
	return calls
}

// openCall is the innermost open call of a state.
type openCall struct {
	enter    *schema.Transition
	outer    *openCall
	blocking bool
}

// step is the innermost open call after a transition.
func (c *openCall) step(t *schema.Transition) *openCall {
	switch t.Kind {
	case schema.KindWords[schema.Enter]:
		return &openCall{enter: t, outer: c}
	case schema.KindWords[schema.Message]:
		return c
	}
	for o := c; o != nil; o = o.outer {
		if o.enter.Function == t.Function {
			sends := o.enter.Direction == schema.DirectionWords[schema.Send]
			o.blocking = o.blocking || sends && t.Direction == schema.DirectionWords[schema.Receive]
			return o.outer
		}
	}
	return c
}

// whom names the function that a component waits for before a transition, within the innermost call.
func (r Receivers) whom(t *schema.Transition, c *openCall) string {
	switch {
	case c != nil && c.blocking:
		return c.enter.Peer + "." + cmp.Or(r[Call{t.Component, c.enter.Function, c.enter.Peer}], c.enter.Function)
	case t.Direction == schema.DirectionWords[schema.Receive]:
		return t.Peer + "." + t.Function
	}
	return ""
}
