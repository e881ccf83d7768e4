package reconciliation

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Arrangement is an order of the instants of a model: each belongs to a group of coincident instants, and
// every relation leads from a group to one of a lower number, or stays in a group.
type Arrangement struct {
	model     *Model
	group     []int32   // by instant
	groups    int       // number of groups
	relations adjacency // relations between instants, except coincidences
}

// adjacency lists the relations, except coincidences, by left instant: those of i are at first[i] to
// first[i+1] of relation.
type adjacency struct {
	first    []int32 // by instant; one more
	relation []int32 // positions in Model.Relations
}

// Arrange finds the order in time linear in instants and relations, or returns a *Contradiction.
func (m *Model) Arrange() (*Arrangement, error) {
	a := &Arrangement{model: m, relations: m.relationsByLeft()}
	// 1. What coincides is one.
	merged := m.mergeCoincident()
	// 2. What is before itself is one too, unless 3. something in it is strict.
	a.findComponents(merged)
	if err := a.checkStrict(); err != nil {
		return nil, err
	}
	return a, nil
}

// relationsByLeft sorts the relations by left instant, a counting sort.
func (m *Model) relationsByLeft() adjacency {
	// 1. Count the relations of each instant, 2. sum up, 3. fill in.
	w := adjacency{first: make([]int32, m.Instants()+1)}
	for i := range m.Relations {
		if m.Relations[i].Kind != schema.Coincides {
			w.first[m.Relations[i].Left.Instant+1]++
		}
	}
	for i := 1; i < len(w.first); i++ {
		w.first[i] += w.first[i-1]
	}
	w.relation = make([]int32, w.first[len(w.first)-1])
	next := slices.Clone(w.first[:len(w.first)-1])
	for i := range m.Relations {
		if r := &m.Relations[i]; r.Kind != schema.Coincides {
			w.relation[next[r.Left.Instant]] = int32(i)
			next[r.Left.Instant]++
		}
	}
	return w
}

// coincidenceClasses is a union-find structure over coincident instants. The members of a class also form
// a ring, so that they can be listed.
type coincidenceClasses struct {
	root []int32 // by instant: its parent on the way to the representative of the class
	next []int32 // by instant: its successor in the ring
}

// mergeCoincident puts what coincides into classes. The lowest number represents a class, and paths are
// halved.
func (m *Model) mergeCoincident() coincidenceClasses {
	c := coincidenceClasses{make([]int32, m.Instants()), make([]int32, m.Instants())}
	for i := range c.root {
		c.root[i], c.next[i] = int32(i), int32(i)
	}
	for i := range m.Relations {
		if r := &m.Relations[i]; r.Kind == schema.Coincides {
			c.joinClasses(c.findRoot(r.Left.Instant), c.findRoot(r.Right.Instant))
		}
	}
	for i := range c.root {
		c.root[i] = c.findRoot(int32(i))
	}
	return c
}

// findRoot returns the representative of a class.
func (c *coincidenceClasses) findRoot(i int32) int32 {
	for c.root[i] != i {
		c.root[i] = c.root[c.root[i]]
		i = c.root[i]
	}
	return i
}

// joinClasses merges two classes, given by their representatives. Swapping the successors of two ring
// members merges the rings.
func (c *coincidenceClasses) joinClasses(a, b int32) {
	if a != b {
		c.root[max(a, b)] = min(a, b)
		c.next[a], c.next[b] = c.next[b], c.next[a]
	}
}

// blockEnds reports by instant whether it is the last of its block.
func (m *Model) blockEnds() []bool {
	last := make([]bool, m.Instants())
	for _, f := range m.first[1:] {
		if f > 0 {
			last[f-1] = true
		}
	}
	return last
}

// tarjanSearch is Tarjan's depth-first search for strongly connected components, with an explicit stack:
// traces are too long for recursion. Its nodes are the representatives of coincidence classes.
type tarjanSearch struct {
	a       *Arrangement
	of      coincidenceClasses
	last    []bool  // instants that end their block
	index   []int32 // by node: order of discovery, from 1; 0 if not found yet
	low     []int32 // by node: lowest index that its subtree reaches
	open    []int32 // nodes whose component is not complete
	frames  []searchFrame
	counter int32 // nodes discovered so far
}

// searchFrame is a node being expanded: the member of its class whose relations are followed, and the
// next of these.
type searchFrame struct {
	node, member int32
	way          int32 // -1: the follower in its block comes first
}

// unnumbered is the group of an instant whose component is not complete.
const unnumbered int32 = -1

// findComponents numbers the strongly connected components. A component that another one reaches has the
// lower number.
func (a *Arrangement) findComponents(of coincidenceClasses) {
	n := len(of.root)
	s := &tarjanSearch{a: a, of: of, last: a.model.blockEnds(), index: make([]int32, n), low: make([]int32, n)}
	a.group = slices.Repeat([]int32{unnumbered}, n)
	// Every node is the start of a search unless an earlier one found it.
	for i := range of.root {
		if of.root[i] == int32(i) && s.index[i] == 0 {
			s.enterNode(int32(i))
			s.searchComponent()
		}
	}
	for i, root := range of.root {
		a.group[i] = a.group[root]
	}
}

// enterNode discovers a node.
func (s *tarjanSearch) enterNode(node int32) {
	s.counter++
	s.index[node], s.low[node] = s.counter, s.counter
	s.open = append(s.open, node)
	s.frames = append(s.frames, searchFrame{node, node, -1})
}

// searchComponent expands nodes until the stack is empty.
func (s *tarjanSearch) searchComponent() {
	for len(s.frames) > 0 {
		f := &s.frames[len(s.frames)-1]
		to, found := s.nextNode(f)
		switch {
		case !found:
			s.leaveNode(f.node)
		case s.index[to] == 0: // a new node: go deeper
			s.enterNode(to)
		case s.a.group[to] == unnumbered: // a node of a component that is still open
			s.low[f.node] = min(s.low[f.node], s.index[to])
		}
	}
}

// nextNode returns the next node that a node leads to: the followers of its class members in their
// blocks, and the right sides of their relations.
// Members of a class share their ways out, so that the ring of members is walked once.
func (s *tarjanSearch) nextNode(f *searchFrame) (to int32, found bool) {
	ways := &s.a.relations
	for {
		if f.way < 0 {
			f.way = ways.first[f.member]
			if !s.last[f.member] {
				return s.of.root[f.member+1], true
			}
		}
		if f.way < ways.first[f.member+1] {
			f.way++
			return s.of.root[s.a.model.Relations[ways.relation[f.way-1]].Right.Instant], true
		}
		if f.member = s.of.next[f.member]; f.member == f.node {
			return 0, false
		}
		f.way = -1
	}
}

// leaveNode completes a node, and its component if the node was discovered first in it.
func (s *tarjanSearch) leaveNode(node int32) {
	s.frames = s.frames[:len(s.frames)-1]
	if len(s.frames) > 0 {
		parent := s.frames[len(s.frames)-1].node
		s.low[parent] = min(s.low[parent], s.low[node])
	}
	// It belongs to the component of a node that was found earlier.
	if s.low[node] < s.index[node] {
		return
	}
	// All nodes found since and still open are its component.
	for {
		member := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		s.a.group[member] = int32(s.a.groups)
		if member == node {
			break
		}
	}
	s.a.groups++
}
