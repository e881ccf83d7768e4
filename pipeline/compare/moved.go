package compare

import (
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
)

// counterpart is what a fragment of the baseline that moved is in a run of the candidate.
type counterpart struct {
	fragment, component string
	functions           map[string]string // by name in the baseline: what it calls its first function
	bucket              int
}

// settle finds the fragments that moved and gives them the names of the baseline in the models of the candidate, so that
// they are compared as any other. It comes before anything else is looked up by the names of fragments.
func (j *comparison) settle(models []*model) {
	base, cand := models[:len(j.Base)], models[len(j.Base):]
	left, right := entities(base, cand), entities(cand, base)
	for _, move := range matching.Moved(left, right) {
		for _, m := range cand {
			m.rename(right[move.Cand].Fragment, &left[move.Base], move.Renaming)
		}
	}
}

// entities are the fragments of a side that the other side does not have: those that may have moved. They come in the order
// of their names, since the match depends on it.
func entities(side, other []*model) []matching.Entity {
	own := make(map[string]*matching.Entity)
	for _, m := range side {
		for name, f := range m.fragments {
			if own[name] == nil && !has(other, name) {
				own[name] = &matching.Entity{Fragment: name, Component: f.Component, Function: f.Function}
			}
		}
	}
	var list []matching.Entity
	for _, name := range slices.Sorted(maps.Keys(own)) {
		for _, m := range side {
			if len(m.transitions[name]) > 0 {
				own[name].Automata = append(own[name].Automata, matching.Automaton{Fragment: name, Transitions: m.transitions[name]})
			}
		}
		list = append(list, *own[name])
	}
	return list
}

// rename gives a fragment the name that it has in the baseline, and its transitions the functions that they have there. The
// rows of its samples keep its own name: known translates them as they are read.
func (m *model) rename(from string, to *matching.Entity, renaming matching.Renaming) {
	f := m.fragments[from]
	if f == nil {
		return
	}
	m.moved[to.Fragment] = counterpart{from, f.Component, renaming.Function, m.bucket[f.Component]}
	m.called[from] = to.Fragment
	known := *f
	known.Fragment, known.Component = to.Fragment, to.Component
	delete(m.fragments, from)
	m.fragments[to.Fragment] = &known
	m.transitions[to.Fragment] = renaming.Apply(m.transitions[from])
	delete(m.transitions, from)
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

// moved reports a fragment that has another name in the candidate, with its run times.
func (j *judge) moved(name string) {
	c := j.wholeFragment(name)
	c.Subject, c.Verdict = name+" -> "+c.CandFragment, schema.Moved
	j.addMetric(c)
}
