package modelsets

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
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
