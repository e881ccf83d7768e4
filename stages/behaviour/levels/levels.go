package levels

import (
	"context"
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// ModelSet is one side of a comparison, such as the service fragments of a release.
type ModelSet struct {
	Name     string   // as users name it, such as a release
	Entities []Entity // in any order
}

// Entity is a model of a model set. Entities of two model sets are the same one where their names and components are.
// The labels of all automata are codes of one alphabet.
type Entity struct {
	Component, Name string              // such as the name of a service fragment
	Automaton       *language.Automaton // its model; must not change
}

// Completion says which variants the lattices have beyond those of the input.
type Completion uint8

// The completions, as MIDS has them. What is computed are the intersections of any number of variants, and their unions, but
// no unions of intersections.
const (
	None    Completion = iota // nothing
	Partial                   // computed variants, in the lattices only
	Full                      // computed variants, and computed model sets like those of the input
)

// Options say which variants are computed.
type Options struct {
	Completion  Completion // what is computed
	MaxComputed int        // greatest number of computed variants in one lattice; n variants can have 2^n unions
}

// Defaults are the options of MIDS, except for its limits of size.
var Defaults = Options{Completion: Partial, MaxComputed: 64}

// Comparison is the answer on all levels. Rows come in the order of the model sets and of the first appearance of
// entities in them, model sets before entities.
type Comparison struct {
	Variants    []schema.Variant       // levels 1 and 4
	Lattice     []schema.LatticeEdge   // levels 2 and 5
	Differences []schema.SetDifference // level 3: for every pair of model sets
	Changes     []schema.EntityChange  // from every model set to the next
	Diffs       []Diff                 // level 6
}

// Diff is a pair of variants of an entity to be compared in structure: an edge of its lattice, or two
// unrelated variants of the input. Its result belongs in the counts of the edge.
type Diff struct {
	Edge         int                 // position in Comparison.Lattice
	Lower, Upper *language.Automaton // as the first model set with the variant has it; minimal where it was computed
}

// Compare compares model sets. Names of model sets must differ, and so must the entities within one. Between two entities, and two variants, it looks whether ctx has
// ended, whose error it then returns.
func Compare(ctx context.Context, sets []ModelSet, options Options) (*Comparison, error) {
	t, err := newEntityTable(ctx, sets)
	if err != nil {
		return nil, err
	}
	c := comparer{entityTable: t, options: options}
	// 1. Entities first: the variants of model sets are vectors of theirs.
	for e := range t.entities {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l, err := c.entityLattice(ctx, e)
		if err != nil {
			return nil, err
		}
		c.lattices = append(c.lattices, l)
	}
	// 2. Model sets, computed ones included.
	if err := c.setLattice(ctx); err != nil {
		return nil, err
	}
	// 3. Rows, model sets before entities.
	out := &Comparison{Variants: c.setVariants(), Lattice: c.setEdges()}
	for e := range t.entities {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out.Variants = append(out.Variants, c.entityVariants(e)...)
		c.entityEdges(e, out)
	}
	c.addDifferences(out)
	c.addChanges(len(sets), out)
	return out, ctx.Err()
}

// comparer is a comparison under construction.
type comparer struct {
	*entityTable
	options  Options
	lattices []*lattice // by entity; the variants are languages
	sets     *lattice   // the variants are vectors
	vectors  *vectorTable
	varying  []int // entities on which the model sets disagree
}

// entityLattice orders the variants of an entity. The empty language has number 0.
func (c *comparer) entityLattice(ctx context.Context, e int) (*lattice, error) {
	l := newLattice(c.languages, empty)
	for _, id := range c.behaviour[e] {
		l.addInput(id)
	}
	if c.options.Completion != None {
		return l, l.completeLattice(ctx, c.options.MaxComputed)
	}
	return l, nil
}

// duplicateError is the error that a name stands for two things.
func duplicateError(what, where string) error {
	return fmt.Errorf("%s stands twice in %s: give every one its own name", what, where)
}
