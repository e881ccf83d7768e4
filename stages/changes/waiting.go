package changes

import "github.com/tracelake/tracelake/schema"

// Awaited says for every transition of a fragment's automaton whom the component waits for in the time
// before it: "component.function", or "" where it is its own time. It waits in the time before a
// receive, and between the start and the finish of a blocking call (an enter that sends whose exit
// receives), whatever other events come in between: then it is called back.
//
// The transitions are in the order of their numbers, breadth-first, so that the calls open in a state are
// known before the transitions that leave it. They are the same on all ways to the state, as words nest.
func Awaited(transitions []schema.Transition) []string {
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
	awaited := make([]string, len(transitions))
	for i := range transitions {
		awaited[i] = whom(&transitions[i], calls[i])
	}
	return awaited
}

// openCall is the innermost open call of a state.
type openCall struct {
	enter    *schema.Transition
	outer    *openCall
	blocking bool
}

// step is the innermost open call after a transition.
func (c *openCall) step(t *schema.Transition) *openCall {
	if t.Kind == schema.KindWords[schema.Enter] {
		return &openCall{enter: t, outer: c}
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

func whom(t *schema.Transition, c *openCall) string {
	switch {
	case t.Direction == schema.DirectionWords[schema.Receive]:
		return t.Peer + "." + t.Function
	case c != nil && c.blocking:
		return c.enter.Peer + "." + c.enter.Function
	}
	return ""
}
