package components

import (
	"fmt"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// FilterClientServerInteractions keeps the models of two components, and of these the service fragments in which
// they communicate with each other.
func FilterClientServerInteractions(s *Set, first, second string) (*Set, error) {
	var models []*Model
	for _, pair := range [][2]string{{first, second}, {second, first}} {
		m := s.Model(pair[0])
		if m == nil {
			return nil, fmt.Errorf("there is no model of component %q; there are %v", pair[0], s.components())
		}
		talks, err := s.communicates(m, pair[1])
		if err != nil {
			return nil, err
		}
		models = append(models, &Model{Component: m.Component, Automaton: interacting(m.visible(), talks)})
	}
	return s.with(models), nil
}

// components are the names of the models.
func (s *Set) components() (names []string) {
	for _, m := range s.Models {
		names = append(names, m.Component)
	}
	return names
}

// communicates says by label whether an event of a model names a component.
func (s *Set) communicates(m *Model, component string) ([]bool, error) {
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

// interacting keeps of the first events those that may come before a wanted one in their fragment, or are one.
func interacting(a *language.Automaton, wanted []bool) *language.Automaton {
	if a.States() == 0 {
		return a
	}
	ahead := leading(a, wanted)
	return language.Determinise(beginning(a, func(label uint32, target int32) bool {
		return wanted[label] || ahead[target]
	}))
}

// leading says by state whether it reaches a wanted event without going through the initial state, which itself counts
// as not reaching any.
func leading(a *language.Automaton, wanted []bool) []bool {
	into, ahead := make([][]int32, a.States()), make([]bool, a.States())
	var queue []int32
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
