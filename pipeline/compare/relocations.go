package compare

import (
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/relocations"
)

// relocationsOf gathers the functions and the fragments that moved.
func (j *comparison) relocationsOf(pairs []functionPair) (moves relocations.Moves) {
	for i := range pairs {
		p := &pairs[i]
		for _, base := range p.baseline() {
			if base != p.cand {
				moves.AddFunction(relocations.Function{Component: base.component, Name: base.function}, relocations.Function{Component: p.cand.component, Name: p.cand.function})
			}
		}
	}
	for _, m := range j.models[len(j.Base):][:len(j.Cand)] {
		for name, to := range m.moved {
			f := fragmentOf(j.models[:len(j.Base)], name)
			function, caller, _ := strings.Cut(strings.TrimPrefix(to.fragment, to.component+"."), " from ")
			moves.AddCall(callOf(f.Component, f.Function, f.Peer), callOf(to.component, function, caller))
		}
	}
	return moves
}

// callOf is a call of a function by a component.
func callOf(component, function, caller string) relocations.Call {
	return relocations.Call{Function: relocations.Function{Component: component, Name: function}, Caller: caller}
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

// placeOf is the place of a row of the table changes. The name of a fragment is made of the other names.
func placeOf(c *schema.Change) relocations.Place {
	p := relocations.Place{
		Level: c.Level, Metric: c.Metric, Fragment: c.Fragment, Kind: c.Kind, Direction: c.Direction, Normalisation: c.Normalisation,
		Function: relocations.Function{Component: c.Component, Name: c.Function}, Peer: c.Peer,
	}
	if c.Level == schema.LevelFragment {
		p.Fragment = ""
	}
	return p
}
