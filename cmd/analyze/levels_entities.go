package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/modelsets"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// levelsEntity is an entity with its variants.
type levelsEntity struct {
	component, name string
	of              []int64        // by model set: its variant
	computed        map[int64]bool // variants that no model set of the input has
	edges           []schema.LatticeEdge
	distinct        int   // behaviours that model sets have
	moved           int64 // transitions added and removed between them
}

// naming are the cells that name an entity: its component and, of a fragment, its name within it.
func (r *levelsReport) naming(component, entity string) []string {
	if r.job.Of == modelsets.Components {
		return []string{component}
	}
	return []string{component, strings.TrimPrefix(entity, component+".")}
}

func (r *levelsReport) cells(e *levelsEntity) []string { return r.naming(e.component, e.name) }

// columns are the heads of these cells.
func (r *levelsReport) columns() []string {
	if r.job.Of == modelsets.Components {
		return []string{"component"}
	}
	return []string{"component", "fragment"}
}

// collect finds the entities that differ, those with the most behaviours first, and of these those with the most
// transitions added and removed.
func (r *levelsReport) collect() {
	type key struct{ component, entity string }
	entities := make(map[key]*levelsEntity)
	for _, v := range r.tables.Variants {
		if v.Level != schema.OfEntities {
			continue
		}
		k := key{v.Component, v.Entity}
		e := entities[k]
		if e == nil {
			e = &levelsEntity{component: v.Component, name: v.Entity, computed: make(map[int64]bool)}
			entities[k] = e
			r.rows = append(r.rows, e)
		}
		if v.Origin != schema.FromInput {
			e.computed[v.Variant] = true
		}
		if v.ModelSet != "" {
			e.of = append(e.of, v.Variant)
		}
	}
	for _, l := range r.tables.Lattice {
		if e := entities[key{l.Component, l.Entity}]; l.Level == schema.OfEntities {
			e.edges = append(e.edges, l)
			e.moved += value(l.Added) + value(l.Removed)
		}
	}
	all := len(r.rows)
	r.rows = slices.DeleteFunc(r.rows, func(e *levelsEntity) bool {
		variants := slices.Compact(slices.Sorted(slices.Values(e.of)))
		e.distinct = len(variants)
		if variants[0] == 0 {
			e.distinct--
		}
		return len(variants) < 2
	})
	r.shared = all - len(r.rows)
	slices.SortStableFunc(r.rows, func(x, y *levelsEntity) int {
		return cmp.Or(cmp.Compare(y.distinct, x.distinct), cmp.Compare(y.moved, x.moved))
	})
}

// first are the rows that are printed.
func first[T any](all []T, top int) []T { return all[:min(len(all), top)] }

// table is level 4.
func (r *levelsReport) table() error {
	fmt.Fprintf(r.out, "4  Which variant of a %s they have: %s not the same everywhere, %s the same\n", r.noun, texttab.Count(len(r.rows)), texttab.Count(r.shared))
	if len(r.rows) == 0 {
		fmt.Fprintln(r.out)
		return nil
	}
	g := texttab.New("")
	g.Row(slices.Concat([]string{""}, r.heads, r.columns())...)
	for _, e := range first(r.rows, r.top) {
		letters := []string{""}
		for _, variant := range e.of {
			letters = append(letters, letter(variant))
		}
		g.Row(append(letters, r.cells(e)...)...)
	}
	if len(r.rows) > r.top {
		g.Row("", "...")
	}
	err := g.Write(r.out)
	fmt.Fprintln(r.out)
	return err
}
