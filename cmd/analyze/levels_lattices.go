package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// lattices are level 5: of the entities of which there is more than one behaviour.
func (r *levelsReport) lattices() error {
	fmt.Fprintf(r.out, "5  Which variants of a %s extend which: in A -> B, B can do all that A can; in A | B, neither%s\n", r.noun, r.legend())
	g, found := grid{}, 0
	for _, e := range r.rows {
		var pairs []string
		for _, l := range e.edges {
			if l.Lower != 0 {
				pairs = append(pairs, related(e, l))
			}
		}
		if len(pairs) == 0 {
			continue
		}
		if found++; found <= r.top {
			g.row(slices.Concat([]string{""}, r.cells(e), []string{strings.Join(pairs, ", ")})...)
		}
	}
	return r.listed(&g, found)
}

// related writes a pair of variants, computed ones in brackets.
func related(e *levelsEntity, l schema.LatticeEdge) string {
	sign := " -> "
	if l.Relation == schema.Unrelated {
		sign = " | "
	}
	return bracketed(e.computed, l.Lower) + sign + bracketed(e.computed, l.Upper)
}

// diffs are level 6, the greatest first.
func (r *levelsReport) diffs() error {
	type diff struct {
		entity *levelsEntity
		edge   schema.LatticeEdge
	}
	var all []diff
	for _, e := range r.rows {
		for _, l := range e.edges {
			if l.Lower != 0 {
				all = append(all, diff{e, l})
			}
		}
	}
	size := func(d diff) int64 { return value(d.edge.Added) + value(d.edge.Removed) }
	slices.SortStableFunc(all, func(x, y diff) int { return cmp.Compare(size(y), size(x)) })
	fmt.Fprintf(r.out, "6  What differs in structure: +transitions that only the second variant has, -only the first\n")
	g := grid{right: []bool{false, false, true, true}}
	for _, d := range first(all, r.top) {
		counts := []string{"", related(d.entity, d.edge), "+" + count(value(d.edge.Added)), "-" + count(value(d.edge.Removed))}
		g.row(append(counts, r.cells(d.entity)...)...)
	}
	return r.listed(&g, len(all))
}

// listed prints a list of which there may be more.
func (r *levelsReport) listed(g *grid, found int) error {
	switch {
	case found == 0:
		g.row("", "none")
	case found > r.top:
		g.row("", fmt.Sprintf("... and %s more", count(int64(found-r.top))))
	}
	err := g.write(r.out)
	fmt.Fprintln(r.out)
	return err
}
