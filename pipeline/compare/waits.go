package compare

import (
	"maps"

	"github.com/tracelake/tracelake/schema"
)

// callee is a function as a component knows it.
type callee struct{ component, function string }

// waits are the functions of a run in which a component only waits: blocking calls, whose enter always sends and
// whose exit receives. A component that runs a function of that name as well does not only wait.
func waits(transitions map[string][]schema.Transition) map[callee]bool {
	own, replied := make(map[callee]bool), make(map[callee]bool)
	enter, exit := schema.KindWords[schema.Enter], schema.KindWords[schema.Exit]
	for _, list := range transitions {
		for _, t := range list {
			f := callee{t.Component, t.Function}
			switch {
			case t.Kind == enter && t.Direction != schema.DirectionWords[schema.Send]:
				own[f] = true
			case t.Kind == exit && t.Direction == schema.DirectionWords[schema.Receive]:
				replied[f] = true
			}
		}
	}
	maps.DeleteFunc(replied, func(f callee, _ bool) bool { return own[f] })
	return replied
}

// waitsIn reports whether a component only waits in a function: then its time is that of others.
func (m *model) waitsIn(component, function string) bool { return m.waits[callee{component, function}] }
