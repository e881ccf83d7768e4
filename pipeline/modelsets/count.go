package modelsets

import (
	"context"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/stages/behaviour/ltsdiff"
)

// countDifferences fills in how many transitions only the upper and only the lower variant of an edge of
// the lattice have: level 6. Skips, which a difference adds to join the surroundings of a part that one
// side lacks, belong to neither.
// Pairs are independent, so that they share the cores; each writes only to its own edge.
func countDifferences(t *pipeline.Task, c *levels.Comparison) error {
	t.Progress().Expect(int64(len(c.Diffs)))
	_, err := pipeline.Each(t.Context(), t.Jobs(), len(c.Diffs), func(_ context.Context, i int) (struct{}, error) {
		d := &c.Diffs[i]
		added, removed, err := countDiff(d)
		c.Lattice[d.Edge].Added, c.Lattice[d.Edge].Removed = &added, &removed
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
