package samplechanges_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestAwaited plays the traces of testdata. A wanted file "awaited FRAGMENT" has the step and for whom it waits, one line per
// transition of the fragment; "running FRAGMENT" has the function that runs in the time before the step.
func TestAwaited(t *testing.T) {
	storytest.Play(t, 1, func(t *testing.T, files []txtar.File, want string) string {
		question, fragment, _ := strings.Cut(want, " ")
		transitions := learn(t, strings.TrimSpace(string(files[0].Data))).transitions(fragment)
		answers := samplechanges.Awaited(transitions, nil)
		if question == "running" {
			answers = samplechanges.Running(transitions)
		}
		var lines strings.Builder
		for i, answer := range answers {
			lines.WriteString(strings.TrimSpace(label(&transitions[i])+": "+answer) + "\n")
		}
		return lines.String()
	})
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
	expect.Slice(t, samplechanges.Running(list), []string{"", "l", "f", "f", "g", "f", "l"}, "running")
	expect.Slice(t, samplechanges.Awaited(list, nil), []string{"", "", "b.f", "b.f", "", "b.f", ""}, "awaited")
}

// A call is known by its own name on either side. What is awaited has the name of the side that received it.
func TestAwaitedIsTheFunctionThatReceivedTheCall(t *testing.T) {
	step := func(n int64, kind, function, direction, peer string) schema.Transition {
		return schema.Transition{
			Fragment: "a.f", Transition: n, Component: "a", Source: n, Target: n + 1, Kind: kind, Function: function, Direction: direction, Peer: peer,
		}
	}
	list := []schema.Transition{
		step(0, "enter", "call b", "send", "b"), step(1, "enter", "back", "receive", "b"), step(2, "exit", "back", "send", "b"),
		step(3, "exit", "call b", "receive", "b"), step(4, "enter", "call b", "send", "c"), step(5, "exit", "call b", "receive", "c"),
	}
	receivers := samplechanges.Receivers{{Component: "a", Function: "call b", Peer: "b"}: "serve", {Component: "x", Function: "call b", Peer: "c"}: "other"}
	expect.Slice(t, samplechanges.Awaited(list, receivers), []string{"", "b.serve", "", "b.serve", "", "c.call b"}, "awaited")
}
