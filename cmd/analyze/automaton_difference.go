package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/report/automaton"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// compared is a fragment of a comparison, with the automata of all runs, those of the baseline first.
type compared struct {
	id, fragment string
	Base, Cand   []string // runs
	Options      struct{ Normalisation string }
	Matching     matching.Method
	moved        string // what the candidate calls the fragment; empty: the same
	changes      []schema.Change
	matches      []schema.Match
	automata     []*timedAutomaton
}

// differenceOf makes the difference automaton of a fragment drawable.
func differenceOf(ctx context.Context, l *lake.Lake, id, fragment string) (*automaton.Automaton, error) {
	c := &compared{id: id, fragment: fragment}
	if err := c.readTables(l); err != nil {
		return nil, err
	}
	if err := c.readAutomata(ctx, l); err != nil {
		return nil, err
	}
	steps, err := c.steps()
	if err != nil {
		return nil, err
	}
	d := newMerge(c, steps)
	drawn := &automaton.Automaton{Title: fragment, Compared: true, Additive: c.Options.Normalisation == schema.NormRelative, States: d.states(), Transitions: d.transitions()}
	if c.moved != "" {
		drawn.Title += " -> " + c.moved
	}
	drawn.Subtitle = fmt.Sprintf("comparison %s: %s against %s  ·  %s, %s  ·  %s", id, runsOf(c.Base), runsOf(c.Cand),
		texttab.Plural(len(drawn.States), "state"), texttab.Plural(len(drawn.Transitions), "transition"), normWords[c.Options.Normalisation])
	return drawn, nil
}

var normWords = map[string]string{
	schema.NormAbsolute: "absolute times", schema.NormRelative: "times since the event before",
	schema.NormStackBased: "times since the enter of the call", schema.NormFragmentAbsolute: "times since the start of the fragment",
}

func runsOf(runs []string) string {
	if len(runs) == 1 {
		return "run " + runs[0]
	}
	return fmt.Sprintf("%d runs (%s ... %s)", len(runs), runs[0], runs[len(runs)-1])
}

// readTables reads what the comparison says of the fragment, and of which runs.
func (c *compared) readTables(l *lake.Lake) error {
	if lake.CheckName(c.id) != nil {
		return c.unknown(l)
	}
	changes, err := l.Manifest("changes", lake.Comparison(c.id))
	if err != nil {
		return err
	}
	matches, err := l.Manifest("matches", lake.Comparison(c.id))
	if err != nil {
		return err
	}
	if changes == nil || matches == nil {
		return c.unknown(l)
	}
	if err := json.Unmarshal([]byte(changes.Options), c); err != nil {
		return fmt.Errorf("comparison %s: %w: compare again", c.id, err)
	}
	if c.changes, err = parquet.ReadRows[schema.Change](l.Path(changes.Files[0])); err != nil {
		return err
	}
	for _, r := range c.changes {
		if r.Fragment == c.fragment && r.CandFragment != "" {
			c.moved = r.CandFragment
		}
	}
	c.changes = slices.DeleteFunc(c.changes, func(r schema.Change) bool {
		return r.Fragment != c.fragment || r.Level != schema.LevelTransition
	})
	c.matches, err = parquet.ReadRows[schema.Match](l.Path(matches.Files[0]))
	c.matches = slices.DeleteFunc(c.matches, func(r schema.Match) bool {
		return r.Fragment != c.fragment || r.Level != schema.LevelTransition
	})
	return err
}

func (c *compared) unknown(l *lake.Lake) error {
	names, err := comparisons(l)
	switch {
	case err != nil:
		return err
	case len(names) == 0:
		return console.Usagef("no comparison is named %s; the lake has none: make one with analyze compare", c.id)
	}
	return console.Usagef("no comparison is named %s; the lake has %s", c.id, shorten(names))
}

// readAutomata reads the automata of all runs.
func (c *compared) readAutomata(ctx context.Context, l *lake.Lake) error {
	var all []string
	found := false
	for i, run := range slices.Concat(c.Base, c.Cand) {
		name := c.fragment
		if i >= len(c.Base) && c.moved != "" {
			name = c.moved
		}
		if _, err := openRun(l, run); err != nil {
			return console.Usagef("comparison %s: %w", c.id, err)
		}
		t, names, err := readAutomaton(ctx, l, run, name, c.Options.Normalisation)
		if err != nil {
			return err
		}
		if t == nil {
			t = &timedAutomaton{run: run}
			all = append(all, names...)
		} else {
			found = true
		}
		c.automata = append(c.automata, t)
	}
	if !found {
		return unknownFragment("comparison "+c.id, c.fragment, all)
	}
	return nil
}

// steps pairs the automata again: the table matches says of each step which transition the first run of a side takes, and
// not which ones the others take.
func (c *compared) steps() ([]matching.Step, error) {
	automata := make([]matching.Automaton, len(c.automata))
	for i, t := range c.automata {
		automata[i] = matching.Automaton{Fragment: c.fragment, Transitions: t.transitions}
	}
	if c.moved != "" {
		c.rename(automata)
	}
	matched, err := c.Matching.Match(automata)
	if err != nil {
		return nil, err
	}
	return matched.Steps, c.checkSteps(matched.Steps)
}

// rename gives the transitions of a fragment that moved the names that they have in the baseline, as the comparison did.
func (c *compared) rename(automata []matching.Automaton) {
	side := func(name string, automata []matching.Automaton) []matching.Entity {
		e := matching.Entity{Fragment: name}
		for _, a := range automata {
			if len(a.Transitions) > 0 {
				e.Automata = append(e.Automata, a)
			}
		}
		if len(e.Automata) > 0 {
			first := &e.Automata[0].Transitions[0]
			e.Component, e.Function = first.Component, first.Function
		}
		return []matching.Entity{e}
	}
	cand := automata[len(c.Base):]
	for _, move := range matching.Moved(side(c.fragment, automata[:len(c.Base)]), side(c.moved, cand)) {
		for i := range cand {
			cand[i].Transitions = move.Renaming.Apply(cand[i].Transitions)
		}
	}
}

// checkSteps sees that the steps are those of the comparison. Of a fragment that only one side has, it keeps none.
func (c *compared) checkSteps(steps []matching.Step) error {
	if len(c.matches) == 0 && len(c.changes) == 0 {
		return nil
	}
	same := len(steps) == len(c.matches)
	for i := 0; same && i < len(steps); i++ {
		base, cand := c.numbers(steps[i])
		same = equal(base, c.matches[i].BaseTransition) && equal(cand, c.matches[i].CandTransition)
	}
	if !same {
		return fmt.Errorf("comparison %s was made of other tables than the lake has now: compare again with analyze compare --id %s", c.id, c.id)
	}
	return nil
}

// numbers are the transitions of a step in the first run of each side that takes it.
func (c *compared) numbers(s matching.Step) (base, cand *int64) {
	return firstTaken(s.Taken[:len(c.Base)]), firstTaken(s.Taken[len(c.Base):])
}

func firstTaken(taken []int64) *int64 {
	for i := range taken {
		if taken[i] != matching.None {
			return &taken[i]
		}
	}
	return nil
}

func equal(a, b *int64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }
