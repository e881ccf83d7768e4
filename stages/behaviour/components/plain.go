package components

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// Plain returns a model of the same words without data. Its states are those of the model together with the
// values of the variables, as far as they are reached. A step that takes a variable out of its range does
// not happen.
func (m *Model) Plain() *Model {
	if m.Data == nil {
		return m
	}
	u := unfolding{model: m, known: make(map[string]int32)}
	for _, s := range m.Initial {
		u.build.Initial(u.state(situation{s, make([]int32, len(m.Data.Variables))}))
	}
	for i := 0; i < len(u.queue); i++ {
		u.leave(int32(i))
	}
	return &Model{Component: m.Component, Automaton: u.build.Automaton()}
}

// situation is a state with the values of the variables.
type situation struct {
	state  int32
	values []int32
}

// unfolding numbers the situations that are reached.
type unfolding struct {
	model *Model
	build language.Builder
	known map[string]int32
	queue []situation
}

func (u *unfolding) state(x situation) int32 {
	key := fmt.Sprint(x)
	n, found := u.known[key]
	if !found {
		n = u.build.State(u.model.Accepting[x.state])
		u.known[key] = n
		u.queue = append(u.queue, x)
	}
	return n
}

// leave adds the transitions out of a situation.
func (u *unfolding) leave(n int32) {
	from, m := u.queue[n], u.model
	for t := m.First[from.state]; t < m.First[from.state+1]; t++ {
		if values, ok := m.Data.after(m.Data.Steps[t], from.values); ok {
			u.build.Transition(n, m.Label[t], u.state(situation{m.Target[t], values}))
		}
	}
}

// after are the values after a step, and whether it can happen.
func (d *Data) after(step Step, before []int32) ([]int32, bool) {
	for _, g := range step.When {
		if v := before[g.Variable]; g.Less && v >= g.Value || !g.Less && v != g.Value {
			return nil, false
		}
	}
	after := slices.Clone(before)
	for _, u := range step.Do {
		if after[u.Variable] = u.Value; u.Add {
			after[u.Variable] += before[u.Variable]
		}
		if after[u.Variable] < 0 || after[u.Variable] > d.Variables[u.Variable].Max {
			return nil, false
		}
	}
	return after, true
}

// visible is the automaton of a model without data and silent steps. One without either is returned as it is.
func (m *Model) visible() *language.Automaton {
	a := m.Plain().Automaton
	if silent(a) {
		return language.Minimise(a)
	}
	return a
}

func silent(a *language.Automaton) bool { return slices.Contains(a.Label, language.Tau) }
