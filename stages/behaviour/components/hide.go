package components

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// HideActions takes the events whose whole name matches a pattern out of the words. Events with which a service
// fragment begins or ends stay, wherever they are. The results are minimal.
func HideActions(s *Set, chosen Choice, pattern string) (*Set, error) {
	re, err := compileWhole(pattern)
	if err != nil {
		return nil, err
	}
	return s.hideEvents(chosen, func(label uint32) bool { return re.MatchString(s.Alphabet.Name(label)) }), nil
}

// ExcludeInternalTransitions takes the events that no other model has out of the words. Events with which a service
// fragment begins or ends stay, wherever they are. The results are minimal.
func ExcludeInternalTransitions(s *Set, chosen Choice) *Set {
	users := make([]int, s.Alphabet.Len())
	for _, m := range s.Models {
		for _, l := range m.Alphabet() {
			users[l]++
		}
	}
	return s.hideEvents(chosen, func(label uint32) bool { return users[label] < 2 })
}

// hideEvents makes the unwanted events of the chosen models silent and minimises the results.
// Data is written out before, since a hidden event could carry a condition.
func (s *Set) hideEvents(chosen Choice, unwanted func(label uint32) bool) *Set {
	return s.changeChosen(chosen, func(m *Model) *language.Automaton {
		a := m.Plain().Automaton
		kept := fragmentBorders(a)
		hidden := slices.DeleteFunc(a.Alphabet(), func(l uint32) bool {
			_, stays := slices.BinarySearch(kept, l)
			return stays || !unwanted(l)
		})
		return language.Minimise(language.HideLabels(a, hidden))
	})
}

// fragmentBorders returns the labels of the transitions from and to the initial states, ascending. Hiding
// these would join service fragments.
func fragmentBorders(a *language.Automaton) []uint32 {
	var labels []uint32
	// The initial states are also where fragments end: closeLoop merged both.
	for t, s := range a.Source() {
		if slices.Contains(a.Initial, s) || slices.Contains(a.Initial, a.Target[t]) {
			labels = append(labels, a.Label[t])
		}
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}

// FilterClientServerInteractions keeps the models of two components, and of these the service fragments in which
// they communicate with each other.
func FilterClientServerInteractions(s *Set, first, second string) (*Set, error) {
	var models []*Model
	// Both directions: what the first has to do with the second, and the second with the first.
	for _, pair := range [][2]string{{first, second}, {second, first}} {
		m := s.Model(pair[0])
		if m == nil {
			return nil, fmt.Errorf("there is no model of component %q; there are %v", pair[0], s.componentNames())
		}
		talks, err := s.communicatingLabels(m, pair[1])
		if err != nil {
			return nil, err
		}
		models = append(models, &Model{Component: m.Component, Automaton: keepInteracting(m.withoutData(), talks)})
	}
	return s.withModels(models), nil
}

// componentNames returns the names of the models.
func (s *Set) componentNames() (names []string) {
	for _, m := range s.Models {
		names = append(names, m.Component)
	}
	return names
}

// communicatingLabels reports, by label, whether an event of a model names a component.
func (s *Set) communicatingLabels(m *Model, component string) ([]bool, error) {
	talks := make([]bool, s.Alphabet.Len())
	for _, l := range m.Alphabet() {
		e, err := ParseEvent(s.Alphabet.Name(l))
		if err != nil {
			return nil, err
		}
		talks[l] = e.Component == component || e.Other == component
	}
	return talks, nil
}

// keepInteracting keeps those first events that are wanted themselves, or may come before a wanted one in
// their fragment.
func keepInteracting(a *language.Automaton, wanted []bool) *language.Automaton {
	if a.States() == 0 {
		return a
	}
	// Removing first events leaves states that nothing reaches; Determinise drops them and numbers the rest anew.
	ahead := reachesWanted(a, wanted)
	return language.Determinise(filterInitial(a, func(label uint32, target int32) bool {
		return wanted[label] || ahead[target]
	}))
}

// reachesWanted reports, by state, whether it reaches a wanted event without passing the initial state: a
// search backwards. The initial state itself counts as not reaching any.
func reachesWanted(a *language.Automaton, wanted []bool) []bool {
	into, ahead := make([][]int32, a.States()), make([]bool, a.States())
	var queue []int32
	// Not passing the initial state keeps the search within one fragment.
	reach := func(s int32) {
		if !ahead[s] && s != a.Initial[0] {
			ahead[s] = true
			queue = append(queue, s)
		}
	}
	for t, s := range a.Source() {
		into[a.Target[t]] = append(into[a.Target[t]], s)
		if wanted[a.Label[t]] {
			reach(s)
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, s := range into[queue[i]] {
			reach(s)
		}
	}
	return ahead
}

// Fragments splits a model into its service fragments: for every first event, the words that begin with
// it, any number of them. A fragment is named after its first event, with "_" for ".". Composing the
// fragments does not give the component back, because the component executes one at a time.
func (s *Set) Fragments(m *Model) []*Model {
	a := m.withoutData()
	if a.States() == 0 {
		return nil
	}
	var out []*Model
	last := language.Tau
	for _, first := range initialLabels(a) {
		// The labels of a state ascend, so that equal ones stand together.
		if first != last {
			name := strings.Replace(s.Alphabet.Name(first), ".", "_", 1)
			out = append(out, &Model{Component: name, Automaton: language.Trim(filterInitial(a, func(label uint32, _ int32) bool { return label == first }))})
		}
		last = first
	}
	return out
}

// initialLabels returns the labels of the transitions of the initial state, ascending.
func initialLabels(a *language.Automaton) []uint32 {
	labels, _ := a.Out(a.Initial[0])
	return labels
}

// filterInitial keeps only those transitions of the initial state that are wanted.
func filterInitial(a *language.Automaton, wanted func(label uint32, target int32) bool) *language.Automaton {
	return language.Filter(a, func(source int32, label uint32, target int32) bool {
		return source != a.Initial[0] || wanted(label, target)
	})
}

// PrefixClose makes every beginning of a word a word.
func PrefixClose(s *Set, chosen Choice) *Set {
	return s.changeChosen(chosen, func(m *Model) *language.Automaton { return language.PrefixClose(m.Plain().Automaton) })
}
