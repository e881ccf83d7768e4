package levels_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/testdata/expect"
)

// endsAt is a context that has ended when it is asked for the n-th time. It counts how often it is asked after that.
type endsAt struct {
	context.Context
	n, asked, after int
}

func (c *endsAt) Err() error {
	if c.asked++; c.asked < c.n {
		return nil
	}
	c.after++
	return context.Canceled
}

// TestCompareEnds ends a comparison wherever it looks whether it should end: it looks for each model, twice more for each entity, in each lattice, and at its end, and
// does nothing more once it was told.
func TestCompareEnds(t *testing.T) {
	const entities = 20
	text := ""
	for _, set := range []string{"A", "B"} {
		text += set + ":\n"
		for e := range entities {
			text += fmt.Sprintf("  c e%d: a b%s\n", e, set)
		}
	}
	sets := parse(t, text)
	whole := &endsAt{Context: t.Context(), n: 1 << 30}
	expect.Value(levels.Compare(whole, sets, levels.Defaults))(t)
	const inLattice = 6 // of two variants
	expect.Equal(t, whole.asked, 2*entities+2*entities+inLattice*(entities+1)+1, "questions whether to end, of %d entities in two model sets", entities)
	for n := 1; n <= whole.asked; n++ {
		c := &endsAt{Context: t.Context(), n: n}
		if _, err := levels.Compare(c, sets, levels.Defaults); !errors.Is(err, context.Canceled) || c.after > 2 {
			t.Errorf("ended at the %d. question, it asks %d times more and returns %v", n, c.after, err)
		}
	}
}

// TestCompletionEnds ends a comparison of model sets that each have one model of their own: what takes time there is to complete the lattice, which looks
// for each of its variants.
func TestCompletionEnds(t *testing.T) {
	text := ""
	const sets = 12
	for set := range sets {
		text += fmt.Sprintf("S%d:\n  c e: a b%d\n", set, set)
	}
	of := parse(t, text)
	given := &endsAt{Context: t.Context(), n: 1 << 30}
	expect.Value(levels.Compare(given, of, levels.Options{Completion: levels.None}))(t)
	whole := &endsAt{Context: t.Context(), n: 1 << 30}
	expect.Value(levels.Compare(whole, of, levels.Options{Completion: levels.Full, MaxComputed: 64}))(t)
	expect.Equal(t, whole.asked-given.asked >= 2*2*sets, true, "asked %d times with and %d times without completion", whole.asked, given.asked)
	for n := 1; n <= whole.asked; n += 3 {
		c := &endsAt{Context: t.Context(), n: n}
		if _, err := levels.Compare(c, of, levels.Options{Completion: levels.Full, MaxComputed: 64}); !errors.Is(err, context.Canceled) || c.after > 2 {
			t.Errorf("ended at the %d. question, it asks %d times more and returns %v", n, c.after, err)
		}
	}
}
