package levels

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// ModelSet is what is compared, such as the service fragments of a release.
type ModelSet struct {
	Name     string
	Entities []Entity
}

// Entity is a model of a model set. Entities of two model sets are the same one where their names and components are.
// The labels of all automata are codes of one alphabet.
type Entity struct {
	Component, Name string
	Automaton       *language.Automaton
}

// Completion says what the lattices have beyond the variants of the input.
type Completion uint8

// The completions, as MIDS has them. What is computed are the intersections of any number of variants, and their unions, but
// no unions of intersections.
const (
	None    Completion = iota // nothing
	Partial                   // computed variants, in the lattices only
	Full                      // computed variants, and computed model sets like those of the input
)

// Options say how to compare.
type Options struct {
	Completion  Completion
	MaxComputed int // how many variants are computed for one lattice; the unions and intersections of n variants can be 2 to the n
}

// Defaults are the options of MIDS, but for its limits of size.
var Defaults = Options{Completion: Partial, MaxComputed: 64}

// Comparison is the answer on all levels. Rows come in the order of the model sets and of the first appearance of
// entities in them, model sets before entities.
type Comparison struct {
	Variants    []schema.Variant
	Lattice     []schema.LatticeEdge
	Differences []schema.SetDifference // of every pair of model sets
	Changes     []schema.EntityChange  // from every model set to the next
	Diffs       []Diff
}

// Diff is a pair of variants of an entity to be compared in structure: an edge of its lattice, or two unrelated variants
// of the input. Its result belongs in the counts of the edge.
type Diff struct {
	Edge         int                 // position in Lattice
	Lower, Upper *language.Automaton // as the first model set with the variant has it; minimal where it was computed
}

// Compare compares model sets. Names of model sets must differ, and so must the entities within one.
func Compare(sets []ModelSet, options Options) (*Comparison, error) {
	t, err := newTable(sets)
	if err != nil {
		return nil, err
	}
	c := comparer{table: t, options: options}
	for e := range t.entities {
		c.lattices = append(c.lattices, c.entityLattice(e))
	}
	c.setLattice()
	out := &Comparison{Variants: c.setVariants(), Lattice: c.setEdges()}
	for e := range t.entities {
		out.Variants = append(out.Variants, c.entityVariants(e)...)
		c.entityEdges(e, out)
	}
	c.differences(out)
	c.changes(len(sets), out)
	return out, nil
}

// comparer is a comparison in the making.
type comparer struct {
	*table
	options  Options
	lattices []*lattice // by entity; its variants are languages
	sets     *lattice   // its variants are vectors
	vectors  *vectors
	varying  []int // the entities on which the model sets disagree
}

// entityLattice orders the variants of an entity, of which the empty language has number 0.
func (c *comparer) entityLattice(e int) *lattice {
	l := newLattice(c.languages, empty)
	for _, id := range c.behaviour[e] {
		l.input(id)
	}
	if c.options.Completion != None {
		l.complete(c.options.MaxComputed)
	}
	return l
}

// duplicate is the error of a name that stands for two things.
func duplicate(what, where string) error {
	return fmt.Errorf("%s stands twice in %s: give every one its own name", what, where)
}
