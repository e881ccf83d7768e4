// Package modelsets drives the comparison of model sets, such as the releases of a product, on six levels: it makes models
// of the automata of all runs of a set, compares them (package levels), counts what differs in structure (package
// ltsdiff) and commits the tables variants, lattice, differences and entity_changes.
//
// The models of a set are those that the traces of its runs would give together. So neither the order of the runs in
// a set nor how their traces were cut matters.
//
// A task is a bucket: it makes the models of the components that the first run keeps there, wherever other runs keep them
// (survey.go), and hands every different one to the last task once (staged.go), which compares them all.
package modelsets

import (
	"cmp"
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/stages/behaviour/ltsdiff"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
)

// Set is a model set: a name, and the runs from which it is learnt.
type Set struct {
	Name string   // such as a release
	Runs []string // names in the lake
}

// Of says what the entities of the model sets are.
type Of string

// The entities: reactions to one event each, or all that a component does.
const (
	Fragments  Of = "fragments"
	Components Of = "components"
)

// Spec is what a comparison depends on besides the runs' tables. Its JSON stands in the manifests.
type Spec struct {
	Sets    []Set          // the runs of each sorted
	Of      Of             // what the entities are
	Options levels.Options // which variants are computed
}

// Job is one comparison and the engine that runs it.
// Its runs must have been analyzed; those that were not are named in the error.
type Job struct {
	*pipeline.Engine
	ID string // of the partition that is written
	Spec
}

// Tables are the results of a comparison.
type Tables struct {
	Variants    []schema.Variant       // the different models of each entity
	Lattice     []schema.LatticeEdge   // how these models include each other
	Differences []schema.SetDifference // one row for two sets
	Changes     []schema.EntityChange  // what makes up these differences, by entity
}

// modelBytes is the memory of a task for a transition: its place in an automaton, and a part of the run at hand, whose rows are in
// memory while they become automata.
const modelBytes = 60

// surveyBytes is the memory that tasks share for a fragment of a run: the place of its component.
const surveyBytes = 40

// Stage declares a comparison of model sets. Its tasks make the models of the components of a bucket; the last one compares every
// variant with every other. What it holds follows the behaviours that differ, however many runs have them; completion, which
// adds to these, is bounded by Options.MaxComputed.
func Stage(s Spec) pipeline.Stage {
	return pipeline.Stage{
		Name: "levels", Version: 3, Doc: "compares the behaviour of model sets on six levels",
		Options: s, Runs: s.allRuns(), Reads: []string{"fragments", "states", "transitions"},
		Writes: []string{"variants", "lattice", "differences", "entity_changes"},
		Sized:  "transitions", BytesPerRow: modelBytes, SharedBytes: map[string]int64{"fragments": surveyBytes}, Run: runBucket, Finish: finish,
	}
}

// runBucket makes the models of the components of one bucket.
func runBucket(t *pipeline.Task) error {
	s, err := surveyed(t)
	if err != nil {
		return err
	}
	m, err := s.readBucket(t)
	if err != nil {
		return err
	}
	rows, err := m.rows(t.Context())
	if err != nil {
		return err
	}
	return pipeline.WriteRows(t, modelsTable, rows)
}

// finish compares the model sets and writes the four tables.
func finish(t *pipeline.Task) error {
	var s Spec
	if err := t.Options(&s); err != nil {
		return err
	}
	// 1. Put the models of all buckets together.
	sets, err := s.stagedSets(t)
	if err != nil {
		return err
	}
	// 2. Compare the languages: levels 1 to 5.
	c, err := levels.Compare(t.Context(), sets, s.Options)
	if err != nil {
		return err
	}
	// 3. Compare pairs of variants in structure: level 6, by far the most work. Each has an example as well.
	symbols, err := symbolsOf(t)
	if err != nil {
		return err
	}
	if err := countDifferences(t, c, symbols); err != nil {
		return err
	}
	return cmp.Or(
		pipeline.WriteRows(t, "variants", c.Variants), pipeline.WriteRows(t, "lattice", c.Lattice),
		pipeline.WriteRows(t, "differences", c.Differences), pipeline.WriteRows(t, "entity_changes", c.Changes),
	)
}

// Run compares, unless the lake has the result already, and reports whether it had.
// The tables are read back from the lake in both cases, so that a report never depends on which it was.
func Run(ctx context.Context, j Job) (t *Tables, fresh bool, err error) {
	j.Sets = sortRuns(j.Sets)
	p := lake.Comparison(j.ID)
	// The engine runs the stage, or finds the tables of an earlier run with the same fingerprint.
	out, err := j.RunStage(ctx, p, Stage(j.Spec))
	if err != nil {
		return nil, false, err
	}
	t, err = Read(j.Lake, j.ID)
	return t, out.Fresh, err
}

// Read reads the tables of a comparison that the lake has.
func Read(l *lake.Lake, id string) (*Tables, error) {
	t, p := new(Tables), lake.Comparison(id)
	return t, cmp.Or(
		lake.ReadInto(&t.Variants, l, "variants", p), lake.ReadInto(&t.Lattice, l, "lattice", p),
		lake.ReadInto(&t.Differences, l, "differences", p), lake.ReadInto(&t.Changes, l, "entity_changes", p),
	)
}

// sortRuns sorts the runs within every set, each once: their order does not matter.
// Sorted runs also make equal comparisons have equal fingerprints.
func sortRuns(sets []Set) []Set {
	sets = slices.Clone(sets)
	for i := range sets {
		sets[i].Runs = slices.Compact(slices.Sorted(slices.Values(sets[i].Runs)))
	}
	return sets
}

// allRuns returns the runs of all sets, each once.
func (s *Spec) allRuns() (all []string) {
	for _, set := range s.Sets {
		all = append(all, set.Runs...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// countDifferences fills in how many transitions only the upper and only the lower variant of an edge of
// the lattice have: level 6. Skips, which a difference adds to join the surroundings of a part that one
// side lacks, belong to neither. It fills in the words of these edges, too.
// Pairs are independent, so that they share the cores; each writes only to its own edge.
func countDifferences(t *pipeline.Task, c *levels.Comparison, symbols []matching.Symbol) error {
	t.Progress().Expect(int64(len(c.Diffs)))
	_, err := pipeline.Each(t.Context(), t.Jobs(), len(c.Diffs), func(_ context.Context, i int) (struct{}, error) {
		d := &c.Diffs[i]
		added, removed, err := countDiff(d)
		edge := &c.Lattice[d.Edge]
		edge.Added, edge.Removed = &added, &removed
		addWords(edge, d, symbols)
		t.Advance(1)
		return struct{}{}, err
	})
	return err
}

// countDiff merges two automata by the fast heuristic of package ltsdiff, and counts the steps of one side only.
func countDiff(d *levels.Diff) (added, removed int64, err error) {
	// 1. Convert both variants: the two packages number transitions differently.
	lower, err := toDifferenceAutomaton(d.Lower)
	if err != nil {
		return 0, 0, err
	}
	upper, err := toDifferenceAutomaton(d.Upper)
	if err != nil {
		return 0, 0, err
	}
	// 2. Merge them. The lower variant is the first side, so that Added means only in the upper one.
	merged, err := ltsdiff.Compare(ltsdiff.Fast, lower, upper)
	if err != nil {
		return 0, 0, err
	}
	// 3. Count what is on one side only.
	for _, s := range merged.Steps {
		switch kind := s.Sides.Kind(); {
		case s.Label == ltsdiff.Skip || kind == ltsdiff.Unchanged: // in both, or in neither
		case kind == ltsdiff.Added:
			added++
		default:
			removed++
		}
	}
	return added, removed, nil
}

// toDifferenceAutomaton converts an automaton to that of package ltsdiff.
func toDifferenceAutomaton(a *language.Automaton) (*ltsdiff.Automaton, error) {
	// ltsdiff wants a flag for each state, and language keeps a list.
	initial := make([]bool, a.States())
	for _, s := range a.Initial {
		initial[s] = true
	}
	transitions := make([]ltsdiff.Transition, a.Transitions())
	for t, source := range a.Source() {
		transitions[t] = ltsdiff.Transition{Source: source, Label: a.Label[t], Target: a.Target[t]}
	}
	return ltsdiff.NewAutomaton(initial, a.Accepting, transitions)
}
