package modelsets

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/stages/behaviour/ltsdiff"
)

// count tells the edges of the entities' lattices how many transitions only their upper and only their lower variant have:
// level 6. Skips, which a difference adds to join what stands around a part of one side only, are no transitions of either.
func (j *Job) count(ctx context.Context, c *levels.Comparison) error {
	j.Progress.Expect(int64(len(c.Diffs)))
	workers, inner := errgroup.WithContext(ctx)
	workers.SetLimit(max(j.Jobs, 1))
	for _, d := range c.Diffs {
		workers.Go(func() error {
			if err := inner.Err(); err != nil {
				return err
			}
			added, removed, err := countDiff(d)
			c.Lattice[d.Edge].Added, c.Lattice[d.Edge].Removed = &added, &removed
			j.Progress.Advance(1)
			return err
		})
	}
	err := workers.Wait()
	return cmp.Or(ctx.Err(), err)
}

func countDiff(d levels.Diff) (added, removed int64, err error) {
	lower, err := labelled(d.Lower)
	if err != nil {
		return 0, 0, err
	}
	upper, err := labelled(d.Upper)
	if err != nil {
		return 0, 0, err
	}
	merged, err := ltsdiff.Compare(ltsdiff.Fast, lower, upper)
	if err != nil {
		return 0, 0, err
	}
	for _, s := range merged.Steps {
		switch kind := s.Sides.Kind(); {
		case s.Label == ltsdiff.Skip || kind == ltsdiff.Unchanged:
		case kind == ltsdiff.Added:
			added++
		default:
			removed++
		}
	}
	return added, removed, nil
}

// labelled is an automaton as package difference takes it.
func labelled(a *language.Automaton) (*ltsdiff.Automaton, error) {
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
