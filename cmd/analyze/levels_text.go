package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/pipeline/modelsets"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// levelsReport is a comparison of model sets as it is told to people.
type levelsReport struct {
	out      io.Writer
	job      modelsets.Job
	tables   *modelsets.Tables
	top      int
	noun     string           // of an entity
	sets     []schema.Variant // one row for every model set
	heads    []string         // of their columns: their names, or numbers where these are too long together
	named    bool             // the heads are names
	number   map[string]int   // position of a model set in sets, by its name
	computed map[int64]bool   // variants that no model set of the input is
	rows     []*levelsEntity  // the entities that are not the same everywhere, the greatest difference first
	shared   int              // how many others there are
}

// writeLevels prints a comparison level by level.
func writeLevels(out io.Writer, j modelsets.Job, t *modelsets.Tables, top int) error {
	r := &levelsReport{out: out, job: j, tables: t, top: top, noun: strings.TrimSuffix(string(j.Of), "s"), number: make(map[string]int), computed: make(map[int64]bool)}
	for _, v := range t.Variants {
		if v.Level == schema.OfModelSets {
			r.computed[v.Variant] = v.Origin != schema.FromInput
		}
		if v.Level == schema.OfModelSets && v.ModelSet != "" {
			r.number[v.ModelSet] = len(r.sets)
			r.sets = append(r.sets, v)
		}
	}
	r.collect()
	r.setHeads()
	for _, level := range []func() error{r.alike, r.setLattice, r.matrix, r.table, r.lattices, r.diffs, r.steps} {
		if err := level(); err != nil {
			return err
		}
	}
	return nil
}

// widest is how many characters the names of all model sets may have to stand over columns.
const widest = 100

func (r *levelsReport) setHeads() {
	var names, numbers []string
	for i, v := range r.sets {
		names, numbers = append(names, v.ModelSet), append(numbers, strconv.Itoa(i+1))
	}
	if r.named = len(strings.Join(names, "  ")) <= widest; r.named {
		r.heads = names
	} else {
		r.heads = numbers
	}
}

// alike is level 1.
func (r *levelsReport) alike() error {
	fmt.Fprintf(r.out, "comparison %s: the behaviour of %s\n\n", r.job.ID, texttab.Plural(len(r.job.Sets), "model set"))
	fmt.Fprintln(r.out, "1  Which behave alike: those with one letter")
	g := texttab.New("lllr")
	for i, v := range r.sets {
		of := "computed"
		if i < len(r.job.Sets) {
			of = texttab.Plural(len(r.job.Sets[i].Runs), "run")
		}
		set := v.ModelSet
		if !r.named {
			set = texttab.PadLeft(r.heads[i], len(strconv.Itoa(len(r.sets)))) + " " + set
		}
		g.Row("", letter(v.Variant)+incomplete(v.Incomplete), set, texttab.Plural(*v.Entities, r.noun), of)
	}
	err := g.Write(r.out)
	if slices.ContainsFunc(r.sets, func(v schema.Variant) bool { return v.Incomplete }) {
		fmt.Fprintln(r.out, "  * a union or an intersection with it was not computed")
	}
	fmt.Fprintln(r.out)
	return err
}

// setLattice is level 2.
func (r *levelsReport) setLattice() error {
	fmt.Fprintf(r.out, "2  Which extend which: in A -> B, B can do all that A can; +%ss that A lacks, ~%ss that can do more%s\n", r.noun, r.noun, r.legend())
	none := true
	for _, e := range r.tables.Lattice {
		if e.Level == schema.OfModelSets {
			none = false
			fmt.Fprintf(r.out, "  %s -> %s  +%s ~%s\n", bracketed(r.computed, e.Lower), bracketed(r.computed, e.Upper), texttab.Count(*e.Added), texttab.Count(*e.Changed))
		}
	}
	if none {
		fmt.Fprintf(r.out, "  none\n")
	}
	fmt.Fprintln(r.out)
	return nil
}

// matrix is level 3.
func (r *levelsReport) matrix() error {
	fmt.Fprintf(r.out, "3  How many %ss differ\n", r.noun)
	cells := make([][]string, len(r.sets))
	for i := range cells {
		cells[i] = make([]string, len(r.sets))
		cells[i][i] = "0"
	}
	for _, d := range r.tables.Differences {
		i, j := r.number[d.BaseSet], r.number[d.CandSet]
		cells[i][j] = strconv.FormatInt(d.Differing, 10)
		cells[j][i] = cells[i][j]
	}
	g := texttab.New("ll" + strings.Repeat("r", len(r.sets)))
	g.Row(append([]string{"", ""}, r.heads...)...)
	for i := range r.sets {
		g.Row(slices.Concat([]string{"", r.heads[i]}, cells[i])...)
	}
	err := g.Write(r.out)
	fmt.Fprintln(r.out)
	return err
}
