package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// lattices are level 5: of the entities of which there is more than one behaviour.
func (r *levelsReport) lattices() error {
	fmt.Fprintf(r.out, "5  Which variants of a %s extend which: in A -> B, B can do all that A can; in A | B, neither%s\n", r.noun, r.legend())
	g, found := texttab.New(""), 0
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
			g.Row(slices.Concat([]string{""}, r.cells(e), []string{strings.Join(pairs, ", ")})...)
		}
	}
	return r.listed(g, found)
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
	g := texttab.New("llrr")
	for _, d := range first(all, r.top) {
		counts := []string{"", related(d.entity, d.edge), "+" + texttab.Count(value(d.edge.Added)), "-" + texttab.Count(value(d.edge.Removed))}
		g.Row(append(counts, r.cells(d.entity)...)...)
	}
	return r.listed(g, len(all))
}

// listed prints a list of which there may be more.
func (r *levelsReport) listed(g *texttab.Table, found int) error {
	switch {
	case found == 0:
		g.Row("", "none")
	case found > r.top:
		g.Row("", fmt.Sprintf("... and %s more", texttab.Count(found-r.top)))
	}
	err := g.Write(r.out)
	fmt.Fprintln(r.out)
	return err
}
