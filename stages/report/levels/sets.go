package levels

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// writeVariants writes level 1: model sets of equal behaviour are one variant and have one letter.
func (t *textReport) writeVariants() error {
	fmt.Fprintf(t.out, "comparison %s: the behaviour of %s\n\n", t.Comparison, texttab.Plural(len(t.Sets), "model set"))
	fmt.Fprintln(t.out, "1  Which behave alike: those with one letter")
	table := texttab.New("lllr") // indent, letter, set, and number of entities
	for i, v := range t.sets {
		// Sets of the input come first, in their order; unions and intersections follow.
		of := "computed"
		if i < len(t.Sets) {
			of = texttab.Plural(len(t.Sets[i].Runs), "run")
		}
		set := v.ModelSet
		// Where heads of columns are numbers, this list says which number is which set.
		if !t.named {
			set = texttab.PadLeft(t.heads[i], len(strconv.Itoa(len(t.sets)))) + " " + set
		}
		letter := letter(v.Variant)
		if v.Incomplete {
			letter += "*"
		}
		table.Row("", letter, set, texttab.Plural(*v.Entities, t.noun), of)
	}
	err := table.Write(t.out)
	if slices.ContainsFunc(t.sets, func(v schema.Variant) bool { return v.Incomplete }) {
		fmt.Fprintln(t.out, "  * a union or an intersection with it was not computed")
	}
	fmt.Fprintln(t.out)
	return err
}

// writeExtensions writes level 2: the edges of the lattice of model sets, whose order is inclusion of behaviour. Edges that follow
// from others are not in the table.
func (t *textReport) writeExtensions() error {
	fmt.Fprintf(t.out, "2  Which extend which: in A -> B, B can do all that A can; +%ss that A lacks, ~%ss that can do more%s\n", t.noun, t.noun, t.legend())
	none := true
	for _, e := range t.Lattice {
		if e.Level == schema.OfModelSets {
			none = false
			fmt.Fprintf(t.out, "  %s -> %s  +%s ~%s\n", bracketed(t.computed, e.Lower), bracketed(t.computed, e.Upper),
				// Between sets both counts are always known: each entity is compared.
				texttab.Count(*e.Added), texttab.Count(*e.Changed))
		}
	}
	if none {
		fmt.Fprintf(t.out, "  none\n")
	}
	fmt.Fprintln(t.out)
	return nil
}

// writeMatrix writes level 3: the symmetric matrix of how many entities differ between two model sets.
func (t *textReport) writeMatrix() error {
	fmt.Fprintf(t.out, "3  How many %ss differ\n", t.noun)
	table := texttab.New("ll" + strings.Repeat("r", len(t.sets)))
	table.Row(append([]string{"", ""}, t.heads...)...)
	for i, row := range t.matrix() {
		cells := []string{"", t.heads[i]}
		for _, differing := range row {
			cells = append(cells, strconv.FormatInt(differing, 10))
		}
		table.Row(cells...)
	}
	err := table.Write(t.out)
	fmt.Fprintln(t.out)
	return err
}
