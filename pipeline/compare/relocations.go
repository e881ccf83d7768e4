package compare

import (
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// call is a function with the component that calls it.
type call struct {
	functionKey
	caller string // "" where no message starts it
}

// relocations say under which names functions of the baseline, and calls of them, lie in the candidate.
type relocations struct {
	functions  map[functionKey]functionKey
	calls      map[call]call       // of fragments that moved
	components map[string][]string // where some function of a component moved to
}

// relocationsOf gathers the functions and the fragments that moved; nil where nothing did.
func (j *comparison) relocationsOf(pairs []functionPair) *relocations {
	r := &relocations{make(map[functionKey]functionKey), make(map[call]call), make(map[string][]string)}
	for i := range pairs {
		p := &pairs[i]
		for _, base := range p.baseline() {
			if base != p.cand {
				r.functions[base] = p.cand
				r.addComponent(base.component, p.cand.component)
			}
		}
	}
	for _, m := range j.models[len(j.Base):][:len(j.Cand)] {
		for name, to := range m.moved {
			f := fragmentOf(j.models[:len(j.Base)], name)
			function, caller, _ := strings.Cut(strings.TrimPrefix(to.fragment, to.component+"."), " from ")
			r.calls[call{functionKey{f.Component, f.Function}, f.Peer}] = call{functionKey{to.component, function}, caller}
			r.addComponent(f.Component, to.component)
		}
	}
	if len(r.functions)+len(r.calls) == 0 {
		return nil
	}
	return r
}

// fragmentOf is a fragment as the first run that has it describes it; nil where none has.
func fragmentOf(models []*model, name string) *schema.Fragment {
	for _, m := range models {
		if f := m.fragments[name]; f != nil {
			return f
		}
	}
	return nil
}

// addComponent notes that a function moved from one component to another.
func (r *relocations) addComponent(from, to string) {
	if from != to && !slices.Contains(r.components[from], to) {
		r.components[from] = append(r.components[from], to)
		slices.Sort(r.components[from]) // fragments come in the order of a map
	}
}

// of lists what may have become of a call: where its fragment moved, that is known; else the function moved, or who calls it, or both.
func (r *relocations) of(c call) (out []call) {
	if to, known := r.calls[c]; known {
		return []call{to}
	}
	callee := c.functionKey
	if to, moved := r.functions[callee]; moved {
		callee = to
	}
	for _, caller := range append([]string{c.caller}, r.components[c.caller]...) {
		if to := (call{callee, caller}); to != c {
			out = append(out, to)
		}
	}
	return out
}

// place is where a row of the table changes lies, by the names that change when a function moves.
type place struct {
	level, metric, fragment, kind, direction, normalisation string // which stay
	component, function, peer                               string
}

// placeOf is the place of a row. The name of a fragment is made of the other names.
func placeOf(c *schema.Change) place {
	p := place{c.Level, c.Metric, c.Fragment, c.Kind, c.Direction, c.Normalisation, c.Component, c.Function, c.Peer}
	if c.Level == schema.LevelFragment {
		p.fragment = ""
	}
	return p
}

// after lists the places that may be the same one in the candidate. A message names the function that is called at both of its ends, of which
// either may be that of the row.
func (r *relocations) after(p place) (out []place) {
	for _, to := range r.of(call{functionKey{p.component, p.function}, p.peer}) {
		at := p
		at.component, at.function, at.peer = to.component, to.function, to.caller
		out = append(out, at)
	}
	if p.level == schema.LevelFragment || p.peer == "" {
		return out
	}
	for _, to := range r.of(call{functionKey{p.peer, p.function}, p.component}) {
		at := p
		at.component, at.function, at.peer = to.caller, to.function, to.component
		if !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}
