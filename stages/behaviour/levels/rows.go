package levels

import "github.com/tracelake/tracelake/schema"

// setVariants returns the variants of the model sets, and the computed ones that no model set has.
func (c *comparer) setVariants() []schema.Variant {
	return c.variantRows(c.sets, c.vectorOf, c.setVariant)
}

// variantRows returns the variants of a lattice: for every model set, by its position, the variant that it has, and
// then the computed ones that none has, without a name.
func (c *comparer) variantRows(l *lattice, variantOf func(set int) int32, row func(name string, n *node) schema.Variant) (rows []schema.Variant) {
	had := map[int32]bool{}
	for i, name := range c.names {
		id := variantOf(i)
		had[id] = true
		rows = append(rows, row(name, l.nodeOf(id)))
	}
	for i := range l.nodes {
		if n := &l.nodes[i]; !had[n.id] {
			rows = append(rows, row("", n))
		}
	}
	return rows
}

// setVariant returns the row of a variant of model sets, with the number of entities that have words.
func (c *comparer) setVariant(name string, n *node) schema.Variant {
	entities := int64(0)
	for e := range c.entities {
		if !c.isVarying(e) && c.behaviour[e][0] != empty {
			entities++
		}
	}
	for _, id := range c.vectors.elements[n.id] {
		if id != empty {
			entities++
		}
	}
	return schema.Variant{Level: schema.OfModelSets, ModelSet: name, Variant: n.number, Origin: n.origin, Entities: &entities, Incomplete: n.incomplete}
}

// setEdges returns the lattice of the model sets, with the numbers of entities that differ.
func (c *comparer) setEdges() (rows []schema.LatticeEdge) {
	for _, e := range c.sets.hasseEdges() {
		lower, upper := c.sets.nodes[e[0]], c.sets.nodes[e[1]]
		row := schema.LatticeEdge{Level: schema.OfModelSets, Relation: schema.Included, Lower: lower.number, Upper: upper.number}
		row.Added, row.Changed, row.Removed = new(int64), new(int64), new(int64)
		for i, x := range c.vectors.elements[lower.id] {
			switch y := c.vectors.elements[upper.id][i]; {
			case x == y:
			case x == empty:
				*row.Added++
			case y == empty:
				*row.Removed++
			default:
				*row.Changed++
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// entityVariants returns the variants of an entity in the model sets, and the computed ones that no model
// set has.
func (c *comparer) entityVariants(e int) []schema.Variant {
	return c.variantRows(c.lattices[e], func(set int) int32 { return c.behaviour[e][set] },
		func(name string, n *node) schema.Variant { return c.entityVariant(e, name, n) })
}

// entityVariant returns the row of a variant of an entity, with the size of its minimal automaton.
func (c *comparer) entityVariant(e int, name string, n *node) schema.Variant {
	minimal := c.languages.minimal[n.id]
	states, transitions := int64(minimal.States()), int64(minimal.Transitions())
	return schema.Variant{
		Level: schema.OfEntities, Component: c.entities[e].component, Entity: c.entities[e].name, ModelSet: name, Variant: n.number,
		Origin: n.origin, States: &states, Transitions: &transitions, Incomplete: n.incomplete,
	}
}

// entityEdges adds the lattice of an entity and its unrelated variants, all of them to be compared in
// structure.
func (c *comparer) entityEdges(e int, out *Comparison) {
	c.addDiffs(e, schema.Included, c.lattices[e].hasseEdges(), out)
	c.addDiffs(e, schema.Unrelated, c.lattices[e].unrelatedInputs(), out)
}

// addDiffs adds pairs of variants as edges, each with its structural comparison.
func (c *comparer) addDiffs(e int, relation string, pairs [][2]int, out *Comparison) {
	for _, p := range pairs {
		lower, upper := c.lattices[e].nodes[p[0]], c.lattices[e].nodes[p[1]]
		out.Diffs = append(out.Diffs, Diff{Edge: len(out.Lattice), Lower: c.modelOf(e, lower.id), Upper: c.modelOf(e, upper.id)})
		out.Lattice = append(out.Lattice, schema.LatticeEdge{
			Level: schema.OfEntities, Component: c.entities[e].component, Entity: c.entities[e].name,
			Relation: relation, Lower: lower.number, Upper: upper.number,
		})
	}
}
