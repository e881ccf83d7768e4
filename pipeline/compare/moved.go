package compare

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
)

// counterpart is what a fragment of the baseline that moved is in a run of the candidate.
type counterpart struct {
	fragment, component string
	functions           map[string]string // by name in the baseline: what it calls its first function
	renaming            matching.Renaming // of its transitions, to the names of the baseline
	bucket              int
}

// settle finds the fragments that moved and gives them the names of the baseline in the models of the candidate, so that
// they are compared as any other. It comes before anything else is looked up by the names of fragments.
func (j *comparison) settle(ctx context.Context, models []*model) error {
	base, cand := models[:len(j.Base)], models[len(j.Base):]
	left, right := entities(base, cand), entities(cand, base)
	if len(left) == 0 || len(right) == 0 {
		return nil // then nothing moved, and no automaton needs to be read
	}
	if err := j.readEntities(ctx, base, left); err != nil {
		return err
	}
	if err := j.readEntities(ctx, cand, right); err != nil {
		return err
	}
	for _, move := range matching.Moved(left, right) {
		for _, m := range cand {
			m.rename(right[move.Cand].Fragment, &left[move.Base], move.Renaming)
		}
	}
	return nil
}

// entities are the fragments of a side that the other side does not have: those that may have moved. They come in the order
// of their names, since the match depends on it.
func entities(side, other []*model) (list []matching.Entity) {
	own := make(map[string]*schema.Fragment)
	for _, m := range side {
		for name, f := range m.fragments {
			if own[name] == nil && !anyHas(other, name) {
				own[name] = f
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		list = append(list, matching.Entity{Fragment: name, Component: own[name].Component, Function: own[name].Function})
	}
	return list
}

// readEntities reads the automata of entities, different ones once: those of all runs look the same to the match.
func (j *comparison) readEntities(ctx context.Context, side []*model, list []matching.Entity) error {
	at := make(map[string]int, len(list))
	for i := range list {
		at[list[i].Fragment] = i
	}
	rows, known := &transitionColumns{names: &j.names}, make(shapes)
	for _, m := range side {
		if _, err := j.readAutomata(ctx, m, m.tables["transitions"].Files, rows, func(own string) bool { return has(at, own) }, known); err != nil {
			return err
		}
	}
	for i := range list {
		name := list[i].Fragment
		for _, s := range known[name] {
			list[i].Automata = append(list[i].Automata, matching.Automaton{Fragment: name, Transitions: s.transitions})
		}
	}
	return nil
}

// rename gives a fragment the name that it has in the baseline. The rows of its transitions, samples and summaries keep its own
// name and the functions that it has in the run: these are translated as they are read.
func (m *model) rename(from string, to *matching.Entity, renaming matching.Renaming) {
	f := m.fragments[from]
	if f == nil {
		return
	}
	m.moved[to.Fragment] = counterpart{from, f.Component, renaming.Function, renaming, m.bucket[f.Component]}
	m.called[from] = to.Fragment
	known := *f
	known.Fragment, known.Component = to.Fragment, to.Component
	delete(m.fragments, from)
	m.fragments[to.Fragment] = &known
	m.initials[to.Fragment] = m.initials[from]
	delete(m.initials, from)
}

// known is the name under which a fragment of a run is compared: that in the baseline.
func (m *model) known(fragment string) string {
	if name, moved := m.called[fragment]; moved {
		return name
	}
	return fragment
}

// counterpart returns what a fragment is in the first run of the candidate that has it under another name. It is empty for
// a fragment that did not move.
func (j *judge) counterpart(fragment string) counterpart {
	_, cand := sides(j, j.models)
	for _, m := range cand {
		if h, moved := m.moved[fragment]; moved {
			return h
		}
	}
	return counterpart{}
}

// Move is a function that has another name, or lies in another component, in the candidate.
type Move struct{ BaseComponent, BaseFunction, CandComponent, CandFunction string }

// Moves lists the functions of fragments that moved, each once, in the order of their names in the baseline. What is observed of these
// fragments stands under the names of the baseline.
func (o *Observations) Moves() (all []Move) {
	cand := o.of.models[len(o.of.Base):]
	for _, m := range cand {
		for name, to := range m.moved {
			f := m.fragments[name]
			all = append(all, Move{f.Component, f.Function, to.component, cmp.Or(to.functions[f.Function], f.Function)})
		}
	}
	slices.SortFunc(all, func(a, b Move) int {
		return cmp.Or(cmp.Compare(a.BaseComponent, b.BaseComponent), cmp.Compare(a.BaseFunction, b.BaseFunction),
			cmp.Compare(a.CandComponent, b.CandComponent), cmp.Compare(a.CandFunction, b.CandFunction))
	})
	return slices.Compact(all)
}

// moved reports a fragment that has another name in the candidate, with its run times.
func (j *judge) moved(name string) {
	c := j.wholeFragment(name)
	c.Subject, c.Verdict = name+" -> "+c.CandFragment, schema.Moved
	j.addMetric(c)
}
