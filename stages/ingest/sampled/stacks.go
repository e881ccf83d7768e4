// Package sampled makes calls of samples of a stack, as profilers of V8 take them: every millisecond or so they note which
// function runs, as a node of a tree of callers.
//
// What is on the stack of one sample and of the next is taken for one call, as viewers of profiles do; it begins at the first
// sample that has it and ends at the first one that does not. So times are those of samples, calls shorter than their
// distance are mostly missing, and two calls in a row look like one: Type marks such executions.
package sampled

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Type is the execution type of calls that were made of samples.
const Type = "sampled"

// maxDepth bounds stacks, in calls, and with them what a sample of a damaged tree costs.
const maxDepth = 1 << 14

// Frame is a function on a stack.
type Frame struct {
	Function string // "" of an anonymous one
	URL      string // of its script; "" of what is no script
	Line     int64  // from 0
}

// Name is the name of the function. One without a name is known by its line, or is the outermost code of a script.
func (f Frame) Name() string {
	switch {
	case f.Function != "":
		return f.Function
	case f.Line <= 0:
		return "(top level)"
	}
	return "(anonymous):" + strconv.FormatInt(f.Line+1, 10)
}

// Script names the script of the function: a path behind the last node_modules, or else its last two parts, so that it does not
// depend on where a project lies. What is no script is native.
func (f Frame) Script() string {
	// Versions of a module are told apart by a query, which would make another script of each.
	path, _, _ := strings.Cut(f.URL, "?")
	if path == "" {
		return "native"
	}
	if strings.HasPrefix(path, "node:") {
		return path
	}
	if _, rest, found := strings.Cut(path, "://"); found {
		path = rest
	}
	// Paths of Windows have backslashes.
	path = strings.ReplaceAll(path, `\`, "/")
	const modules = "node_modules/"
	if at := strings.LastIndex(path, modules); at >= 0 && at+len(modules) < len(path) {
		return path[at+len(modules):]
	}
	parts := strings.FieldsFunc(path, func(c rune) bool { return c == '/' })
	if len(parts) == 0 {
		return "native"
	}
	return strings.Join(parts[max(0, len(parts)-2):], "/")
}

// Change is a call that begins or ends between two samples.
type Change struct {
	Node int // as Frame takes it
	Kind schema.Kind
}

// Stacks is the tree of callers and the stack of the last sample.
type Stacks struct {
	nodes   []node
	byID    map[int64]int // position in nodes by the profile's identifier
	open    []int         // nodes of the last sample, the outermost first
	next    []int         // memory for the stack of the sample in hand
	changes []Change      // of the last call of change; its memory is used again
	walks   int           // how many walks up the tree looked for circles
}

// node is a function with the callers above it.
type node struct {
	Frame
	parent int // -1 of the outermost
	walk   int // the last walk that came by, from 1
}

// New returns an empty tree.
func New() *Stacks { return &Stacks{byID: make(map[int64]int)} }

// Add adds nodes to the tree. The same one may come again, and the last holds. Nodes that are named as callers or callees and that
// neither these nor earlier ones are go to missing, and so does a caller through which a node would call itself.
func (s *Stacks) Add(nodes []Node, missing func(id int64)) {
	// 1. All nodes first: a caller may stand behind its callees.
	for i := range nodes {
		n := &nodes[i]
		if at, known := s.byID[n.ID]; known {
			s.nodes[at].Frame = n.Frame
			continue
		}
		s.byID[n.ID] = len(s.nodes)
		s.nodes = append(s.nodes, node{Frame: n.Frame, parent: -1})
	}
	// 2. Callers, from either end: nodes name their parent, or parents their children.
	for i := range nodes {
		at := s.byID[nodes[i].ID]
		for _, id := range nodes[i].Parents {
			if from, known := s.byID[id]; !known {
				missing(id)
			} else if from != at {
				s.nodes[at].parent = from
			}
		}
		for _, id := range nodes[i].Children {
			if to, known := s.byID[id]; !known {
				missing(id)
			} else if to != at {
				s.nodes[to].parent = at
			}
		}
	}
	s.cutCircles(nodes, missing)
}

// cutCircles makes the tree one again where nodes call each other in a circle, which would make a deep stack of every sample. A new
// circle has a link of one of the nodes, or one to a child of it.
func (s *Stacks) cutCircles(nodes []Node, missing func(id int64)) {
	before := s.walks
	walk := func(id int64) {
		s.walks++
		// last is the node whose caller closes the circle; that link is cut, and reported with the node where the walk began.
		last := -1
		for at, known := s.byID[id]; known && at >= 0; at = s.nodes[at].parent {
			n := &s.nodes[at]
			if n.walk == s.walks {
				s.nodes[last].parent = -1
				missing(id)
				return
			}
			if n.walk > before { // an earlier walk found the rest sound
				return
			}
			n.walk, last = s.walks, at
		}
	}
	for i := range nodes {
		walk(nodes[i].ID)
		for _, child := range nodes[i].Children {
			walk(child)
		}
	}
}

// Frame is the function of a node.
func (s *Stacks) Frame(node int) Frame { return s.nodes[node].Frame }

// Sample takes a sample of the node that runs. It returns which calls end, the innermost first, and then which begin; the list
// holds until the next call. A node that is not known counts as an empty stack.
func (s *Stacks) Sample(id int64) (changes []Change, known bool) {
	at, known := s.byID[id]
	s.next = s.next[:0]
	switch {
	// Nothing runs: the stack is empty.
	case !known || s.is(at, "(idle)"):
	case s.is(at, "(garbage collector)"): // it interrupts what runs
		s.next = append(s.next, s.open...)
		if last := len(s.next) - 1; last < 0 || s.next[last] != at {
			s.next = append(s.next, at)
		}
	default:
		// From the node to the outermost caller; a stack that is too deep loses its outermost calls.
		for ; at >= 0 && len(s.next) < maxDepth; at = s.nodes[at].parent {
			if !s.is(at, "(root)") {
				s.next = append(s.next, at)
			}
		}
		slices.Reverse(s.next)
	}
	return s.change(), known
}

// End returns the calls that end with the last sample.
func (s *Stacks) End() []Change {
	s.next = s.next[:0]
	return s.change()
}

// is reports whether a node is a word of the profiler.
func (s *Stacks) is(at int, word string) bool {
	return s.nodes[at].Function == word && s.nodes[at].URL == ""
}

// change makes the stack in hand the last one.
func (s *Stacks) change() []Change {
	// The part that both stacks share goes on; only what lies above it ends or begins.
	same := 0
	for same < len(s.open) && same < len(s.next) && s.open[same] == s.next[same] {
		same++
	}
	s.changes = s.changes[:0]
	for at := len(s.open) - 1; at >= same; at-- {
		s.changes = append(s.changes, Change{s.open[at], schema.Exit})
	}
	for _, node := range s.next[same:] {
		s.changes = append(s.changes, Change{node, schema.Enter})
	}
	s.open, s.next = s.next, s.open
	return s.changes
}
