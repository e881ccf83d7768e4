package reconciliation

// search is Tarjan's depth-first search, without recursion. Nodes are the roots of classes.
type search struct {
	a       *Arrangement
	of      classes
	last    []bool  // instants that end their block
	index   []int32 // order of discovery, from 1; 0: not found yet
	low     []int32
	open    []int32 // nodes whose component is not complete
	frames  []frame
	counter int32
}

// frame is a node under way: the member of its class whose relations are followed, and the next of these.
type frame struct {
	node, member int32
	way          int32 // -1: the follower in its block comes first
}

const unnumbered int32 = -1

// components numbers the strongly connected components: a component that is reached has a lower number.
func (a *Arrangement) components(of classes) {
	n := len(of.root)
	s := &search{a: a, of: of, last: a.model.ends(), index: make([]int32, n), low: make([]int32, n)}
	a.group = make([]int32, n)
	for i := range a.group {
		a.group[i] = unnumbered
	}
	for i := range of.root {
		if of.root[i] == int32(i) && s.index[i] == 0 {
			s.enter(int32(i))
			s.run()
		}
	}
	for i, root := range of.root {
		a.group[i] = a.group[root]
	}
}

func (s *search) enter(node int32) {
	s.counter++
	s.index[node], s.low[node] = s.counter, s.counter
	s.open = append(s.open, node)
	s.frames = append(s.frames, frame{node, node, -1})
}

func (s *search) run() {
	for len(s.frames) > 0 {
		f := &s.frames[len(s.frames)-1]
		to, found := s.step(f)
		switch {
		case !found:
			s.leave(f.node)
		case s.index[to] == 0:
			s.enter(to)
		case s.a.group[to] == unnumbered:
			s.low[f.node] = min(s.low[f.node], s.index[to])
		}
	}
}

// step returns the next node that a node leads to.
func (s *search) step(f *frame) (to int32, found bool) {
	ways := &s.a.out
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

// leave completes a node: its component, if it is the one that was found first of it.
func (s *search) leave(node int32) {
	s.frames = s.frames[:len(s.frames)-1]
	if len(s.frames) > 0 {
		parent := s.frames[len(s.frames)-1].node
		s.low[parent] = min(s.low[parent], s.low[node])
	}
	if s.low[node] < s.index[node] {
		return
	}
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
