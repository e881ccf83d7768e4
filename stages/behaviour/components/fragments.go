package components

import (
	"strings"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// Fragments splits a model into its service fragments: for every first event the words that begin with it, any
// number of them. A fragment is named after its first event, with "_" for the ".". Composing the fragments
// does not give the component back, which executes one at a time.
func (s *Set) Fragments(m *Model) []*Model {
	a := m.visible()
	if a.States() == 0 {
		return nil
	}
	var out []*Model
	last := language.Tau
	for _, first := range firstEvents(a) {
		if first != last {
			name := strings.Replace(s.Alphabet.Name(first), ".", "_", 1)
			out = append(out, &Model{Component: name, Automaton: language.Trim(beginning(a, func(label uint32, _ int32) bool { return label == first }))})
		}
		last = first
	}
	return out
}

// firstEvents are the labels of the transitions of the initial state.
func firstEvents(a *language.Automaton) []uint32 {
	labels, _ := a.Out(a.Initial[0])
	return labels
}

// beginning keeps of the transitions of the initial state those that are wanted.
func beginning(a *language.Automaton, wanted func(label uint32, target int32) bool) *language.Automaton {
	var b language.Builder
	for _, accepting := range a.Accepting {
		b.State(accepting)
	}
	for _, s := range a.Initial {
		b.Initial(s)
	}
	for t, s := range a.Source() {
		if s != a.Initial[0] || wanted(a.Label[t], a.Target[t]) {
			b.Transition(s, a.Label[t], a.Target[t])
		}
	}
	return b.Automaton()
}
