package components

import "github.com/tracelake/tracelake/stages/behaviour/language"

// PrefixClose makes every beginning of a word a word.
func PrefixClose(s *Set, chosen Choice) *Set {
	var models []*Model
	for _, m := range s.Models {
		if chosen.takes(m.Component) {
			m = &Model{Component: m.Component, Automaton: language.PrefixClose(m.Plain().Automaton)}
		}
		models = append(models, m)
	}
	return s.with(models)
}
