package releases

import (
	"cmp"
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/tracelake/tracelake/stages/difference"
	"github.com/tracelake/tracelake/stages/language"
	"github.com/tracelake/tracelake/stages/levels"
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
	merged, err := difference.Compare(difference.Fast, lower, upper)
	if err != nil {
		return 0, 0, err
	}
	for _, s := range merged.Steps {
		switch kind := s.Sides.Kind(); {
		case s.Label == difference.Skip || kind == difference.Unchanged:
		case kind == difference.Added:
			added++
		default:
			removed++
		}
	}
	return added, removed, nil
}

// labelled is an automaton as package difference takes it.
func labelled(a *language.Automaton) (*difference.Automaton, error) {
	initial := make([]bool, a.States())
	for _, s := range a.Initial {
		initial[s] = true
	}
	transitions := make([]difference.Transition, a.Transitions())
	for t, source := range a.Source() {
		transitions[t] = difference.Transition{Source: source, Label: a.Label[t], Target: a.Target[t]}
	}
	return difference.NewAutomaton(initial, a.Accepting, transitions)
}
