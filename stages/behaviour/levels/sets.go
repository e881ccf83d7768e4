package levels

import (
	"encoding/binary"
	"strconv"
)

// vectors numbers the behaviours of model sets: a language for every entity on which the model sets disagree. On the others
// they all agree, whatever is computed of them.
type vectors struct {
	lattices []*lattice // of these entities
	elements [][]int32  // by behaviour
	ids      map[string]int32
}

// setLattice orders the variants of the model sets, none of which has number 0. With full completion the computed ones become
// model sets.
func (c *comparer) setLattice() {
	c.vectors = &vectors{ids: map[string]int32{}}
	for e := range c.entities {
		if c.varies(e) {
			c.varying = append(c.varying, e)
			c.vectors.lattices = append(c.vectors.lattices, c.lattices[e])
		}
	}
	c.sets = newLattice(c.vectors, -1)
	for i := range c.names {
		c.sets.input(c.vector(i))
	}
	if c.options.Completion != None {
		c.sets.complete(c.options.MaxComputed)
	}
	if c.options.Completion == Full {
		c.addComputed()
	}
}

// vector returns the behaviour of a model set.
func (c *comparer) vector(set int) int32 {
	v := make([]int32, len(c.varying))
	for i, e := range c.varying {
		v[i] = c.behaviour[e][set]
	}
	return c.vectors.intern(v)
}

// addComputed makes model sets of the computed variants, with names such as MIDS gives them.
func (c *comparer) addComputed() {
	for n, computed := range c.sets.nodes[c.sets.inputs:] {
		c.names = append(c.names, "computed_"+strconv.Itoa(n+1))
		for e := range c.entities {
			c.behaviour[e] = append(c.behaviour[e], c.behaviour[e][0])
			c.models[e] = append(c.models[e], nil)
		}
		for i, e := range c.varying {
			c.behaviour[e][len(c.names)-1] = c.vectors.elements[computed.id][i]
		}
	}
}

func (v *vectors) intern(elements []int32) int32 {
	var key []byte
	for _, id := range elements {
		key = binary.LittleEndian.AppendUint32(key, uint32(id))
	}
	id, found := v.ids[string(key)]
	if !found {
		id = int32(len(v.elements))
		v.ids[string(key)] = id
		v.elements = append(v.elements, elements)
	}
	return id
}

// below reports whether every entity of x is part of that of y.
func (v *vectors) below(x, y int32) bool {
	for i, id := range v.elements[x] {
		if !v.lattices[i].below(id, v.elements[y][i]) {
			return false
		}
	}
	return true
}

func (v *vectors) union(x, y int32) (int32, bool) {
	return v.combine(x, y, func(l *lattice, a, b int32) (int32, bool) { return l.union(a, b) })
}

func (v *vectors) intersection(x, y int32) (int32, bool) {
	return v.combine(x, y, func(l *lattice, a, b int32) (int32, bool) { return l.intersection(a, b) })
}

// combine combines entity by entity. The result is known where every entity has it as a variant.
func (v *vectors) combine(x, y int32, f func(l *lattice, a, b int32) (int32, bool)) (int32, bool) {
	elements := make([]int32, len(v.lattices))
	for i, l := range v.lattices {
		id, _ := f(l, v.elements[x][i], v.elements[y][i])
		if _, found := l.position[id]; !found {
			return 0, false
		}
		elements[i] = id
	}
	return v.intern(elements), true
}
