package compare

import "github.com/tracelake/tracelake/schema"

// callee is a function as a component knows it.
type callee struct{ component, function string }

// waiting finds the functions of a run in which a component only waits: blocking calls, whose enter always sends and
// whose exit receives. A component that runs a function of that name as well does not only wait.
type waiting struct{ own, replied map[callee]bool }

func newWaiting() waiting { return waiting{make(map[callee]bool), make(map[callee]bool)} }

// add takes a transition into account.
func (w waiting) add(f callee, kind, direction uint8) {
	switch {
	case kind == schema.Enter && direction != schema.Send:
		w.own[f] = true
	case kind == schema.Exit && direction == schema.Receive:
		w.replied[f] = true
	}
}

// only returns the functions, which are few of those that were looked at, in a map that is no larger than that.
func (w waiting) only() map[callee]bool {
	only := make(map[callee]bool)
	for f := range w.replied {
		if !w.own[f] {
			only[f] = true
		}
	}
	return only
}

// waitsIn reports whether a component only waits in a function: then its time is that of others.
func (m *model) waitsIn(component, function string) bool { return m.waits[callee{component, function}] }
