// Package levels reports how the behaviour of model sets differs, on the six levels of Hendriks et al. 2022 (Hilbig 2023,
// section 2.3.2). It takes the rows of the tables variants, lattice, differences and entity_changes and writes them as text
// for people (levels 1 to 3 in sets.go, 4 to 6 in entities.go, the changes from each set to the next in steps.go) or, with
// all their columns, as JSON.
package levels

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/jsonrows"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Set is a model set: a name and the runs that its models are learnt from.
type Set struct {
	Name string   `json:"name"` // as the user gave it
	Runs []string `json:"runs"` // names of its runs
}

// Report is a comparison of model sets.
type Report struct {
	Comparison  string                 // its name
	Entities    string                 // what is compared: "fragments" or "components"
	Sets        []Set                  // in the order of the comparison
	Completed   bool                   // unions and intersections of variants were computed as well
	Variants    []schema.Variant       // of model sets and of entities; equal behaviour has one number
	Lattice     []schema.LatticeEdge   // inclusion of behaviour, without edges that follow from others
	Differences []schema.SetDifference // how many entities differ between two sets
	Changes     []schema.EntityChange  // from each set to the next
}

// WriteJSON writes the tables with all rows, by the names of their columns.
// Rows are written by column names, the same that SQL shows, so that a program can use either.
func (r *Report) WriteJSON(out io.Writer) error {
	return json.NewEncoder(out).Encode(struct {
		Comparison  string         `json:"comparison"`     // its name
		ModelSets   []Set          `json:"model_sets"`     // in the order of the comparison
		Of          string         `json:"of"`             // fragments or components
		Variants    []jsonrows.Row `json:"variants"`       // rows of the table variants
		Lattice     []jsonrows.Row `json:"lattice"`        // rows of the table lattice
		Differences []jsonrows.Row `json:"differences"`    // rows of the table differences
		Changes     []jsonrows.Row `json:"entity_changes"` // rows of the table entity_changes
	}{
		r.Comparison, r.Sets, r.Entities,
		jsonrows.ByColumn(r.Variants), jsonrows.ByColumn(r.Lattice), jsonrows.ByColumn(r.Differences), jsonrows.ByColumn(r.Changes),
	})
}

// WriteText writes the comparison level by level. Levels 4 to 6 and the changes are cut to top rows each.
func (r *Report) WriteText(out io.Writer, top int) error {
	t := newTextReport(r)
	t.out, t.top = out, top
	// From the coarsest level to the finest.
	// Each level writes its heading with its number, also where it has nothing to say.
	levels := []func() error{
		t.writeVariants, t.writeExtensions, t.writeMatrix, t.writeEntityVariants, t.writeEntityExtensions, t.writeStructure, t.writeSteps,
	}
	for _, write := range levels {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// newTextReport collects what all levels need.
func newTextReport(r *Report) *textReport {
	// 1. The sets in their order, and which variants are computed.
	t := &textReport{Report: r, noun: strings.TrimSuffix(r.Entities, "s"), position: make(map[string]int), computed: make(map[int64]bool)}
	for _, v := range r.Variants {
		if v.Level != schema.OfModelSets {
			continue
		}
		t.computed[v.Variant] = v.Origin != schema.FromInput
		if v.ModelSet != "" {
			t.position[v.ModelSet] = len(t.sets)
			t.sets = append(t.sets, v)
		}
	}
	// 2. The entities that differ, which levels 4 to 6 are about.
	t.collectEntities()
	t.setHeads()
	return t
}

// textReport is a report while it is written for people.
type textReport struct {
	*Report
	out       io.Writer
	top       int              // rows of a list that are printed
	noun      string           // of one entity
	sets      []schema.Variant // the row of every model set, computed ones included
	heads     []string         // the heads of their columns: their names, or numbers where the names are too wide together
	named     bool             // whether the heads are names
	position  map[string]int   // of a model set in sets, by its name
	computed  map[int64]bool   // variants that no model set of the input is
	differing []*entity        // those that are not the same everywhere, the greatest difference first
	same      int              // the number of all others
}

// widestHeads bounds the characters of all heads together: a table of more would wrap in most terminals.
const widestHeads = 100

// setHeads chooses between names and numbers as heads of columns. Numbers are explained by the list of level 1.
func (t *textReport) setHeads() {
	var names, numbers []string
	for i, v := range t.sets {
		// Two spaces stand between columns, as in the table.
		names, numbers = append(names, v.ModelSet), append(numbers, strconv.Itoa(i+1))
	}
	if t.named = len(strings.Join(names, "  ")) <= widestHeads; t.named {
		t.heads = names
	} else {
		t.heads = numbers
	}
}

// legend explains the brackets around computed variants, where there can be any.
func (t *textReport) legend() string {
	if t.Completed {
		return "; (C) is computed"
	}
	return ""
}

// letter writes the number of a variant as spreadsheets write columns: 1 is A, 26 is Z, 27 is AA. 0, no behaviour, is "-".
func letter(variant int64) string {
	if variant == 0 {
		return "-"
	}
	// Numbers in base 26 without a zero: the digit A is 1, hence the -1 in both places.
	text := ""
	for n := variant; n > 0; n = (n - 1) / 26 {
		text = string(rune('A'+(n-1)%26)) + text
	}
	return text
}

// bracketed writes the letter of a variant, in brackets if the variant is computed.
func bracketed(computed map[int64]bool, variant int64) string {
	if computed[variant] {
		return "(" + letter(variant) + ")"
	}
	return letter(variant)
}

// firstRows cuts a list to the rows that are printed.
func firstRows[T any](all []T, top int) []T { return all[:min(len(all), top)] }

// writeList prints a list that was cut, and says how many rows it lacks. found is the number of all rows; an empty list is the
// word none, so that no level looks forgotten.
func (t *textReport) writeList(list *texttab.Table, found int) error {
	switch {
	case found == 0:
		list.Row("", "none")
	case found > t.top:
		list.Row("", fmt.Sprintf("... and %s more", texttab.Count(found-t.top)))
	}
	err := list.Write(t.out)
	fmt.Fprintln(t.out)
	return err
}

// valueOrZero returns a nullable count.
func valueOrZero(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}
