package evaluate

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
)

// pairing numbers the steps of a cell, and the functions, so that numbers mean the same in all runs.
type pairing struct {
	Cell
	component []string                         // by step
	fragment  []string                         // by step
	functions map[function]uint32              // numbers from 1, so that 0 is a function without one
	automata  []map[string][]schema.Transition // by run and fragment
	steps     []map[stepKey]uint32             // by run
}

// stepKey is a transition of a fragment in one run.
type stepKey struct {
	fragment   string
	transition int64
}

// function is a function of a component.
type function struct{ component, name string }

// pair pairs the transitions of all runs, as a comparison does: fragment by fragment, by the differences of their automata
// (Walkinshaw and Bogdanov 2013). Steps are numbered in the order of fragments' names, so that numbers are the same each time.
func (j *Job) pair(c Cell) (*pairing, error) {
	p := &pairing{Cell: c, functions: make(map[function]uint32)}
	names := make(map[string]bool)
	for _, run := range c.Runs {
		automata, err := readAutomata(j.Lake, run)
		if err != nil {
			return nil, err
		}
		p.automata, p.steps = append(p.automata, automata), append(p.steps, make(map[stepKey]uint32))
		for name := range automata {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if err := p.fragmentSteps(name); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// readAutomata reads the transitions of a run by fragment, sorted by number, which the matching refers to.
func readAutomata(l *lake.Lake, run string) (map[string][]schema.Transition, error) {
	rows, err := lake.Read[schema.Transition](l, "transitions", lake.Run(run))
	if err != nil {
		return nil, err
	}
	out := make(map[string][]schema.Transition)
	for _, t := range rows {
		out[t.Fragment] = append(out[t.Fragment], t)
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b schema.Transition) int { return cmp.Compare(a.Transition, b.Transition) })
	}
	return out, nil
}

// fragmentSteps numbers the steps and functions of one fragment. A step is a class of transitions, at most one of each run, that
// the matching takes for the same.
func (p *pairing) fragmentSteps(name string) error {
	automata := make([]matching.Automaton, len(p.Runs))
	for i := range automata {
		automata[i] = matching.Automaton{Fragment: name, Transitions: p.automata[i][name]}
	}
	matched, err := matching.ByDifference.Match(automata)
	if err != nil {
		return err
	}
	for _, s := range matched.Steps {
		component, step := "", uint32(len(p.component))
		for run, n := range s.Taken {
			if n == matching.None {
				continue
			}
			t := &automata[run].Transitions[n]
			component = t.Component
			p.steps[run][stepKey{name, t.Transition}] = step
			if f := (function{t.Component, t.Function}); p.functions[f] == 0 {
				p.functions[f] = uint32(len(p.functions)) + 1
			}
		}
		p.component, p.fragment = append(p.component, component), append(p.fragment, name)
	}
	return nil
}

// functionCode returns the number of a function in all runs, or NoCode for one that takes no step in any.
func (p *pairing) functionCode(f function) uint32 {
	if n := p.functions[f]; n > 0 {
		return n - 1
	}
	return schema.NoCode
}
