package levels

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// step is what became of the entities from one model set to another, by first appearance.
type step struct {
	base, cand                  int // the model sets
	appeared, vanished, changed []int
	moved                       [][2]int // the entity before and now
}

// step compares two model sets entity by entity, and then pairs those that are in one of them only.
func (c *comparer) step(base, cand int) (s step) {
	s.base, s.cand = base, cand
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
	c.pair(&s, func(e int) string { return c.entities[e].component })
	c.pair(&s, func(int) string { return "" })
	return s
}

// pair finds entities that are gone and new ones of the same language and the same group: the first with the first.
func (c *comparer) pair(s *step, group func(e int) string) {
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

// differences adds a row for every pair of model sets.
func (c *comparer) differences(out *Comparison) {
	for i, base := range c.names {
		for j := i + 1; j < len(c.names); j++ {
			s := c.step(i, j)
			row := schema.SetDifference{
				BaseSet: base, CandSet: c.names[j], Appeared: int64(len(s.appeared)), Vanished: int64(len(s.vanished)),
				Changed: int64(len(s.changed)), Moved: int64(len(s.moved)),
			}
			row.Differing = row.Appeared + row.Vanished + row.Changed + 2*row.Moved
			out.Differences = append(out.Differences, row)
		}
	}
}

// changes adds what became of every entity from each of the first sets to the next.
func (c *comparer) changes(sets int, out *Comparison) {
	for i := 1; i < sets; i++ {
		s := c.step(i-1, i)
		for _, list := range []struct {
			verdict  string
			entities []int
		}{{schema.Appeared, s.appeared}, {schema.Vanished, s.vanished}, {schema.Changed, s.changed}} {
			for _, e := range list.entities {
				out.Changes = append(out.Changes, c.change(s, list.verdict, e, e))
			}
		}
		for _, m := range s.moved {
			out.Changes = append(out.Changes, c.change(s, schema.Moved, m[0], m[1]))
		}
	}
}

// change describes what became of an entity, which is another one now where it moved.
func (c *comparer) change(s step, verdict string, before, now int) schema.EntityChange {
	x, y := c.behaviour[before][s.base], c.behaviour[now][s.cand]
	row := schema.EntityChange{
		BaseSet: c.names[s.base], CandSet: c.names[s.cand], Component: c.entities[before].component, Entity: c.entities[before].name,
		Verdict: verdict, BaseVariant: c.lattices[before].of(x).number, CandVariant: c.lattices[now].of(y).number,
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
