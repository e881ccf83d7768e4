// Package modelsets drives the comparison of model sets, such as the releases of a product, on six levels: it makes models
// of the automata of all runs of a set, compares them (package levels), counts what differs in structure (package
// difference) and commits the tables variants, lattice, differences and entity_changes.
//
// The models of a set are those that the traces of its runs would give together. So neither the order of the runs in
// a set nor how their traces were cut matters.
package modelsets

import (
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
)

// StageName and StageVersion stand in the manifests of a comparison.
const (
	StageName    = "levels"
	StageVersion = 1
)

// Set is a model set: a name and the runs that it is learnt from.
type Set struct {
	Name string
	Runs []string
}

// Of says what the entities of the model sets are.
type Of string

// The entities: reactions to one event each, or all that a component does.
const (
	Fragments  Of = "fragments"
	Components Of = "components"
)

// Job is one comparison.
type Job struct {
	Lake     *lake.Lake
	ID       string
	Sets     []Set
	Of       Of
	Options  levels.Options
	Jobs     int
	Progress *pipeline.Meter
}

// Tables are what a comparison makes.
type Tables struct {
	Variants    []schema.Variant
	Lattice     []schema.LatticeEdge
	Differences []schema.SetDifference
	Changes     []schema.EntityChange
}

// reads are the tables of every run that a comparison needs, and writes those that it makes.
var (
	reads  = []string{"fragments", "states", "transitions"}
	writes = []string{"variants", "lattice", "differences", "entity_changes"}
)

// Run compares, unless the lake has the result already.
func Run(ctx context.Context, j Job) (result *Tables, fresh bool, err error) {
	j.Sets = inOrder(j.Sets)
	fingerprint, inputs, err := j.fingerprint()
	if err != nil {
		return nil, false, err
	}
	if fresh, err = j.fresh(fingerprint); err != nil {
		return nil, false, err
	}
	if fresh {
		result, err = j.read()
		return result, true, err
	}
	if result, err = j.compare(ctx); err != nil {
		return nil, false, err
	}
	return result, false, j.commit(result, fingerprint, inputs)
}

// inOrder sorts the runs within every set.
func inOrder(sets []Set) []Set {
	sets = slices.Clone(sets)
	for i := range sets {
		sets[i].Runs = slices.Sorted(slices.Values(sets[i].Runs))
		sets[i].Runs = slices.Compact(sets[i].Runs)
	}
	return sets
}

// options are what the tables depend on beside the runs' tables.
type options struct {
	Sets    []Set
	Of      Of
	Options levels.Options
}

func (j *Job) options() options { return options{j.Sets, j.Of, j.Options} }

// runs are the runs of all sets, each once.
func (j *Job) runs() (all []string) {
	for _, set := range j.Sets {
		all = append(all, set.Runs...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (j *Job) fingerprint() (string, []lake.Input, error) {
	var inputs []lake.Input
	for _, run := range j.runs() {
		for _, table := range reads {
			m, err := j.Lake.Manifest(table, lake.Run(run))
			if err != nil {
				return "", nil, err
			}
			if m == nil {
				return "", nil, fmt.Errorf("run %s has no table %s: analyze it first, with analyze run %s", run, table, run)
			}
			inputs = append(inputs, lake.Input{Name: table + " of " + run, Fingerprint: m.Fingerprint})
		}
	}
	return lake.Fingerprint(StageName, StageVersion, j.options(), inputs), inputs, nil
}

// fresh reports whether all tables are of one fingerprint. They are not where a process was killed while it committed them.
func (j *Job) fresh(fingerprint string) (bool, error) {
	for _, table := range writes {
		m, err := j.Lake.Manifest(table, lake.Comparison(j.ID))
		if err != nil || m == nil || m.Fingerprint != fingerprint {
			return false, err
		}
	}
	return true, nil
}

// compare makes the tables.
func (j *Job) compare(ctx context.Context) (*Tables, error) {
	sets, err := j.modelSets(ctx)
	if err != nil {
		return nil, err
	}
	c, err := levels.Compare(sets, j.Options)
	if err != nil {
		return nil, err
	}
	if err := j.count(ctx, c); err != nil {
		return nil, err
	}
	return &Tables{c.Variants, c.Lattice, c.Differences, c.Changes}, nil
}

// read reads the tables of a comparison that the lake has.
func (j *Job) read() (*Tables, error) {
	t := new(Tables)
	var err error
	if t.Variants, err = readTable[schema.Variant](j, "variants"); err != nil {
		return nil, err
	}
	if t.Lattice, err = readTable[schema.LatticeEdge](j, "lattice"); err != nil {
		return nil, err
	}
	if t.Differences, err = readTable[schema.SetDifference](j, "differences"); err != nil {
		return nil, err
	}
	t.Changes, err = readTable[schema.EntityChange](j, "entity_changes")
	return t, err
}

func readTable[T any](j *Job, table string) ([]T, error) {
	m, err := j.Lake.Manifest(table, lake.Comparison(j.ID))
	if err != nil {
		return nil, err
	}
	return parquet.ReadRows[T](j.Lake.Path(m.Files[0]))
}
