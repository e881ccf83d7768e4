package criticalpath

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/numbering"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// CallPaths finds the call paths of steps: the functions that are open on the lifeline where a step passes, on top of the blocking call
// of another lifeline that receives the reply of the lowest of them. The user goes down the windows of a chart: Enter for each of them,
// Add for all executions that finish in it, Resolve, and then Of for its steps.
//
// A caller finishes after its callees, so that going down it is met before them, and one pass is enough. Who only triggers an execution
// does not wait for it, and is no caller.
type CallPaths struct {
	tree      []callPath // by number; 0 stands for nothing that is open
	codes     *schema.Dictionary
	children  numbering.Numbers // of a caller's number and a function's, less 1
	functions numbering.Numbers // of component and function
	names     *schema.Names

	open         map[int64]uint32 // by first event: the paths of executions that begin below the window
	lo           int64            // first event of the window
	begins, ends []uint32         // by event of the window: the path of the execution that begins or ends there; 0: none
	finished     []finished       // executions that were added since Enter
	order        []uint32         // by event of the window: the execution that ends there, plus 1

	replies      []reply         // by event of the window: who receives it as a reply
	repliesBelow map[int64]reply // by event below the window
}

// reply says that a blocking call ends when it receives what an event sends.
type reply struct {
	path  uint32 // of the call; 0: none
	first int64  // its first event
}

// callPath is a node of the tree of call paths.
type callPath struct {
	caller              uint32 // number of the path below
	depth               int64  // -1 of number 0
	component, function schema.Code
	hash                uint64
	code                schema.Code
}

// finished is an execution whose path is not known yet.
type finished struct {
	first, last, caller int64
	component, function schema.Code
	blocking            bool // it is a blocking call
}

// NewCallPaths returns the paths of executions whose codes are those of names. Numbers of paths get codes of another dictionary.
func NewCallPaths(names *schema.Names, codes *schema.Dictionary) *CallPaths {
	return &CallPaths{
		tree: []callPath{{depth: -1, code: schema.NoCode}}, codes: codes, names: names,
		open: make(map[int64]uint32), repliesBelow: make(map[int64]reply),
	}
}

// Enter begins with the window of the events from lo to hi-1. Windows descend; between them may be gaps.
func (c *CallPaths) Enter(lo, hi int64) {
	c.lo = lo
	c.begins = slices.Grow(c.begins[:0], int(hi-lo))[:hi-lo]
	c.ends = slices.Grow(c.ends[:0], int(hi-lo))[:hi-lo]
	c.order = slices.Grow(c.order[:0], int(hi-lo))[:hi-lo]
	c.replies = slices.Grow(c.replies[:0], int(hi-lo))[:hi-lo]
	clear(c.begins)
	clear(c.ends)
	clear(c.order)
	clear(c.replies)
	for sent, r := range c.repliesBelow {
		if sent >= lo {
			if sent < hi {
				c.replies[sent-lo] = r
			}
			delete(c.repliesBelow, sent)
		}
	}
	for first, path := range c.open {
		if first >= lo {
			if first < hi {
				c.begins[first-lo] = path
			}
			delete(c.open, first)
		}
	}
}

// Add adds an execution that begins before the end of the window, and finishes in it or behind it.
func (c *CallPaths) Add(x *schema.Executions, i int) {
	c.finished = append(c.finished, finished{
		x.Execution[i], x.FinishSeq[i], x.Parent[i], x.Component[i], x.Function[i], x.Role[i] == schema.BlockingCall,
	})
}

// Resolve finds the call paths of all executions that were added, with the constraints of the window, nil for an empty one.
func (c *CallPaths) Resolve(w *window.Window) {
	behind := c.finished[:0:0]
	for i := range c.finished {
		if at := c.finished[i].last - c.lo; at < int64(len(c.order)) {
			c.order[at] = uint32(i + 1)
		} else {
			behind = append(behind, c.finished[i])
		}
	}
	slices.SortFunc(behind, func(a, b finished) int { return cmp.Compare(b.last, a.last) })
	for i := range behind {
		c.resolve(&behind[i], nil)
	}
	for _, i := range slices.Backward(c.order) {
		if i != 0 {
			c.resolve(&c.finished[i-1], w)
		}
	}
	c.finished = c.finished[:0]
}

// Replies says that what an event below the window sends is the reply to the blocking call that begins with an event, and ends behind it.
func (c *CallPaths) Replies(sent, first int64) {
	if path := c.at(first); path != 0 {
		c.repliesBelow[sent] = reply{path, first}
	}
}

// resolve finds the call path of an execution when all that finish after it are known.
func (c *CallPaths) resolve(x *finished, w *window.Window) {
	caller, at := c.at(x.caller), x.last-c.lo
	inside := at < int64(len(c.ends))
	if x.caller == schema.NoValue && inside {
		// A call that began later waits for the reply to something else.
		if r := c.replies[at]; r.first < x.first {
			caller = r.path
		}
	}
	path := c.numberOf(caller, x.component, x.function)
	if inside {
		c.ends[at] = path
	}
	if x.first >= c.lo {
		c.begins[x.first-c.lo] = path
	} else {
		c.open[x.first] = path
	}
	if !x.blocking || w == nil {
		return
	}
	for _, e := range w.Into(x.last) {
		switch {
		case e.Flags&window.Message == 0 || e.Source >= x.last:
		case e.Source >= c.lo:
			c.replies[e.Source-c.lo] = reply{path, x.first}
		default:
			c.repliesBelow[e.Source] = reply{path, x.first}
		}
	}
}

// at returns the path of the execution that begins with an event, 0 where there is none.
func (c *CallPaths) at(first int64) uint32 {
	switch {
	case first == schema.NoValue:
		return 0
	case first >= c.lo:
		return c.begins[first-c.lo]
	}
	return c.open[first]
}

// numberOf returns the number of the path of a function that another path calls.
func (c *CallPaths) numberOf(caller uint32, component, function schema.Code) uint32 {
	f, _ := c.functions.Of(numbering.Pack(component, function))
	n, isNew := c.children.Of(numbering.Pack(caller, f))
	if isNew {
		below := &c.tree[caller]
		c.tree = append(c.tree, callPath{
			caller: caller, depth: below.depth + 1, component: component, function: function,
		})
		p := &c.tree[len(c.tree)-1]
		p.hash = hashPath(c.tree[caller].hash, c.names.Components.Name(component), c.names.Functions.Name(function))
		p.code = c.codes.Code(fmt.Sprintf("%016x", p.hash))
	}
	return n + 1
}

// hashPath hashes a function on top of a path: FNV-1a with 64 bits, over the hash of the path and both names. Among ten million
// paths two agree with a probability of 3 in a million.
func hashPath(caller uint64, component, function string) uint64 {
	h := (uint64(14695981039346656037) ^ caller) * 1099511628211
	h ^= h >> 32 // so that all bits of the path below reach the low ones, which the products carry on
	for _, text := range [...]string{component, function} {
		for i := range len(text) {
			h = (h ^ uint64(text[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211 // no byte of a name in UTF-8
	}
	return h
}

// Of returns the code of the call path of a step that ends in the window, schema.NoCode where nothing is open.
func (c *CallPaths) Of(s *Step) schema.Code {
	i := s.Target - c.lo
	path := c.ends[i]
	if path == 0 {
		// Before an execution begins, what passes is its caller on the lifeline; a message is received by the execution itself. A root
		// begins after a rest, which is idle.
		if path = c.begins[i]; !s.Message {
			path = c.tree[path].caller
		}
	}
	if s.Idle {
		return schema.NoCode
	}
	return c.tree[path].code
}

// AppendTo adds all paths to a table whose codes are those of the executions.
func (c *CallPaths) AppendTo(out *schema.CallPaths) {
	for _, p := range c.tree[1:] {
		out.CallPath = append(out.CallPath, out.Names.CallPaths.Code(c.codes.Name(p.code)))
		caller := schema.NoCode
		if p.caller != 0 {
			caller = out.Names.CallPaths.Code(c.codes.Name(c.tree[p.caller].code))
		}
		out.Caller = append(out.Caller, caller)
		out.Depth = append(out.Depth, p.depth)
		out.Component = append(out.Component, p.component)
		out.Function = append(out.Function, p.function)
	}
}

// CallPathMerger unites the call paths of slices of a run.
type CallPathMerger struct {
	known map[schema.Code]bool
	rows  *schema.CallPaths
}

// NewCallPathMerger returns a merger of tables with these names.
func NewCallPathMerger(names *schema.Names) *CallPathMerger {
	return &CallPathMerger{make(map[schema.Code]bool), schema.NewCallPaths(names)}
}

// Add takes a table.
func (m *CallPathMerger) Add(rows *schema.CallPaths) {
	for i, path := range rows.CallPath {
		if !m.known[path] {
			m.known[path] = true
			schema.AppendRows(m.rows, rows, i, i+1)
		}
	}
}

// Rows returns all paths, each behind its caller, in the order of their numbers among those of one depth.
func (m *CallPathMerger) Rows() *schema.CallPaths {
	order := make([]int, len(m.rows.CallPath))
	for i := range order {
		order[i] = i
	}
	number := func(i int) string { return m.rows.Names.CallPaths.Name(m.rows.CallPath[i]) }
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(m.rows.Depth[a], m.rows.Depth[b]), cmp.Compare(number(a), number(b)))
	})
	out := schema.NewCallPaths(m.rows.Names)
	for _, i := range order {
		schema.AppendRows(out, m.rows, i, i+1)
	}
	return out
}
