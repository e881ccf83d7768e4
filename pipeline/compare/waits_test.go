package compare

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// Only a blocking call, which sends and has its reply, is a function in which a component does nothing but wait,
// and only where the component has no function of that name itself.
func TestWaits(t *testing.T) {
	step := func(component, function, kind, direction string) schema.Transition {
		return schema.Transition{Component: component, Function: function, Kind: kind, Direction: direction}
	}
	got := waits(map[string][]schema.Transition{
		"a.f": {
			step("a", "f", "enter", ""), step("a", "call", "enter", "send"), step("a", "call", "exit", "receive"), step("a", "f", "exit", ""),
			step("a", "request", "enter", "send"), step("a", "request", "exit", ""), step("a", "wait", "enter", ""), step("a", "wait", "exit", "receive"),
			step("a", "both", "enter", "send"), step("a", "both", "exit", "receive"),
		},
		"a.both from b":  {step("a", "both", "enter", "receive"), step("a", "both", "exit", "send")},
		"b.call from a":  {step("b", "call", "enter", "receive"), step("b", "call", "exit", "send")},
		"b.again from a": {step("b", "both", "enter", "send"), step("b", "both", "exit", "receive")},
	})
	if len(got) != 2 || !got[callee{"a", "call"}] || !got[callee{"b", "both"}] {
		t.Errorf("waits: %v", got)
	}
}
