package samplechanges_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
)

// awaitedCase is a trace and whom each step of one component's fragment waits for.
type awaitedCase struct {
	name, fragment, trace string
	want                  []string // "step: whom"
}

var awaitedCases = []awaitedCase{
	{"a blocking call waits for its callee, its handler for nobody", "E1.f to E2", `
1.0 E1 > f !m1
1.1 E2 > f ?m1
1.2 E2 < f !r1
1.3 E1 < f ?r1
`, []string{"enter f send E2: ", "exit f receive E2: E2.f"}},
	{"the handler", "E2.f from E1", `
1.0 E1 > f !m1
1.1 E2 > f ?m1
1.2 E2 < f !r1
1.3 E1 < f ?r1
`, []string{"enter f receive E1: E1.f", "exit f send E1: "}},
	{"a blocking call with events in between waits before them and after them, not in them", "E1.f to E2", `
1.0 E1 > f !m1
1.1 E2 > f ?m1
1.2 E2 > cb !m2
1.3 E1 > cb ?m2
1.4 E1 > work
1.5 E1 < work
1.6 E1 < cb !r2
1.7 E2 < cb ?r2
1.8 E1 > idle
1.9 E1 < idle
2.0 E2 < f !r1
2.1 E1 < f ?r1
`, []string{
		"enter f send E2: ", "enter cb receive E2: E2.f", "enter work: ", "exit work: ", "exit cb send E2: ",
		"enter idle: E2.f", "exit idle: ", "exit f receive E2: E2.f",
	}},
	{"a request is own time, and so is what comes until the wait", "E1.l", `
1.0 E1 > l
1.1 E1 > f !m1
1.2 E2 > f ?m1
1.3 E1 < f
1.4 E1 > work
1.5 E1 < work
1.6 E1 > w
1.7 E2 < f !r1
1.8 E1 < w ?r1
1.9 E1 < l
`, []string{
		"enter l: ", "enter f send E2: ", "exit f: ", "enter work: ", "exit work: ", "enter w: ",
		"exit w receive E2: E2.w", "exit l: ",
	}},
	{"a wait is none but for its own end: it sent nothing", "E1.w", `
1.0 E2 > f !m1
1.1 E1 > w
1.2 E1 > work
1.3 E1 < work
1.4 E1 < w ?m1
1.5 E2 < f
`, []string{"enter w: ", "enter work: ", "exit work: ", "exit w receive E2: E2.w"}},
	{"a blocking call in a blocking call", "E1.f to E2", `
1.0 E1 > f !m1
1.1 E2 > f ?m1
1.2 E2 > g !m2
1.3 E1 > g ?m2
1.4 E1 > h !m3
1.5 E3 > h ?m3
1.6 E3 < h !r3
1.7 E1 < h ?r3
1.8 E1 < g !r2
1.9 E2 < g ?r2
2.0 E2 < f !r1
2.1 E1 < f ?r1
`, []string{
		"enter f send E2: ", "enter g receive E2: E2.f", "enter h send E3: ", "exit h receive E3: E3.h", "exit g send E2: ",
		"exit f receive E2: E2.f",
	}},
}

func TestAwaited(t *testing.T) {
	for _, c := range awaitedCases {
		transitions := learn(t, strings.TrimSpace(c.trace)).transitions(c.fragment)
		var got []string
		for i, whom := range samplechanges.Awaited(transitions) {
			got = append(got, label(&transitions[i])+": "+whom)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// runningCases are traces and the function that runs in the time before each step.
var runningCases = []awaitedCase{
	{"calls within calls", "E1.l", `
1.0 E1 > l
1.1 E1 > work
1.2 E1 > f !m1
1.3 E2 > f ?m1
1.4 E2 < f !r1
1.5 E1 < f ?r1
1.6 E1 < work
1.7 E1 < l
`, []string{"enter l: ", "enter work: l", "enter f send E2: work", "exit f receive E2: f", "exit work: work", "exit l: l"}},
	{"a handler", "E2.f from E1", `
1.0 E1 > f !m1
1.1 E2 > f ?m1
1.2 E2 > work
1.3 E2 < work
1.4 E2 < f !r1
1.5 E1 < f ?r1
`, []string{"enter f receive E1: ", "enter work: f", "exit work: work", "exit f send E1: f"}},
}

func TestRunning(t *testing.T) {
	for _, c := range runningCases {
		transitions := learn(t, strings.TrimSpace(c.trace)).transitions(c.fragment)
		var got []string
		for i, function := range samplechanges.Running(transitions) {
			got = append(got, label(&transitions[i])+": "+function)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A further message of an event leaves the calls that are open as they are.
func TestFurtherMessagesOpenAndCloseNothing(t *testing.T) {
	step := func(n int64, kind, function, direction string) schema.Transition {
		return schema.Transition{
			Fragment: "a.f", Transition: n, Component: "a", Source: n, Target: n + 1, Kind: kind, Function: function, Direction: direction, Peer: "b",
		}
	}
	list := []schema.Transition{
		step(0, "enter", "l", ""), step(1, "enter", "f", "send"), step(2, "message", "f", "send"), step(3, "enter", "g", ""), step(4, "exit", "g", ""),
		step(5, "exit", "f", "receive"), step(6, "exit", "l", ""),
	}
	if got, want := samplechanges.Running(list), []string{"", "l", "f", "f", "g", "f", "l"}; !slices.Equal(got, want) {
		t.Errorf("running: %q, want %q", got, want)
	}
	if got, want := samplechanges.Awaited(list), []string{"", "", "b.f", "b.f", "", "b.f", ""}; !slices.Equal(got, want) {
		t.Errorf("awaited: %q, want %q", got, want)
	}
}
