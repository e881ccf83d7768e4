package criticalpath

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/numbering"
)

// CallPaths finds the call paths of steps: the functions that are open on the lifeline where a step passes. The caller goes down the
// windows of a chart: Enter for each of them, Add for all executions that finish in it, Resolve, and then Of for its steps.
//
// A caller finishes after its callees, so that going down it is met before them, and one pass is enough.
type CallPaths struct {
	tree      []callPath        // by number; 0 stands for nothing that is open
	children  numbering.Numbers // of a caller's number and a function's, less 1
	functions numbering.Numbers // of component and function
	names     *schema.Names

	open         map[int64]uint32 // by first event: the paths of executions that begin below the window
	lo           int64            // first event of the window
	begins, ends []uint32         // by event of the window: the path of the execution that begins or ends there; 0: none
	finished     []finished       // executions that were added since Enter
}

// callPath is a node of the tree of call paths.
type callPath struct {
	caller              uint32 // number of the path below
	depth               int64  // -1 of number 0
	component, function schema.Code
	hash                int64
}

// finished is an execution whose path is not known yet.
type finished struct {
	first, last, caller int64
	component, function schema.Code
}

// NewCallPaths returns the paths of executions whose codes are those of names.
func NewCallPaths(names *schema.Names) *CallPaths {
	return &CallPaths{tree: []callPath{{depth: -1}}, names: names, open: make(map[int64]uint32)}
}

// Enter begins with the window of the events from lo to hi-1. Windows descend; between them may be gaps.
func (c *CallPaths) Enter(lo, hi int64) {
	c.lo = lo
	c.begins = slices.Grow(c.begins[:0], int(hi-lo))[:hi-lo]
	c.ends = slices.Grow(c.ends[:0], int(hi-lo))[:hi-lo]
	clear(c.begins)
	clear(c.ends)
	for first, path := range c.open {
		if first >= lo {
			if first < hi {
				c.begins[first-lo] = path
			}
			delete(c.open, first)
		}
	}
}

// Add adds an execution that begins before the end of the window, and finishes in it or behind it. Those of a lifeline come in the
// order of their finish.
func (c *CallPaths) Add(x *schema.Executions, i int) {
	c.finished = append(c.finished, finished{x.Execution[i], x.FinishSeq[i], x.Parent[i], x.Component[i], x.Function[i]})
}

// Resolve finds the call paths of all executions that were added.
func (c *CallPaths) Resolve() {
	for _, x := range slices.Backward(c.finished) {
		path := c.numberOf(c.at(x.caller), x.component, x.function)
		if i := x.last - c.lo; i < int64(len(c.ends)) {
			c.ends[i] = path
		}
		if x.first >= c.lo {
			c.begins[x.first-c.lo] = path
		} else {
			c.open[x.first] = path
		}
	}
	c.finished = c.finished[:0]
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
			hash: hashPath(below.hash, c.names.Components.Name(component), c.names.Functions.Name(function)),
		})
	}
	return n + 1
}

// hashPath hashes a function on top of a path: FNV-1a with 64 bits, over the hash of the path and both names. Among ten million
// paths two agree with a probability of 3 in a million.
func hashPath(caller int64, component, function string) int64 {
	h := (uint64(14695981039346656037) ^ uint64(caller)) * 1099511628211
	h ^= h >> 32 // so that all bits of the path below reach the low ones, which the products carry on
	for _, text := range [...]string{component, function} {
		for i := range len(text) {
			h = (h ^ uint64(text[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211 // no byte of a name in UTF-8
	}
	return int64(h &^ (1 << 63)) // never schema.NoValue
}

// Of returns the call path of a step that ends in the window, schema.NoValue where nothing is open.
func (c *CallPaths) Of(s *Step) int64 {
	i := s.Target - c.lo
	path := c.ends[i]
	if path == 0 {
		// Before an execution begins, what passes is its caller; a message is received by the execution itself.
		if path = c.begins[i]; !s.Message {
			path = c.tree[path].caller
		}
	}
	if path == 0 || s.Idle {
		return schema.NoValue
	}
	return c.tree[path].hash
}

// AppendTo adds all paths to a table whose codes are those of the executions.
func (c *CallPaths) AppendTo(out *schema.CallPaths) {
	for _, p := range c.tree[1:] {
		caller := schema.NoValue
		if p.caller != 0 {
			caller = c.tree[p.caller].hash
		}
		out.CallPath = append(out.CallPath, p.hash)
		out.Caller = append(out.Caller, caller)
		out.Depth = append(out.Depth, p.depth)
		out.Component = append(out.Component, p.component)
		out.Function = append(out.Function, p.function)
	}
}

// CallPathMerger unites the call paths of slices of a run.
type CallPathMerger struct {
	known map[int64]bool
	rows  *schema.CallPaths
}

// NewCallPathMerger returns a merger of tables with these names.
func NewCallPathMerger(names *schema.Names) *CallPathMerger {
	return &CallPathMerger{make(map[int64]bool), schema.NewCallPaths(names)}
}

// Add takes a table.
func (m *CallPathMerger) Add(rows *schema.CallPaths) {
	for i, path := range rows.CallPath {
		if m.known[path] {
			continue
		}
		m.known[path] = true
		m.rows.CallPath = append(m.rows.CallPath, path)
		m.rows.Caller = append(m.rows.Caller, rows.Caller[i])
		m.rows.Depth = append(m.rows.Depth, rows.Depth[i])
		m.rows.Component = append(m.rows.Component, rows.Component[i])
		m.rows.Function = append(m.rows.Function, rows.Function[i])
	}
}

// Rows returns all paths, each behind its caller, in the order of their numbers among those of one depth.
func (m *CallPathMerger) Rows() *schema.CallPaths {
	order := make([]int, len(m.rows.CallPath))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(m.rows.Depth[a], m.rows.Depth[b]), cmp.Compare(m.rows.CallPath[a], m.rows.CallPath[b]))
	})
	out := schema.NewCallPaths(m.rows.Names)
	for _, i := range order {
		out.CallPath = append(out.CallPath, m.rows.CallPath[i])
		out.Caller = append(out.Caller, m.rows.Caller[i])
		out.Depth = append(out.Depth, m.rows.Depth[i])
		out.Component = append(out.Component, m.rows.Component[i])
		out.Function = append(out.Function, m.rows.Function[i])
	}
	return out
}
