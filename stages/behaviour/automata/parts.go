package automata

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Tree is the prefix trees of some lifelines, as a table for whoever merges those of all lifelines of their components: a row is
// a node, and its parent stands before it. What the words of different lifelines have in common becomes one node again, with the
// words of all, so the automata are those of all lifelines at once.
type Tree struct {
	Names     *schema.Names
	Parent    []int64       // the row of the node's parent; schema.NoValue: it is the root of a component
	Component []schema.Code // of a root; NoCode for others
	Function  []schema.Code // these three are the symbol that leads to the node; NoCode for a root
	Sign      []int64       // its kind and, times two, its direction
	Peer      []schema.Code
	Words     []int64 // that end here
}

// Columns implements schema.Columns.
func (t *Tree) Columns() []schema.Column {
	return []schema.Column{
		schema.Ints("parent", &t.Parent).OrNull(),
		schema.Strings("component", &t.Component, &t.Names.Components).OrNull(),
		schema.Strings("function", &t.Function, &t.Names.Functions).OrNull(),
		schema.Ints("sign", &t.Sign),
		schema.Strings("peer", &t.Peer, &t.Names.Components).OrNull(),
		schema.Ints("words", &t.Words),
	}
}

// Tree ends the events of some lifelines and returns their prefix trees. It counts words under way as schema.OpenFragment.
func (b *Builder) Tree(led *schema.Ledger) *Tree {
	callstack.CountOpen(b.words, led)
	t := &Tree{Names: b.names}
	components := make(map[uint32]schema.Code) // by root
	for component, root := range b.roots {
		if root != 0 {
			components[root] = schema.Code(component)
		}
	}
	for i := 1; i < len(b.tree.nodes); i++ { // the first node is no state
		n := &b.tree.nodes[i]
		parent, component, function, peer := int64(n.parent)-1, schema.NoCode, n.symbol.Function(), n.symbol.Peer()
		if n.parent == 0 {
			parent, component, function, peer = schema.NoValue, components[uint32(i)], schema.NoCode, schema.NoCode
		}
		t.Parent, t.Component = append(t.Parent, parent), append(t.Component, component)
		t.Function, t.Peer = append(t.Function, function), append(t.Peer, peer)
		t.Sign = append(t.Sign, int64(n.symbol.Kind())|int64(n.symbol.Direction())<<1)
		t.Words = append(t.Words, int64(n.words))
	}
	return t
}

// Merge merges the trees of some lifelines into those of a builder, row group by row group; at first nodes is empty, and
// it is handed from one row group to the next.
func (b *Builder) Merge(t *Tree, nodes []uint32) []uint32 {
	b.roots = schema.GrowTo(b.roots, b.names.Components.Len())
	for i, parent := range t.Parent {
		var at uint32
		if parent == schema.NoValue {
			root := &b.roots[t.Component[i]]
			if *root == 0 {
				*root = b.tree.addRoot()
			}
			at = *root
		} else {
			symbol := callstack.SymbolOf(t.Function[i], schema.Kind(t.Sign[i]&1), schema.Direction(t.Sign[i]>>1), t.Peer[i])
			at = b.tree.child(nodes[parent], symbol)
		}
		b.tree.nodes[at].words += uint32(t.Words[i])
		nodes = append(nodes, at)
	}
	return nodes
}
