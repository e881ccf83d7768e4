// Package relocations says under which names a release knows what another one knows under others: where a function moved to another component or was
// renamed, the messages to it, the fragments that it starts, the steps of its callers and its parts of critical paths have other names, too. A comparison of two
// releases and a history of many tell each of these once, not as gone and as new.
package relocations

import "slices"

// Function is a function of a component.
type Function struct{ Component, Name string }

// Call is a function with the component that calls it.
type Call struct {
	Function
	Caller string // "" where no message starts it
}

// Moves say under which names functions of the baseline, and calls of them, lie in the candidate. The zero value says that nothing moved.
type Moves struct {
	functions  map[Function]Function
	calls      map[Call]Call       // whose functions and callers are known for certain
	components map[string][]string // where some function of a component moved to
}

// AddFunction notes that a function moved, or was renamed.
func (m *Moves) AddFunction(from, to Function) {
	if m.functions == nil {
		m.functions = make(map[Function]Function)
	}
	m.functions[from] = to
	m.addComponent(from.Component, to.Component)
}

// AddCall notes that a call is another one, of which nothing else is to be guessed.
func (m *Moves) AddCall(from, to Call) {
	if m.calls == nil {
		m.calls = make(map[Call]Call)
	}
	m.calls[from] = to
	m.addComponent(from.Component, to.Component)
}

// addComponent notes that a function moved from one component to another.
func (m *Moves) addComponent(from, to string) {
	if from == to || slices.Contains(m.components[from], to) {
		return
	}
	if m.components == nil {
		m.components = make(map[string][]string)
	}
	m.components[from] = append(m.components[from], to)
	slices.Sort(m.components[from]) // moves come in any order
}

// Any reports whether something moved.
func (m *Moves) Any() bool { return len(m.functions)+len(m.calls) > 0 }

// of lists what may have become of a call: where the call is known to have moved, that alone; else the function moved, or who calls it, or both.
func (m *Moves) of(c Call) (out []Call) {
	if to, known := m.calls[c]; known {
		return []Call{to}
	}
	callee := c.Function
	if to, moved := m.functions[callee]; moved {
		callee = to
	}
	for _, caller := range append([]string{c.Caller}, m.components[c.Caller]...) {
		if to := (Call{callee, caller}); to != c {
			out = append(out, to)
		}
	}
	return out
}
