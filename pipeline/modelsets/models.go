package modelsets

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
)

// modelSets reads the runs, several at a time, and makes the models of every set. The automata of all runs are in memory,
// each once, however many sets a run is in.
func (s *Spec) modelSets(t *pipeline.Task) ([]levels.ModelSet, error) {
	// 1. Read each run once, although several sets may have it.
	runs := s.allRuns()
	read, err := pipeline.Each(t.Context(), t.Jobs(), len(runs), func(_ context.Context, i int) (*inferred, error) {
		return readInferred(t.Lake(), runs[i])
	})
	if err != nil {
		return nil, err
	}
	// 2. One alphabet for all, so that equal labels are equal codes.
	alphabet := alphabetOf(read)
	// 3. Join what the runs of a set have for each entity.
	sets := make([]levels.ModelSet, len(s.Sets))
	for i, set := range s.Sets {
		parts := make(map[entityName][]*language.Automaton)
		for _, run := range set.Runs {
			// allRuns sorted the runs, and each is there.
			at, _ := slices.BinarySearch(runs, run)
			if err := read[at].appendTo(parts, s.Of, alphabet); err != nil {
				return nil, fmt.Errorf("run %s: %w", run, err)
			}
		}
		sets[i].Name = set.Name
		// Entities come in the order of their names, so that tables do not depend on maps.
		for _, n := range slices.SortedFunc(maps.Keys(parts), entityName.compare) {
			sets[i].Entities = append(sets[i].Entities, levels.Entity{Component: n.component, Name: n.entity, Automaton: joinAutomata(parts[n])})
		}
	}
	return sets, nil
}

// entityName identifies an entity. Entities of two sets with one name are variants of one another.
type entityName struct{ component, entity string }

// compare orders entities by component and name.
func (x entityName) compare(y entityName) int {
	return cmp.Or(cmp.Compare(x.component, y.component), cmp.Compare(x.entity, y.entity))
}

// alphabetOf numbers the symbols of all runs in their order, so that the codes depend on nothing but the
// symbols. A symbol does not name the component, so that behaviour that moved is recognised.
func alphabetOf(runs []*inferred) map[matching.Symbol]uint32 {
	codes := make(map[matching.Symbol]uint32)
	for _, in := range runs {
		for _, list := range in.transitions {
			for i := range list {
				codes[matching.SymbolOf(&list[i])] = 0
			}
		}
	}
	// The codes of symbols ascend with the symbols, whatever the order of the runs.
	for i, s := range slices.SortedFunc(maps.Keys(codes), matching.Symbol.Compare) {
		codes[s] = uint32(i) // instead of 0, which only marked it as known
	}
	return codes
}

// appendTo appends the automata of a run to those of their entities.
func (in *inferred) appendTo(parts map[entityName][]*language.Automaton, of Of, alphabet map[matching.Symbol]uint32) error {
	// Of a component, all fragments are one entity.
	for _, f := range in.fragments {
		a, err := in.automatonOf(f.Fragment, alphabet)
		if err != nil {
			return err
		}
		n := entityName{f.Component, f.Fragment}
		if of == Components {
			n.entity = f.Component
		}
		parts[n] = append(parts[n], a)
	}
	return nil
}

// automatonOf returns the automaton of a fragment, its states numbered as in the table states. Tables that do not fit together are an
// error, as after an analysis by an older program.
func (in *inferred) automatonOf(fragment string, alphabet map[matching.Symbol]uint32) (*language.Automaton, error) {
	// Tables are sorted by number within a fragment, but a lake that others wrote may not be.
	states := slices.SortedFunc(slices.Values(in.states[fragment]), func(x, y schema.State) int { return cmp.Compare(x.State, y.State) })
	b := new(language.Builder)
	for i, s := range states {
		// The number is an index from here on; a gap would move all that follow.
		if s.State != int64(i) {
			return nil, fmt.Errorf("fragment %s: its states are not numbered from 0 on: analyze the run again", fragment)
		}
		if b.State(s.Accepting); s.Initial {
			b.Initial(int32(i))
		}
	}
	// Damaged rows must not become an index out of range.
	for _, t := range in.transitions[fragment] {
		if n := int64(len(states)); min(t.Source, t.Target) < 0 || max(t.Source, t.Target) >= n {
			return nil, fmt.Errorf("fragment %s: transition %d is between states that it does not have: analyze the run again", fragment, t.Transition)
		}
		b.Transition(int32(t.Source), alphabet[matching.SymbolOf(&t)], int32(t.Target))
	}
	return b.Automaton(), nil
}

// inferred holds the tables of the automata of a run.
type inferred struct {
	fragments   []schema.Fragment
	states      map[string][]schema.State      // by fragment
	transitions map[string][]schema.Transition // by fragment
}

// readInferred reads the automata of a run into memory: a few rows per state.
// Rows keep their order within a fragment.
func readInferred(l *lake.Lake, run string) (*inferred, error) {
	in := &inferred{states: make(map[string][]schema.State), transitions: make(map[string][]schema.Transition)}
	var err error
	if in.fragments, err = lake.Read[schema.Fragment](l, "fragments", lake.Run(run)); err != nil {
		return nil, err
	}
	states, err := lake.Read[schema.State](l, "states", lake.Run(run))
	if err != nil {
		return nil, err
	}
	// Fragments are many and small: grouping them once costs less than a search for each.
	for _, s := range states {
		in.states[s.Fragment] = append(in.states[s.Fragment], s)
	}
	transitions, err := lake.Read[schema.Transition](l, "transitions", lake.Run(run))
	for _, t := range transitions {
		in.transitions[t.Fragment] = append(in.transitions[t.Fragment], t)
	}
	return in, err
}

// joinAutomata returns the automaton of all words of several automata, each any number of times: of a
// fragment in several runs, or of the fragments of a component. It is what would be learnt from these
// words at once (package automata), because an automaton ends its words where it begins them: that
// initial state becomes the same for all, and the result is minimised. The union of the languages would
// be smaller, as it has no word of one behind a word of another.
//
// Automata that are all equal are returned as they are.
func joinAutomata(parts []*language.Automaton) *language.Automaton {
	if !slices.ContainsFunc(parts, func(a *language.Automaton) bool { return !language.Identical(a, parts[0]) }) {
		return parts[0]
	}
	// The common initial state accepts if any part accepts the empty word, as all loops do.
	b := new(language.Builder) // of a nondeterministic automaton, in general
	start := b.State(false)
	b.Initial(start)
	for _, a := range parts {
		appendAt(b, start, a)
	}
	return language.Minimise(b.Automaton())
}

// appendAt appends an automaton, whose initial states become the state start.
func appendAt(b *language.Builder, start int32, a *language.Automaton) {
	// By state of the part: its number in the whole.
	number := make([]int32, a.States())
	for s, accepting := range a.Accepting {
		switch initial := slices.Contains(a.Initial, int32(s)); {
		case !initial:
			number[s] = b.State(accepting)
		case accepting: // initial and accepting: the whole accepts there too
			b.Accept(start)
			fallthrough
		default:
			number[s] = start
		}
	}
	// Transitions into an initial state end a word: they lead to start.
	for t, source := range a.Source() {
		b.Transition(number[source], a.Label[t], number[a.Target[t]])
	}
}
