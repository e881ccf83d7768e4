package components

import (
	"slices"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// HideActions takes the events whose whole name matches a pattern out of the words. Events with which a service
// fragment begins or ends stay, wherever they are. The results are minimal.
func HideActions(s *Set, chosen Choice, pattern string) (*Set, error) {
	re, err := whole(pattern)
	if err != nil {
		return nil, err
	}
	return s.hide(chosen, func(label uint32) bool { return re.MatchString(s.Alphabet.Name(label)) }), nil
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
	return s.hide(chosen, func(label uint32) bool { return users[label] < 2 })
}

// hide takes events out of the words of chosen models.
func (s *Set) hide(chosen Choice, unwanted func(label uint32) bool) *Set {
	var models []*Model
	for _, m := range s.Models {
		if chosen.takes(m.Component) {
			a := m.Plain().Automaton
			kept := borders(a)
			hidden := slices.DeleteFunc(a.Alphabet(), func(l uint32) bool { _, stays := slices.BinarySearch(kept, l); return stays || !unwanted(l) })
			m = &Model{Component: m.Component, Automaton: language.Minimise(language.HideLabels(a, hidden))}
		}
		models = append(models, m)
	}
	return s.with(models)
}

// borders are the labels of the transitions from and to the initial states, ascending.
func borders(a *language.Automaton) []uint32 {
	var labels []uint32
	for t, s := range a.Source() {
		if slices.Contains(a.Initial, s) || slices.Contains(a.Initial, a.Target[t]) {
			labels = append(labels, a.Label[t])
		}
	}
	slices.Sort(labels)
	return slices.Compact(labels)
}
