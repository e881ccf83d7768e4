package levels

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// entity is a fragment or a component with its variants.
type entity struct {
	component, name string               // the component, and the name of the fragment or again of the component
	variants        []int64              // by model set; 0 where it lacks the entity
	computed        map[int64]bool       // variants that no model set of the input has
	edges           []schema.LatticeEdge // how its variants include each other, from the table lattice
	behaviours      int                  // different ones that model sets have
	changed         int64                // transitions added and removed between all variants
}

// nameCells returns the cells that name an entity: its component and, of a fragment, its name within it.
func (t *textReport) nameCells(component, name string) []string {
	if t.Entities == "components" {
		return []string{component}
	}
	return []string{component, strings.TrimPrefix(name, component+".")} // the name of a fragment may begin with that of its component
}

// nameHeads returns the heads of these cells.
func (t *textReport) nameHeads() []string {
	if t.Entities == "components" {
		return []string{"component"}
	}
	return []string{"component", "fragment"}
}

// collectEntities finds the entities that differ and sorts them: the most behaviours first, then the most transitions added
// and removed. Its results are differing and same.
func (t *textReport) collectEntities() {
	// 1. The variants of every entity. Rows without a model set are variants that were computed and that no set has.
	type key struct{ component, entity string }
	byName := make(map[key]*entity)
	for _, v := range t.Variants {
		if v.Level != schema.OfEntities {
			continue
		}
		k := key{v.Component, v.Entity}
		e := byName[k]
		if e == nil {
			e = &entity{component: v.Component, name: v.Entity, computed: make(map[int64]bool)}
			byName[k] = e
			t.differing = append(t.differing, e) // first all, sorted out below
		}
		if v.Origin != schema.FromInput {
			e.computed[v.Variant] = true
		}
		if v.ModelSet != "" {
			e.variants = append(e.variants, v.Variant)
		}
	}
	// 2. How its variants are related, and by how many transitions they differ.
	for _, l := range t.Lattice {
		if e := byName[key{l.Component, l.Entity}]; l.Level == schema.OfEntities {
			e.edges = append(e.edges, l)
			e.changed += valueOrZero(l.Added) + valueOrZero(l.Removed)
		}
	}
	// 3. Only entities with more than one variant differ. Variant 0, an entity that a set lacks, is no behaviour.
	all := len(t.differing)
	t.differing = slices.DeleteFunc(t.differing, func(e *entity) bool {
		distinct := slices.Compact(slices.Sorted(slices.Values(e.variants)))
		e.behaviours = len(distinct) // variant 0 included, which the next lines take out
		// Sorted, variant 0 is the first.
		if distinct[0] == 0 {
			e.behaviours--
		}
		return len(distinct) < 2
	})
	t.same = all - len(t.differing)
	// 4. Ties keep the order of the table, so that the report is the same every time.
	slices.SortStableFunc(t.differing, func(x, y *entity) int {
		return cmp.Or(cmp.Compare(y.behaviours, x.behaviours), cmp.Compare(y.changed, x.changed))
	})
}

// writeEntityVariants writes level 4: the variant of every differing entity in every model set.
func (t *textReport) writeEntityVariants() error {
	fmt.Fprintf(t.out, "4  Which variant of a %s they have: %s not the same everywhere, %s the same\n", t.noun,
		texttab.Count(len(t.differing)), texttab.Count(t.same))
	if len(t.differing) == 0 {
		fmt.Fprintln(t.out)
		return nil
	}
	// No alignment is named: all columns are text, and trailing ones have as many as the entity's name needs.
	table := texttab.New("")
	table.Row(slices.Concat([]string{""}, t.heads, t.nameHeads())...)
	for _, e := range firstRows(t.differing, t.top) {
		cells := []string{""}
		for _, variant := range e.variants { // A, B, ..., or - where the set lacks the entity
			cells = append(cells, letter(variant))
		}
		table.Row(append(cells, t.nameCells(e.component, e.name)...)...)
	}
	// The heading has the number of all, so that a mark suffices for those that are cut.
	if len(t.differing) > t.top {
		table.Row("", "...")
	}
	err := table.Write(t.out)
	fmt.Fprintln(t.out)
	return err
}

// writeEntityExtensions writes level 5: how the variants of each entity with more than one behaviour are related.
func (t *textReport) writeEntityExtensions() error {
	fmt.Fprintf(t.out, "5  Which variants of a %s extend which: in A -> B, B can do all that A can; in A | B, neither%s\n", t.noun, t.legend())
	table, found := texttab.New(""), 0
	for _, e := range t.differing {
		var pairs []string
		// Lower 0 stands for no behaviour.
		// Every behaviour extends that of an entity that is not there: such pairs say nothing.
		for _, l := range e.edges {
			if l.Lower != 0 {
				pairs = append(pairs, relation(e, l))
			}
		}
		if len(pairs) == 0 {
			continue
		}
		// Behind the top rows pairs are only counted.
		if found++; found <= t.top {
			table.Row(slices.Concat([]string{""}, t.nameCells(e.component, e.name), []string{strings.Join(pairs, ", ")})...)
		}
	}
	return t.writeList(table, found)
}

// relation writes a pair of variants with an arrow, or with a bar where neither extends the other.
func relation(e *entity, l schema.LatticeEdge) string {
	sign := " -> "
	if l.Relation == schema.Unrelated {
		sign = " | "
	}
	return bracketed(e.computed, l.Lower) + sign + bracketed(e.computed, l.Upper)
}

// writeStructure writes level 6: transitions added and removed between two variants, the greatest difference first. Pairs without a
// lattice edge are not compared: what they differ by follows from the edges between them.
func (t *textReport) writeStructure() error {
	type difference struct {
		entity *entity
		edge   schema.LatticeEdge
	}
	var all []difference
	for _, e := range t.differing {
		for _, l := range e.edges {
			if l.Lower != 0 {
				all = append(all, difference{e, l})
			}
		}
	}
	size := func(d difference) int64 { return valueOrZero(d.edge.Added) + valueOrZero(d.edge.Removed) } // transitions that only one of the two has
	slices.SortStableFunc(all, func(x, y difference) int { return cmp.Compare(size(y), size(x)) })
	fmt.Fprintf(t.out, "6  What differs in structure: +transitions that only the second variant has, -only the first\n")
	table := texttab.New("llrr")
	for _, d := range firstRows(all, t.top) {
		cells := []string{"", relation(d.entity, d.edge), "+" + texttab.Count(valueOrZero(d.edge.Added)), "-" + texttab.Count(valueOrZero(d.edge.Removed))}
		table.Row(append(cells, t.nameCells(d.entity.component, d.entity.name)...)...)
	}
	return t.writeList(table, len(all))
}
