package criticalpath_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// calls are executions on some lifelines, as the oracle of call paths sees them.
type calls struct {
	names      schema.Names
	executions *schema.Executions
	last       int64                   // last event
	into       map[int64][]window.Edge // messages and steps of lifelines, by target
	receivedAt map[int64]int64         // the event that receives what another one sends
	byFirst    map[int64]int           // executions
	byFinish   map[int64]int
}

// randomCalls makes executions that are nested on lifelines. What some root executions send when they finish is received where a blocking
// call of another lifeline ends, which began before or after them.
func randomCalls(rng *rand.Rand, events int) *calls {
	c := &calls{last: int64(events) - 1, into: make(map[int64][]window.Edge), receivedAt: make(map[int64]int64), byFirst: make(map[int64]int), byFinish: make(map[int64]int)}
	c.executions = schema.NewExecutions(&c.names)
	type open struct {
		first               int64
		component, function string
		role                schema.Role
	}
	const lifelines = 4
	stacks, before := make([][]open, lifelines), make([]int64, lifelines)
	for i := range before {
		before[i] = -1
	}
	type root struct {
		lifeline int
		finish   int64
	}
	var unanswered []root // root executions whose reply nobody has received
	for at := range int64(events) {
		l := rng.Intn(lifelines)
		if before[l] >= 0 {
			c.into[at] = append(c.into[at], window.Edge{Source: before[l], TargetNs: 10 * at, DurationNs: 10 * (at - before[l])})
		}
		before[l] = at
		stack := stacks[l]
		switch {
		case len(stack) < 4 && rng.Intn(9) > 4+len(stack):
			role := []schema.Role{schema.BlockingCall, schema.Role(0)}[rng.Intn(2)]
			stacks[l] = append(stack, open{at, fmt.Sprint("c", l%3), fmt.Sprint("f", rng.Intn(3)), role})
		case len(stack) > 0 && rng.Intn(5) > 0:
			o := stack[len(stack)-1]
			stacks[l] = stack[:len(stack)-1]
			parent := schema.NoValue
			if len(stack) > 1 {
				parent = stack[len(stack)-2].first
			}
			c.finish(o.first, at, parent, o.component, o.function, o.role)
			// A message into a call that does not block, and one from a later event, are no replies.
			if i := slices.IndexFunc(unanswered, func(r root) bool { return r.lifeline != l }); i >= 0 && rng.Intn(3) > 0 {
				sent := unanswered[i].finish
				unanswered = slices.Delete(unanswered, i, i+1)
				c.into[at] = append(c.into[at], window.Edge{Source: sent, TargetNs: 10 * at, DurationNs: 10 * (at - sent), Flags: window.Message})
				c.receivedAt[sent] = at
			}
			if parent == schema.NoValue {
				unanswered = append(unanswered, root{l, at})
			}
		}
	}
	return c
}

func (c *calls) finish(first, finish, parent int64, component, function string, role schema.Role) {
	x := c.executions
	c.byFirst[first], c.byFinish[finish] = len(x.Execution), len(x.Execution)
	x.Execution, x.FinishSeq, x.Parent, x.Role = append(x.Execution, first), append(x.FinishSeq, finish), append(x.Parent, parent), append(x.Role, role)
	x.Component, x.Function = append(x.Component, c.names.Components.Code(component)), append(x.Function, c.names.Functions.Code(function))
}

// path is the call path of an execution in words, by definition: the path of its caller, which is what is open below it, or the blocking
// call that receives its reply and began before it, and its function.
func (c *calls) path(i int) string {
	x := c.executions
	own := c.names.Components.Name(x.Component[i]) + "." + c.names.Functions.Name(x.Function[i])
	if x.Parent[i] != schema.NoValue {
		if caller, known := c.byFirst[x.Parent[i]]; known { // the caller may be open at the end of the trace
			return c.path(caller) + " " + own
		}
		return own
	}
	if call, is := c.blocking(i); is {
		return c.path(call) + " " + own
	}
	return own
}

// blocking is the blocking call that receives the reply of an execution and began before it.
func (c *calls) blocking(i int) (call int, is bool) {
	x := c.executions
	if at, received := c.receivedAt[x.FinishSeq[i]]; received {
		call = c.byFinish[at]
		return call, x.Role[call] == schema.BlockingCall && x.Execution[call] < x.Execution[i]
	}
	return 0, false
}

// at is the call path of a step towards an event.
func (c *calls) at(event int64, message bool) string {
	if i, finishes := c.byFinish[event]; finishes {
		return c.path(i)
	}
	i, begins := c.byFirst[event]
	if !begins {
		return ""
	}
	path := c.path(i)
	if !message {
		path = path[:max(strings.LastIndex(path, " "), 0)]
	}
	return path
}

// TestCallPaths compares the call paths of all steps of random calls with their definition, in windows cut at random with gaps between them,
// and the paths of two halves, merged, with those of the whole.
func TestCallPaths(t *testing.T) {
	deepest, across := 0, 0
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		c := randomCalls(rng, 20+rng.Intn(200))
		codes := new(schema.Dictionary)
		paths := criticalpath.NewCallPaths(&c.names, codes)
		x := c.executions
		got := make(map[string]string) // number by path in words
		hi := c.last + 1
		asked := make(map[int64]bool) // executions that were added
		for hi > 0 {
			lo := max(0, hi-1-rng.Int63n(40))
			paths.Enter(lo, hi)
			for _, i := range rng.Perm(len(x.Execution)) { // in any order
				if x.FinishSeq[i] >= lo && x.Execution[i] < hi && !asked[x.Execution[i]] {
					paths.Add(x, i)
					asked[x.Execution[i]] = true
				}
			}
			w := &window.Window{Lo: lo, Hi: hi, First: []uint32{0}}
			for at := lo; at < hi; at++ {
				w.Edges = append(w.Edges, c.into[at]...)
				w.First = append(w.First, uint32(len(w.Edges)))
			}
			paths.Resolve(w)
			for at := lo; at < hi; at++ {
				for _, message := range []bool{false, true} {
					if code := paths.Of(&criticalpath.Step{Target: at, Message: message, Idle: true}); code != schema.NoCode {
						t.Fatalf("seed %d: a rest towards %d has the path %d", seed, at, code)
					}
					name := ""
					if code := paths.Of(&criticalpath.Step{Target: at, Message: message}); code != schema.NoCode {
						name = codes.Name(code)
					}
					words := c.at(at, message)
					if other, known := got[words]; known && other != name {
						t.Fatalf("seed %d: %q towards %d has the number %s, and had %s", seed, words, at, name, other)
					}
					got[words] = name
					deepest = max(deepest, strings.Count(words, " "))
				}
			}
			hi = lo
			if rng.Intn(3) == 0 && hi > 0 {
				hi -= rng.Int63n(min(hi, 30)) // a gap
				c.passGap(paths, hi, asked)
			}
		}
		rows := schema.NewCallPaths(&schema.Names{Components: c.names.Components, Functions: c.names.Functions})
		paths.AppendTo(rows)
		checkTree(t, rows, got)
		for words := range got {
			if parts := strings.Fields(words); len(parts) > 1 && parts[len(parts)-1][:2] != parts[len(parts)-2][:2] {
				across++
			}
		}
		first, second := schema.NewCallPaths(rows.Names), schema.NewCallPaths(rows.Names)
		for i := range rows.CallPath {
			for _, half := range [][]*schema.CallPaths{{first}, {second}, {first, second}}[rng.Intn(3)] {
				schema.AppendRows(half, rows, i, i+1)
			}
		}
		whole, merged := criticalpath.NewCallPathMerger(rows.Names), criticalpath.NewCallPathMerger(rows.Names)
		whole.Add(rows)
		merged.Add(first)
		merged.Add(second)
		expect.Equal(t, fmt.Sprint(pathRows(merged.Rows())), fmt.Sprint(pathRows(whole.Rows())), "seed %d", seed)
		inOrder := pathRows(whole.Rows())
		if !slices.IsSorted(inOrder) || len(inOrder) != len(rows.CallPath) {
			t.Fatalf("seed %d: the paths are not in their order: %v", seed, inOrder)
		}
	}
	if deepest < 5 || across < 100 {
		t.Errorf("paths of at most %d callers, %d across lifelines: the test sees too little", deepest, across)
	}
}

// passGap tells call paths of the executions that are open below a gap, whose end nobody has seen. Whoever does knows the blocking calls
// that receive what is sent in the gap, and names them as callers.
func (c *calls) passGap(paths *criticalpath.CallPaths, hi int64, asked map[int64]bool) {
	x := c.executions
	paths.Enter(hi, hi)
	for i, first := range x.Execution {
		if first < hi && x.FinishSeq[i] >= hi && !asked[first] {
			caller := x.Parent[i]
			if call, is := c.blocking(i); is && caller == schema.NoValue {
				caller = x.Execution[call]
			}
			paths.Add(&schema.Executions{Names: &c.names, Execution: []int64{first}, FinishSeq: []int64{x.FinishSeq[i]}, Parent: []int64{caller},
				Component: x.Component[i : i+1], Function: x.Function[i : i+1], Role: x.Role[i : i+1]}, 0)
			asked[first] = true
		}
	}
	paths.Resolve(nil)
	for sent, received := range c.receivedAt {
		if call := c.byFinish[received]; sent < hi && received >= hi && x.Execution[call] < hi && x.Role[call] == schema.BlockingCall {
			paths.Replies(sent, x.Execution[call])
		}
	}
}

// pathRows is a line for every row: depth and number first.
func pathRows(rows *schema.CallPaths) (lines []string) {
	for i, path := range rows.CallPath {
		caller := "-"
		if rows.Caller[i] != schema.NoCode {
			caller = rows.Names.CallPaths.Name(rows.Caller[i])
		}
		lines = append(lines, fmt.Sprintf("%03d %s %s %s.%s", rows.Depth[i], rows.Names.CallPaths.Name(path), caller,
			rows.Names.Components.Name(rows.Component[i]), rows.Names.Functions.Name(rows.Function[i])))
	}
	return lines
}

// checkTree checks that the rows of a table say of every number the path that it stands for.
func checkTree(t *testing.T, rows *schema.CallPaths, numbers map[string]string) {
	t.Helper()
	words := map[schema.Code]string{schema.NoCode: ""}
	for i, path := range rows.CallPath { // callers come first
		below, known := words[rows.Caller[i]]
		if !known {
			t.Fatalf("row %d: its caller comes later", i)
		}
		own := strings.TrimSpace(below + " " + rows.Names.Components.Name(rows.Component[i]) + "." + rows.Names.Functions.Name(rows.Function[i]))
		words[path] = own
		if depth := int64(strings.Count(own, " ")); rows.Depth[i] != depth {
			t.Fatalf("%s has the depth %d", own, rows.Depth[i])
		}
		if number, asked := numbers[own]; asked && number != rows.Names.CallPaths.Name(path) {
			t.Fatalf("%s has the number %s in the table and %s at a step", own, rows.Names.CallPaths.Name(path), number)
		}
	}
	for own, number := range numbers {
		if (own == "") != (number == "") {
			t.Fatalf("%q has the number %q", own, number)
		}
	}
}

// TestRepliesBelow asks for calls that end behind the first window: whoever goes down says which events below send their replies.
func TestRepliesBelow(t *testing.T) {
	var names schema.Names
	codes := new(schema.Dictionary)
	paths := criticalpath.NewCallPaths(&names, codes)
	c := &calls{byFirst: make(map[int64]int), byFinish: make(map[int64]int)}
	c.executions = schema.NewExecutions(&c.names)
	c.finish(2, 90, schema.NoValue, "client", "ask", schema.BlockingCall) // 0
	c.finish(12, 14, schema.NoValue, "server", "serve", schema.Role(0))   // 1: replies to it
	c.finish(1, 13, schema.NoValue, "server", "older", schema.Role(0))    // 2: began before the call
	c.finish(16, 18, schema.NoValue, "server", "other", schema.Role(0))   // 3: replies to nobody
	names.Components, names.Functions = c.names.Components, c.names.Functions
	paths.Enter(15, 20)
	paths.Add(c.executions, 0)
	paths.Add(c.executions, 3)
	paths.Resolve(nil)
	paths.Replies(14, 2)
	paths.Replies(13, 2)
	paths.Replies(11, 7) // nothing begins with 7
	of := func(at int64) string { return codes.Name(paths.Of(&criticalpath.Step{Target: at})) }
	other := of(18)
	paths.Enter(5, 15)
	paths.Add(c.executions, 1)
	paths.Add(c.executions, 2)
	paths.Resolve(&window.Window{Lo: 5, Hi: 15, First: make([]uint32, 11)})
	served, older := of(14), of(13)
	out := schema.NewCallPaths(&schema.Names{Components: names.Components, Functions: names.Functions})
	paths.AppendTo(out)
	ask := paths.Of(&criticalpath.Step{Target: 12}) // its caller, before it begins
	expect.Slice(t, pathRows(out), []string{
		"000 " + codes.Name(ask) + " - client.ask",
		"000 " + other + " - server.other",
		"001 " + served + " " + codes.Name(ask) + " server.serve",
		"000 " + older + " - server.older",
	}, "paths")
	// Lakes of many years are compared by these numbers: they never change.
	expect.Slice(t, []string{codes.Name(ask), other, served}, []string{"9371a8d5edd5bdfb", "4c3bae94bcae85c6", "2622925ffedd6263"}, "numbers of paths")
}
