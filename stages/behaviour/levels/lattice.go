package levels

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// order is what a lattice knows of its variants.
type order interface {
	below(x, y int32) bool // x is part of y, or y itself
	union(x, y int32) (id int32, known bool)
	intersection(x, y int32) (id int32, known bool)
}

// lattice is variants and how they relate: those of the input, then those computed from them.
type lattice struct {
	order
	nodes    []node
	none     int32 // the variant with number 0, if it is there; the others count from 1
	last     int64 // the highest number so far
	inputs   int
	position map[int32]int // of a variant in nodes
}

// node is a variant.
type node struct {
	id         int32
	number     int64
	origin     string
	incomplete bool // a union or an intersection with it is missing
}

func newLattice(o order, none int32) *lattice {
	return &lattice{order: o, none: none, position: map[int32]int{}}
}

// input adds a variant of the input, if it is not there yet.
func (l *lattice) input(id int32) {
	if _, found := l.position[id]; !found {
		l.add(id, schema.FromInput)
		l.inputs++
	}
}

func (l *lattice) add(id int32, origin string) {
	n := node{id: id, origin: origin}
	if id != l.none {
		l.last++
		n.number = l.last
	}
	l.position[id] = len(l.nodes)
	l.nodes = append(l.nodes, n)
}

// of returns a variant that is in the lattice.
func (l *lattice) of(id int32) *node { return &l.nodes[l.position[id]] }

// complete adds the intersections of any variants of the input, then their unions, up to a number of new variants.
func (l *lattice) complete(limit int) {
	room := len(l.nodes) + limit
	l.close(schema.FromIntersection, l.order.intersection, room)
	l.close(schema.FromUnion, l.order.union, room)
}

// close combines the variants of the input with each other, and what they become with them again. The order is that of MIDS:
// first in, first out, and every variant with those of the input before it.
func (l *lattice) close(origin string, combine func(x, y int32) (int32, bool), room int) {
	var queue []int
	queued := map[int]bool{}
	push := func(position int) {
		if !queued[position] {
			queued[position] = true
			queue = append(queue, position)
		}
	}
	for i := range l.inputs {
		push(i)
	}
	for at := 0; at < len(queue); at++ {
		i := queue[at]
		for j := range min(i, l.inputs) {
			if l.related(i, j) {
				continue
			}
			id, known := combine(l.nodes[i].id, l.nodes[j].id)
			if _, found := l.position[id]; known && !found && len(l.nodes) < room {
				l.add(id, origin)
			}
			if position, found := l.position[id]; known && found {
				push(position)
				continue
			}
			l.nodes[i].incomplete, l.nodes[j].incomplete = true, true
		}
	}
}

// related reports whether one of two variants is part of the other.
func (l *lattice) related(i, j int) bool {
	x, y := l.nodes[i].id, l.nodes[j].id
	return l.below(x, y) || l.below(y, x)
}

// hasse returns the positions of every pair of which the lower one is part of the upper one, and no other is in between, by
// lower and then upper one: Hasse's diagram, the transitive reduction of inclusion.
func (l *lattice) hasse() (edges [][2]int) {
	above := make([][]int, len(l.nodes))
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

// unrelated returns the positions of every pair of variants of the input of which neither is part of the other.
func (l *lattice) unrelated() (pairs [][2]int) {
	for j := range l.inputs {
		for i := range j {
			if !l.related(i, j) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return pairs
}
