package relocations

import (
	"fmt"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// call is a call of a function by a component.
func call(component, function, caller string) Call {
	return Call{Function{component, function}, caller}
}

// TestWhereCallsMoved checks that a call that is known to have moved says what became of it, and that nothing else is said of it.
func TestWhereCallsMoved(t *testing.T) {
	var m Moves
	m.AddFunction(Function{"old", "f"}, Function{"other", "f"})
	m.AddFunction(Function{"old", "f"}, Function{"new", "f"}) // as the last one says
	m.AddCall(call("lib", "h", "a"), call("lib", "h", "b"))
	for _, c := range []struct {
		of   Call
		want string
	}{
		{call("lib", "h", "a"), "[{{lib h} b}]"},
		{call("lib", "h", "c"), "[]"},
		{call("old", "f", "old"), "[{{new f} old} {{new f} new} {{new f} other}]"},
		{call("lib", "k", "old"), "[{{lib k} new} {{lib k} other}]"},
	} {
		expect.Equal(t, fmt.Sprint(m.of(c.of)), c.want, "%v", c.of)
	}
}

// step is a step of a fragment that a call starts.
func step(form, component, function, peer string, within Call) Place {
	return Place{Level: schema.LevelTransition, Form: form, Function: Function{component, function}, Peer: peer, Within: within}
}

// TestPairs checks that places are one by the names of their functions, of their peers and of their fragments, and by all of these at once, that steps at one
// place are paired in their order, and that what may be one of two, or is one of more than there are, stays what it is.
func TestPairs(t *testing.T) {
	var m Moves
	m.AddFunction(Function{"old", "f"}, Function{"new", "g"})
	main := call("web", "main", "")
	vanished := []Place{
		step("enter", "lib", "k", "", call("lib", "k", "old")),       // 0: its fragment has another caller
		step("enter send to", "web", "f", "old", main),               // 1: its function and its peer are others
		step("enter send to", "web", "f", "old", main),               // 2: once more
		step("exit", "old", "f", "", call("old", "f", "old")),        // 3: all are
		step("exit receive from", "web", "f", "old", main),           // 4: there are two of it
		step("enter", "web", "f", "", main),                          // 5: nothing of it moved
		step("enter", "lib", "h", "old", call("lib", "h", "old")),    // 6: it may be either
		{Level: schema.LevelMessage, Function: Function{"old", "f"}}, // 7: its metric is another
	}
	appeared := []Place{
		step("exit", "new", "g", "", call("new", "g", "new")),
		step("enter send to", "web", "g", "new", main),
		step("enter", "lib", "k", "", call("lib", "k", "new")),
		step("enter send to", "web", "g", "new", main),
		step("exit receive from", "web", "g", "new", main),
		step("exit receive from", "web", "g", "new", main),
		step("enter", "web", "g", "", main),
		step("enter", "lib", "h", "new", call("lib", "h", "old")), step("enter", "lib", "h", "new", call("lib", "h", "new")),
		{Level: schema.LevelMessage, Metric: schema.Transit, Function: Function{"new", "g"}},
	}
	expect.Slice(t, m.Pairs(vanished, appeared), []Pair{{3, 0}, {1, 1}, {2, 3}, {0, 2}}, "pairs")
	expect.Slice(t, new(Moves).Pairs(vanished, vanished), nil, "where nothing moved")
}
