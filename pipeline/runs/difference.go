package runs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/report/automaton"
)

// Fragment reads the automaton of a service fragment in a run, with the times of one normalisation on its transitions, and returns
// its name in full: a function is name enough where only one fragment begins with it. A run or a fragment of another name is a
// NameError that names similar ones.
func Fragment(ctx context.Context, l *lake.Lake, run, fragment, norm string) (t *samples.TimedAutomaton, name string, err error) {
	if _, err := Open(l, run); err != nil {
		return nil, "", err
	}
	t, names, err := TimedAutomaton(ctx, l, run, fragment, norm)
	if err != nil || t != nil {
		return t, fragment, err
	}
	if name = meantFragment(fragment, names); name == fragment {
		return nil, "", unknownFragment("run "+run, fragment, names)
	}
	t, _, err = TimedAutomaton(ctx, l, run, name, norm)
	return t, name, err
}

// ComparedFragment reads a service fragment of a comparison: the automata of all its runs and what the comparison found.
//
// The table matches names the transitions of each step in the first run of a side only, so the automata are paired again.
// That the result is what the comparison had is checked against the table.
// All automata are in memory, with their samples: those of one fragment are few megabytes even in long runs.
func ComparedFragment(ctx context.Context, l *lake.Lake, id, fragment string) (*automaton.Comparison, error) {
	all, err := OpenCompared(l, id)
	if err != nil {
		return nil, err
	}
	return all.Fragment(ctx, fragment)
}

// Compared is a comparison whose fragments can be read, one after the other.
type Compared struct {
	ID      string
	lake    *lake.Lake
	options comparisonOptions
	changes []schema.Change
	matches []schema.Match
	kept    map[automatonKey]*samples.TimedAutomaton // what Keep read; a run that lacks a fragment has none
	known   map[string]bool                          // runs that were found to be there
}

// OpenCompared reads what a comparison found, for all of its fragments. It is a NameError if the lake has no such comparison.
func OpenCompared(l *lake.Lake, id string) (*Compared, error) {
	c := &Compared{ID: id, lake: l, known: make(map[string]bool)}
	return c, c.readTables()
}

// ComparedRuns returns the runs of a comparison, those of the baseline first. It reads the manifest alone.
func ComparedRuns(l *lake.Lake, id string) ([]string, error) {
	changes, err := l.Table("changes", lake.Comparison(id))
	if err != nil {
		return nil, err
	}
	var o comparisonOptions
	if err := json.Unmarshal([]byte(changes.Options), &o); err != nil {
		return nil, fmt.Errorf("comparison %s: %w: compare again", id, err)
	}
	return append(o.Base, o.Cand...), nil
}

// Fragment reads a fragment, as ComparedFragment does.
func (all *Compared) Fragment(ctx context.Context, fragment string) (*automaton.Comparison, error) {
	c := &comparedReader{Comparison: automaton.Comparison{ID: all.ID, Fragment: fragment}, all: all, lake: all.lake}
	c.choose(all)
	var err error
	if c.Automata, err = c.readAutomata(ctx, c.Normalisation); err != nil {
		return nil, err
	}
	return &c.Comparison, c.pairSteps()
}

// Times reads the automata of a fragment once more, with the times of another normalisation on their transitions.
func (all *Compared) Times(ctx context.Context, of *automaton.Comparison, norm string) ([]*samples.TimedAutomaton, error) {
	c := &comparedReader{Comparison: *of, all: all, lake: all.lake}
	return c.readAutomata(ctx, norm)
}

// comparedReader fills the fragment of a comparison.
type comparedReader struct {
	automaton.Comparison
	all     *Compared
	lake    *lake.Lake
	method  matching.Method // by which the comparison paired steps
	matches []schema.Match  // of the fragment's transitions, in the order of the steps
}

// comparisonOptions are the options in the manifest of a comparison.
type comparisonOptions struct {
	Base, Cand []string                       // runs
	Options    struct{ Normalisation string } // only what decides which samples a step has
	Matching   matching.Method
}

// readTables reads the runs of the comparison and what it found.
func (all *Compared) readTables() error {
	if lake.CheckName(all.ID) != nil {
		return unknownComparison(all.lake, all.ID)
	}
	p := lake.Comparison(all.ID)
	changes, err := all.lake.Manifest("changes", p)
	if err != nil {
		return err
	}
	if changes == nil {
		return unknownComparison(all.lake, all.ID)
	}
	if _, err := all.lake.Table("matches", p); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(changes.Options), &all.options); err != nil {
		return fmt.Errorf("comparison %s: %w: compare again", all.ID, err)
	}
	return cmp.Or(lake.ReadInto(&all.changes, all.lake, "changes", p), lake.ReadInto(&all.matches, all.lake, "matches", p))
}

// choose takes over what the comparison found about the fragment.
// A fragment that moved has other names on the candidate side. They stand in the rows of the fragment itself.
func (c *comparedReader) choose(all *Compared) {
	o := &all.options
	c.Base, c.Cand, c.Normalisation, c.method = o.Base, o.Cand, o.Options.Normalisation, o.Matching
	var fragments []string
	for i := range all.changes {
		if all.changes[i].Level == schema.LevelFragment {
			fragments = append(fragments, all.changes[i].Fragment)
		}
	}
	c.Fragment = meantFragment(c.Fragment, fragments)
	// A drawing shows changes of transitions; those of the fragment and of its metrics have no place in it.
	for i := range all.changes {
		r := &all.changes[i]
		if r.Fragment == c.Fragment && r.CandFragment != "" {
			c.MovedTo = r.CandFragment
		}
		if r.Fragment == c.Fragment && r.Level == schema.LevelTransition {
			c.Changes = append(c.Changes, *r)
		}
	}
	for i := range all.matches {
		if r := &all.matches[i]; r.Fragment == c.Fragment && r.Level == schema.LevelTransition {
			c.matches = append(c.matches, *r)
		}
	}
}

// unknownComparison lists the comparisons that the lake has, in a NameError.
func unknownComparison(l *lake.Lake, id string) error {
	partitions, err := l.Partitions("comparison")
	if err != nil {
		return err
	}
	var names []string
	for _, p := range partitions { // histories and the like have no changes
		if m, err := l.Manifest("changes", p); err != nil {
			return err
		} else if m != nil {
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return nameErrorf("no comparison is named %s; the lake has none: make one with analyze compare", id)
	}
	return nameErrorf("no comparison is named %s; the lake has %s", id, FirstNames(names))
}

// readAutomata reads the automata of all runs. A run may lack the fragment, but not all of them.
// A run without the fragment gets an automaton without transitions, so that automata and runs stay in step. The
// baseline runs come first.
func (c *comparedReader) readAutomata(ctx context.Context, norm string) (automata []*samples.TimedAutomaton, err error) {
	var all []string
	found := false
	for i, run := range slices.Concat(c.Base, c.Cand) {
		name := c.Fragment
		if i >= len(c.Base) && c.MovedTo != "" {
			name = c.MovedTo
		}
		if !c.all.known[run] {
			if _, err := Open(c.lake, run); err != nil {
				return nil, fmt.Errorf("comparison %s: %w", c.ID, err)
			}
			c.all.known[run] = true
		}
		if t := c.all.kept[automatonKey{run, name, norm}]; t != nil {
			automata, found = append(automata, t), true
			continue
		}
		t, names, err := TimedAutomaton(ctx, c.lake, run, name, norm)
		if err != nil {
			return nil, err
		}
		// The names that this run has instead are suggestions, needed only if no run has the fragment.
		if t == nil {
			t = new(samples.TimedAutomaton)
			all = append(all, names...)
		} else {
			found = true
		}
		automata = append(automata, t)
	}
	if !found {
		return nil, unknownFragment("comparison "+c.ID, c.Fragment, all)
	}
	return automata, nil
}

// pairSteps pairs the transitions of the automata as the comparison did.
// The method and the order of the runs are those of the comparison, so the steps come out in the same order.
func (c *comparedReader) pairSteps() error {
	automata := make([]matching.Automaton, len(c.Automata))
	for i, t := range c.Automata {
		automata[i] = matching.Automaton{Fragment: c.Fragment, Transitions: t.Transitions}
	}
	if c.MovedTo != "" {
		c.renameMoved(automata)
	}
	matched, err := c.method.Match(automata)
	if err != nil {
		return err
	}
	c.Steps = matched.Steps
	return c.checkSteps()
}

// renameMoved gives the transitions of a fragment that moved the names that they have in the baseline.
// The search for moves needs an entity for each side, with the names of its first transition.
func (c *comparedReader) renameMoved(automata []matching.Automaton) {
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
	// There is at most one move, since each side has one entity.
	for _, move := range matching.Moved(side(c.Fragment, automata[:len(c.Base)]), side(c.MovedTo, cand)) {
		for i := range cand {
			cand[i].Transitions = move.Renaming.Apply(cand[i].Transitions)
		}
	}
}

// checkSteps checks that the steps are those of the table matches. Of a fragment that only one side has, a comparison
// keeps none. Runs that were analyzed again since may have other automata.
// Only the first run of each side that takes a step is named in the table, and only that is compared.
func (c *comparedReader) checkSteps() error {
	if len(c.matches) == 0 && len(c.Changes) == 0 {
		return nil
	}
	same := len(c.Steps) == len(c.matches)
	for i := 0; same && i < len(c.Steps); i++ {
		taken := c.Steps[i].Taken
		same = automaton.SameNumber(automaton.FirstTaken(taken[:len(c.Base)]), c.matches[i].BaseTransition) &&
			automaton.SameNumber(automaton.FirstTaken(taken[len(c.Base):]), c.matches[i].CandTransition)
	}
	if !same {
		return fmt.Errorf("comparison %s was made of other tables than the lake has now: compare again with analyze compare --id %s", c.ID, c.ID)
	}
	return nil
}

// unknownFragment names the fragments whose names are most like the one that was not found.
// Names of fragments are long; a typing error in one word must not lead to a list of all.
func unknownFragment(where, name string, names []string) error {
	alike := schema.Similar(name, names)
	if len(alike) == 0 {
		return nameErrorf("%s has no service fragment %q; analyze query slowest-fragments lists some", where, name)
	}
	return nameErrorf("%s has no service fragment %q; it has %s", where, name, FirstNames(alike[:min(len(alike), mostSimilar)]))
}

// mostSimilar bounds the suggestions for a name that was not found.
const mostSimilar = 4

// meantFragment returns the fragment that a name means: the one of that name, or the only one whose first event is of the function
// or the component and function of that name. Where there are several, it returns the name, which no fragment has.
func meantFragment(name string, fragments []string) string {
	if slices.Contains(fragments, name) {
		return name
	}
	fragments = slices.Compact(slices.Sorted(slices.Values(fragments)))
	meant := slices.DeleteFunc(fragments, func(f string) bool {
		head, _, _ := strings.Cut(f, " ")
		return head != name && !strings.HasSuffix(head, "."+name)
	})
	if len(meant) != 1 {
		return name
	}
	return meant[0]
}
