package automata

import "github.com/tracelake/tracelake/stages/chart/callstack"

// node is a state of the prefix tree together with the transition into it. Links are positions in
// prefixForest.nodes; 0 is none, because the first node is no state.
type node struct {
	symbol  callstack.Symbol
	parent  uint32 // 0 for the root of a component
	child   uint32 // the oldest child
	sibling uint32 // a younger child of the same parent
	words   uint32 // words that end here
}

// prefixForest holds one prefix tree per component. A node's oldest child hangs on the node itself,
// because most nodes have only one; the others are found in an open-addressing table.
type prefixForest struct {
	nodes []node
	table []uint32 // nodes by (parent, symbol); 0 is empty; the length is a power of two
	used  int      // entries of the table
}

// addRoot adds the root of a component.
func (t *prefixForest) addRoot() uint32 { return t.addNode(0, 0) }

// child returns the child of a node by a symbol, a new one if there is none. Children have larger numbers
// than their parents.
func (t *prefixForest) child(at uint32, s callstack.Symbol) uint32 {
	// Most events end here: most nodes have one child.
	if c := t.nodes[at].child; c != 0 && t.nodes[c].symbol == s {
		return c
	}
	return t.childInTable(at, s)
}

// childInTable is the rare case of child: the node has other children.
func (t *prefixForest) childInTable(at uint32, s callstack.Symbol) uint32 {
	oldest := t.nodes[at].child
	if oldest == 0 {
		c := t.addNode(at, s)
		t.nodes[at].child = c
		return c
	}
	mask := uint32(len(t.table) - 1)
	// Linear probing; a table that is at most half full has short runs.
	i := s.Hash(uint64(at)) & mask
	for ; t.table[i] != 0; i = (i + 1) & mask {
		c := t.table[i]
		if n := &t.nodes[c]; n.parent == at && n.symbol == s {
			return c
		}
	}
	c := t.addNode(at, s)
	t.table[i] = c
	t.nodes[c].sibling = t.nodes[oldest].sibling
	t.nodes[oldest].sibling = c
	if t.used++; 2*t.used > len(t.table) {
		t.growTable()
	}
	return c
}

// addNode appends a node without links to it.
func (t *prefixForest) addNode(parent uint32, s callstack.Symbol) uint32 {
	t.nodes = append(t.nodes, node{symbol: s, parent: parent})
	return uint32(len(t.nodes) - 1)
}

// growTable doubles the table.
func (t *prefixForest) growTable() {
	old := t.table
	t.table = make([]uint32, 2*len(old))
	mask := uint32(len(t.table) - 1)
	for _, c := range old {
		if c == 0 {
			continue
		}
		i := t.nodes[c].symbol.Hash(uint64(t.nodes[c].parent)) & mask
		for t.table[i] != 0 {
			i = (i + 1) & mask
		}
		t.table[i] = c
	}
}

// countPasses returns, by node, how many words pass through it or end there. Unfinished words leave nodes
// behind that no word passes; these are ignored.
func (t *prefixForest) countPasses() []uint32 {
	passes := make([]uint32, len(t.nodes))
	for i := len(t.nodes) - 1; i > 0; i-- {
		n := &t.nodes[i]
		passes[i] += n.words
		passes[n.parent] += passes[i]
	}
	return passes
}
