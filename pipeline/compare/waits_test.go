package compare

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// Only a blocking call, which sends and has its reply, is a function in which a component does nothing but wait,
// and only where the component has no function of that name itself.
func TestWaits(t *testing.T) {
	w := newWaiting()
	step := func(component, function string, kind, direction uint8) {
		w.add(callee{component, function}, kind, direction)
	}
	step("a", "f", schema.Enter, schema.NoMessage)
	step("a", "call", schema.Enter, schema.Send)
	step("a", "call", schema.Exit, schema.Receive)
	step("a", "f", schema.Exit, schema.NoMessage)
	step("a", "request", schema.Enter, schema.Send)
	step("a", "request", schema.Exit, schema.NoMessage)
	step("a", "wait", schema.Enter, schema.NoMessage)
	step("a", "wait", schema.Exit, schema.Receive)
	step("a", "both", schema.Enter, schema.Send)
	step("a", "both", schema.Exit, schema.Receive)
	step("a", "both", schema.Enter, schema.Receive) // of another fragment: a runs both itself
	step("a", "both", schema.Exit, schema.Send)
	step("b", "call", schema.Enter, schema.Receive)
	step("b", "call", schema.Exit, schema.Send)
	step("b", "both", schema.Enter, schema.Send)
	step("b", "both", schema.Exit, schema.Receive)
	if got := w.only(); len(got) != 2 || !got[callee{"a", "call"}] || !got[callee{"b", "both"}] {
		t.Errorf("waits: %v", got)
	}
}
