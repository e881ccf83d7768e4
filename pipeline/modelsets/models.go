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
	"github.com/tracelake/tracelake/stages/behaviour/matching"
)

// entityName identifies an entity. Entities of two sets with one name are variants of one another.
type entityName struct{ component, entity string }

// compare orders entities by component and name.
func (x entityName) compare(y entityName) int {
	return cmp.Or(cmp.Compare(x.component, y.component), cmp.Compare(x.entity, y.entity))
}

// bucketModels are the automata of the entities of one task. An automaton is in memory once, however many runs have it, so that
// memory follows the behaviours that differ and not the runs.
type bucketModels struct {
	*survey
	known map[uint64][]*language.Automaton // by hash
	parts map[entityName][]parts           // by model set
}

// parts are the different automata that the runs of a model set have for one entity, in the order in which they were found.
type parts struct {
	list  []*language.Automaton
	has   map[*language.Automaton]bool
	model *language.Automaton // of the list, once it is made
}

// readBucket reads the models of the components whose home is a bucket, run by run.
func (s *survey) readBucket(t *pipeline.Task) (*bucketModels, error) {
	m := &bucketModels{survey: s, known: make(map[uint64][]*language.Automaton), parts: make(map[entityName][]parts)}
	for i, run := range s.runs {
		if err := t.Context().Err(); err != nil {
			return nil, err
		}
		in, err := readInferred(t, run, s.bucketsOf(i, t.Bucket()))
		if err == nil {
			err = m.addRun(t.Context(), run, in, t.Bucket())
		}
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", run, err)
		}
	}
	return m, nil
}

// bucketsOf are the buckets of a run that hold components whose home is some bucket.
func (s *survey) bucketsOf(run, home int) (all []int) {
	for component, bucket := range s.bucket[run] {
		if s.home[component] == home {
			all = append(all, bucket)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// addRun adds the automata of a run to those of their entities, in every set that has the run. Of a component, all fragments are
// one entity.
func (m *bucketModels) addRun(ctx context.Context, run string, in *inferred, home int) error {
	for _, f := range in.fragments {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if m.home[f.Component] != home {
			continue
		}
		a, err := in.automatonOf(f.Fragment, m.alphabet)
		if err != nil {
			return err
		}
		a = m.intern(a)
		n := entityName{f.Component, f.Fragment}
		if m.Of == Components {
			n.entity = f.Component
		}
		if m.parts[n] == nil {
			m.parts[n] = make([]parts, len(m.Sets))
		}
		for i := range m.Sets {
			if slices.Contains(m.Sets[i].Runs, run) {
				m.parts[n][i].add(a)
			}
		}
	}
	return nil
}

// intern returns the automaton that is known for the same one.
func (m *bucketModels) intern(a *language.Automaton) *language.Automaton {
	h := a.Hash()
	for _, other := range m.known[h] {
		if language.Identical(a, other) {
			return other
		}
	}
	m.known[h] = append(m.known[h], a)
	return a
}

// add adds an automaton unless it is there: the same words once more change no language.
func (p *parts) add(a *language.Automaton) {
	if p.has[a] {
		return
	}
	if p.has == nil {
		p.has = make(map[*language.Automaton]bool)
	}
	p.has[a] = true
	p.list = append(p.list, a)
}

// rows are the models of the task's entities in the order of their names: one row for every different one, with its sets.
func (m *bucketModels) rows(ctx context.Context) (all []stagedModel, err error) {
	names := slices.Collect(maps.Keys(m.parts))
	if err := sortUntil(ctx, names, entityName.compare); err != nil {
		return nil, err
	}
	for _, n := range names {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		of := m.parts[n]
		sets := make(map[*language.Automaton][]int32)
		var order []*language.Automaton
		for i := range of {
			if of[i].list == nil {
				continue // the set does not have the entity
			}
			a := m.joined(of, i)
			if sets[a] == nil {
				order = append(order, a)
			}
			sets[a] = append(sets[a], int32(i))
		}
		for _, a := range order {
			all = append(all, newStagedModel(n, sets[a], a))
		}
	}
	return all, nil
}

// joined is the model of a set for an entity. Sets whose runs have the same parts are joined once.
func (m *bucketModels) joined(of []parts, set int) *language.Automaton {
	for i := range set {
		if slices.Equal(of[i].list, of[set].list) {
			of[set].model = of[i].model
			return of[set].model
		}
	}
	of[set].model = m.intern(joinAutomata(of[set].list))
	return of[set].model
}

// inferred holds the tables of the automata of a part of a run.
type inferred struct {
	fragments   []schema.Fragment
	states      map[string][]schema.State      // by fragment
	transitions map[string][]schema.Transition // by fragment
}

// readInferred reads the automata in some buckets of a run into memory: a few rows per state. Rows keep their order within a
// fragment.
func readInferred(t *pipeline.Task, run string, buckets []int) (*inferred, error) {
	in := &inferred{states: make(map[string][]schema.State), transitions: make(map[string][]schema.Transition)}
	var err error
	if in.fragments, err = rowsOf[schema.Fragment](t, run, "fragments", buckets); err != nil {
		return nil, err
	}
	states, err := rowsOf[schema.State](t, run, "states", buckets)
	if err != nil {
		return nil, err
	}
	// Fragments are many and small: grouping them once costs less than a search for each.
	for _, s := range states {
		if t.Context().Err() != nil {
			return nil, t.Context().Err()
		}
		in.states[s.Fragment] = append(in.states[s.Fragment], s)
	}
	transitions, err := rowsOf[schema.Transition](t, run, "transitions", buckets)
	for _, row := range transitions {
		if t.Context().Err() != nil {
			return nil, t.Context().Err()
		}
		in.transitions[row.Fragment] = append(in.transitions[row.Fragment], row)
	}
	return in, err
}

// rowsOf reads the rows that a run has in some buckets.
func rowsOf[T any](t *pipeline.Task, run, table string, buckets []int) (all []T, err error) {
	for _, f := range t.Input(run, table).InBuckets(buckets...) {
		rows, err := lake.ReadFile[T](t.Context(), t.Lake(), f)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
		t.Advance(f.Rows)
	}
	return all, nil
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
