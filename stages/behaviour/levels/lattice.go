package levels

import (
	"context"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// inclusionOrder compares and combines the variants of a lattice: languages, or vectors of them.
type inclusionOrder interface {
	below(x, y int32) bool // x is part of y, or y itself
	union(x, y int32) (id int32, known bool)
	intersection(x, y int32) (id int32, known bool)
}

// lattice holds variants and how they relate: those of the input, then those computed from them.
type lattice struct {
	inclusionOrder
	nodes      []node        // inputs first
	unnumbered int32         // the variant with number 0, if it is there; the others count from 1
	last       int64         // highest number so far
	inputs     int           // number of variants of the input
	position   map[int32]int // by variant: position in nodes
}

// node is a variant in a lattice.
type node struct {
	id         int32
	number     int64  // as tables print it
	origin     string // schema.FromInput, FromUnion or FromIntersection
	incomplete bool   // a union or an intersection with it is missing
}

// newLattice returns a lattice without variants; none is the variant that gets the number 0, or -1.
func newLattice(o inclusionOrder, none int32) *lattice {
	return &lattice{inclusionOrder: o, unnumbered: none, position: map[int32]int{}}
}

// addInput adds a variant of the input, unless it is there already.
func (l *lattice) addInput(id int32) {
	if _, found := l.position[id]; !found {
		l.addNode(id, schema.FromInput)
		l.inputs++
	}
}

// addNode adds a variant with the next number.
func (l *lattice) addNode(id int32, origin string) {
	n := node{id: id, origin: origin}
	if id != l.unnumbered {
		l.last++
		n.number = l.last
	}
	l.position[id] = len(l.nodes)
	l.nodes = append(l.nodes, n)
}

// nodeOf returns a variant that is in the lattice.
func (l *lattice) nodeOf(id int32) *node { return &l.nodes[l.position[id]] }

// completeLattice adds the intersections of variants of the input, then their unions, up to a number of
// new variants. It ends with the error of ctx when that has ended.
func (l *lattice) completeLattice(ctx context.Context, limit int) error {
	room := len(l.nodes) + limit
	if err := l.closeUnder(ctx, schema.FromIntersection, l.inclusionOrder.intersection, room); err != nil {
		return err
	}
	return l.closeUnder(ctx, schema.FromUnion, l.inclusionOrder.union, room)
}

// closeUnder combines the variants of the input with each other, and the results with them again. The
// order is that of MIDS: first in, first out, and every variant with those of the input before it. Between two variants it looks whether ctx has ended.
func (l *lattice) closeUnder(ctx context.Context, origin string, combine func(x, y int32) (int32, bool), room int) error {
	var queue []int
	queued := map[int]bool{}
	push := func(position int) {
		if !queued[position] {
			queued[position] = true
			queue = append(queue, position)
		}
	}
	// All inputs wait at first; results join the queue as they are found.
	for i := range l.inputs {
		push(i)
	}
	for at := 0; at < len(queue); at++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		i := queue[at]
		for j := range min(i, l.inputs) {
			// Of two related variants one is their union and the other their intersection.
			if l.areRelated(i, j) {
				continue
			}
			id, known := combine(l.nodes[i].id, l.nodes[j].id)
			if _, found := l.position[id]; known && !found && len(l.nodes) < room {
				l.addNode(id, origin)
			}
			if position, found := l.position[id]; known && found {
				push(position)
				continue
			}
			l.nodes[i].incomplete, l.nodes[j].incomplete = true, true
		}
	}
	return nil
}

// areRelated reports whether one of two variants is part of the other.
func (l *lattice) areRelated(i, j int) bool {
	x, y := l.nodes[i].id, l.nodes[j].id
	return l.below(x, y) || l.below(y, x)
}

// hasseEdges returns the pairs in which the lower variant is part of the upper one and no other lies
// between, by lower and then upper position: Hasse's diagram, the transitive reduction of inclusion.
func (l *lattice) hasseEdges() (edges [][2]int) {
	above := make([][]int, len(l.nodes))
	// 1. All pairs; 2. those between which no other variant lies. Cubic in the variants of one entity, which are few.
	for i := range l.nodes {
		for j := range l.nodes {
			if i != j && l.below(l.nodes[i].id, l.nodes[j].id) {
				above[i] = append(above[i], j)
			}
		}
	}
	for i := range above {
		for _, j := range above[i] {
			between := func(k int) bool { return slices.Contains(above[k], j) }
			if !slices.ContainsFunc(above[i], between) {
				edges = append(edges, [2]int{i, j})
			}
		}
	}
	return edges
}

// unrelatedInputs returns the pairs of variants of the input in which neither is part of the other.
func (l *lattice) unrelatedInputs() (pairs [][2]int) {
	for j := range l.inputs {
		for i := range j {
			if !l.areRelated(i, j) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return pairs
}
