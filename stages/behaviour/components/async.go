package components

import (
	"slices"
	"strings"
)

// AddAsynchronousPatternConstraints makes an answer to an asynchronous call wait for the call, and the next such call for
// the answer: a variable of each call reports whether it is open. The calls and their answers are
//
//	fcn sent       ... fcncb received, to the caller
//	req sent       ... wait begins
//	async received ... arslt sent
//
// of one function of one interface, all at their starts.
// The variables make the language smaller only where a trace was cut: in a whole trace every answer follows its call.
// Variables of the set given are copied, so that its models do not change.
func AddAsynchronousPatternConstraints(s *Set, chosen Choice) (*Set, error) {
	models := slices.Clone(s.Models)
	for i, m := range models {
		if !chosen.includes(m.Component) {
			continue
		}
		var err error
		if models[i], err = s.constrainModel(m); err != nil {
			return nil, err
		}
	}
	return s.withModels(models), nil
}

// labelledEvent is a parsed event with its label.
// An event is parsed once per model, although every pair of events is looked at.
type labelledEvent struct {
	Event
	label uint32
}

// constrainModel returns a model with the constraints of its asynchronous calls, or the model itself if
// it has none.
func (s *Set) constrainModel(m *Model) (*Model, error) {
	var events []labelledEvent
	for _, l := range m.Alphabet() {
		e, err := ParseEvent(s.Alphabet.Name(l))
		if err != nil {
			return nil, err
		}
		events = append(events, labelledEvent{e, l})
	}
	// The automaton is shared with the model given: only conditions and updates are added to its transitions.
	out := &Model{m.Component, m.Automaton, m.Data.cloneFor(m.Transitions())}
	// Quadratic in the alphabet of one component, which has tens of events and not thousands.
	for _, call := range events {
		for _, answer := range events {
			// CIF separates a component from an event by a point, which no variable may have in its name.
			if isAnswer(call.Event, answer.Event, m.Component) {
				v := out.Data.variableIndex(strings.Replace(call.String(), ".", "_", 1) + "_async_var")
				out.addConstraint(call.label, Guard{v, false, 0}, Update{v, false, 1})
				out.addConstraint(answer.label, Guard{v, false, 1}, Update{v, false, 0})
			}
		}
	}
	if len(out.Data.Variables) == 0 {
		return m, nil
	}
	return out, nil
}

// isAnswer reports whether an event answers another one, an asynchronous call that the component makes or
// takes.
func isAnswer(call, answer Event, component string) bool {
	if call.Interface != answer.Interface || call.Function != answer.Function || call.Other == "" {
		return false
	}
	sends, receives := call.Component == component, call.Other == component
	switch {
	case sends && call.Type == "fcn" && !call.Return: // the callback comes to the caller
		return answer.Other == call.Component && answer.OtherType == "fcncb" && !answer.OtherReturn
	case sends && call.Type == "req" && !call.Return: // the caller waits for the result later
		return answer.Component == call.Component && answer.Type == "wait" && !answer.Return
	case receives && call.OtherType == "async" && !call.OtherReturn: // the result is sent after the handler returned
		return answer.Component == call.Other && answer.Type == "arslt" && !answer.Return
	}
	return false
}

// addConstraint adds a condition to all transitions with a label, unless they have one on its variable.
func (m *Model) addConstraint(label uint32, when Guard, do Update) {
	for t, l := range m.Label {
		step := &m.Data.Steps[t]
		if l == label && !slices.ContainsFunc(step.When, func(g Guard) bool { return g.Variable == when.Variable }) {
			step.When, step.Do = append(step.When, when), append(step.Do, do)
		}
	}
}

// variableIndex returns the position of a variable; a new one is a truth value.
func (d *Data) variableIndex(name string) int {
	i := slices.IndexFunc(d.Variables, func(v Variable) bool { return v.Name == name })
	if i < 0 {
		i = len(d.Variables)
		d.Variables = append(d.Variables, Variable{name, 1})
	}
	return i
}

// cloneFor returns a deep copy with room for the steps of a number of transitions. d may be nil.
func (d *Data) cloneFor(transitions int) *Data {
	out := &Data{Steps: make([]Step, transitions)}
	if d == nil {
		return out
	}
	// The condition lists must not be shared either: addConstraint appends to them.
	out.Variables = slices.Clone(d.Variables)
	for i, step := range d.Steps {
		out.Steps[i] = Step{slices.Clone(step.When), slices.Clone(step.Do)}
	}
	return out
}
