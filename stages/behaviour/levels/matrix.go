package levels

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// setChange lists what happened to the entities from one model set to another, by first appearance.
type setChange struct {
	base, cand                  int      // positions of the model sets
	appeared, vanished, changed []int    // entities
	moved                       [][2]int // the entity before, and the one now
}

// compareSets compares two model sets entity by entity, and then pairs those that only one of them has:
// first within components, then across.
func (c *comparer) compareSets(base, cand int) (s setChange) {
	s.base, s.cand = base, cand
	// Entities on which all sets agree have not changed between any two.
	for _, e := range c.varying {
		switch x, y := c.behaviour[e][base], c.behaviour[e][cand]; {
		case x == y:
		case x == empty:
			s.appeared = append(s.appeared, e)
		case y == empty:
			s.vanished = append(s.vanished, e)
		default:
			s.changed = append(s.changed, e)
		}
	}
	c.pairMoved(&s, func(e int) string { return c.entities[e].component })
	c.pairMoved(&s, func(int) string { return "" })
	return s
}

// pairMoved pairs entities that vanished with new ones of the same language and the same group: the first
// with the first.
func (c *comparer) pairMoved(s *setChange, group func(e int) string) {
	type kind struct {
		language int32
		group    string
	}
	open, to := map[kind][]int{}, map[int]bool{}
	for _, e := range s.appeared {
		k := kind{c.behaviour[e][s.cand], group(e)}
		open[k] = append(open[k], e)
	}
	var vanished []int
	for _, e := range s.vanished {
		k := kind{c.behaviour[e][s.base], group(e)}
		// Nothing new has this language: the entity is gone.
		if len(open[k]) == 0 {
			vanished = append(vanished, e)
			continue
		}
		s.moved = append(s.moved, [2]int{e, open[k][0]})
		to[open[k][0]] = true
		open[k] = open[k][1:]
	}
	s.vanished = vanished
	s.appeared = slices.DeleteFunc(s.appeared, func(e int) bool { return to[e] })
}

// addDifferences adds a row for every pair of model sets.
func (c *comparer) addDifferences(out *Comparison) {
	for i, base := range c.names {
		for j := i + 1; j < len(c.names); j++ {
			s := c.compareSets(i, j)
			row := schema.SetDifference{
				BaseSet: base, CandSet: c.names[j], Appeared: int64(len(s.appeared)), Vanished: int64(len(s.vanished)),
				Changed: int64(len(s.changed)), Moved: int64(len(s.moved)),
			}
			row.Differing = row.Appeared + row.Vanished + row.Changed + 2*row.Moved
			out.Differences = append(out.Differences, row)
		}
	}
}

// addChanges adds what happened to every entity from each of the first sets to the next.
func (c *comparer) addChanges(sets int, out *Comparison) {
	for i := 1; i < sets; i++ {
		s := c.compareSets(i-1, i)
		for _, list := range []struct {
			verdict  string
			entities []int
		}{{schema.Appeared, s.appeared}, {schema.Vanished, s.vanished}, {schema.Changed, s.changed}} {
			for _, e := range list.entities {
				out.Changes = append(out.Changes, c.changeRow(s, list.verdict, e, e))
			}
		}
		for _, m := range s.moved {
			out.Changes = append(out.Changes, c.changeRow(s, schema.Moved, m[0], m[1]))
		}
	}
}

// changeRow describes what happened to an entity, which has another name now if it moved.
func (c *comparer) changeRow(s setChange, verdict string, before, now int) schema.EntityChange {
	x, y := c.behaviour[before][s.base], c.behaviour[now][s.cand]
	row := schema.EntityChange{
		BaseSet: c.names[s.base], CandSet: c.names[s.cand], Component: c.entities[before].component, Entity: c.entities[before].name,
		Verdict: verdict, BaseVariant: c.lattices[before].nodeOf(x).number, CandVariant: c.lattices[now].nodeOf(y).number,
	}
	switch {
	case verdict == schema.Moved:
		row.CandComponent, row.CandEntity = c.entities[now].component, c.entities[now].name
	case verdict != schema.Changed:
	case c.languages.below(x, y):
		row.Behaviour = schema.Extended
	case c.languages.below(y, x):
		row.Behaviour = schema.Reduced
	default:
		row.Behaviour = schema.Replaced
	}
	return row
}
