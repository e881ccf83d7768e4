package levels

import (
	"context"
	"encoding/binary"
	"strconv"
)

// vectorTable numbers the behaviours of model sets: one language for every entity on which the model sets
// disagree. On the others they all agree, whatever is computed from them.
type vectorTable struct {
	lattices []*lattice       // by varying entity
	elements [][]int32        // by behaviour: a language for each varying entity
	ids      map[string]int32 // by the bytes of the elements
}

// setLattice orders the variants of the model sets, none of which has number 0. With full completion the
// computed ones become model sets.
func (c *comparer) setLattice(ctx context.Context) error {
	c.vectors = &vectorTable{ids: map[string]int32{}}
	for e := range c.entities {
		if c.isVarying(e) {
			c.varying = append(c.varying, e)
			c.vectors.lattices = append(c.vectors.lattices, c.lattices[e])
		}
	}
	c.sets = newLattice(c.vectors, -1)
	for i := range c.names {
		c.sets.addInput(c.vectorOf(i))
	}
	if c.options.Completion != None {
		if err := c.sets.completeLattice(ctx, c.options.MaxComputed); err != nil {
			return err
		}
	}
	if c.options.Completion == Full {
		c.addComputed()
	}
	return nil
}

// vectorOf returns the behaviour of a model set.
func (c *comparer) vectorOf(set int) int32 {
	v := make([]int32, len(c.varying))
	for i, e := range c.varying {
		v[i] = c.behaviour[e][set]
	}
	return c.vectors.internVector(v)
}

// addComputed makes model sets of the computed variants, with names such as MIDS gives them.
func (c *comparer) addComputed() {
	// Computed sets agree with the given ones where these all agree.
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

// internVector returns the number of a behaviour.
func (v *vectorTable) internVector(elements []int32) int32 {
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
func (v *vectorTable) below(x, y int32) bool {
	for i, id := range v.elements[x] {
		if !v.lattices[i].below(id, v.elements[y][i]) {
			return false
		}
	}
	return true
}

// union combines the languages of every entity by union.
func (v *vectorTable) union(x, y int32) (int32, bool) {
	return v.combineVectors(x, y, (*lattice).union)
}

// intersection combines the languages of every entity by intersection.
func (v *vectorTable) intersection(x, y int32) (int32, bool) {
	return v.combineVectors(x, y, (*lattice).intersection)
}

// combineVectors combines entity by entity. The result is known if every entity has it as a variant.
func (v *vectorTable) combineVectors(x, y int32, f func(l *lattice, a, b int32) (int32, bool)) (int32, bool) {
	elements := make([]int32, len(v.lattices))
	for i, l := range v.lattices {
		id, _ := f(l, v.elements[x][i], v.elements[y][i])
		if _, found := l.position[id]; !found {
			return 0, false
		}
		elements[i] = id
	}
	return v.internVector(elements), true
}
