package levels

import (
	"strconv"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// table has the language of every entity in every model set.
type table struct {
	names     []string // of the model sets
	entities  []entity // by first appearance
	behaviour [][]int32
	models    [][]*language.Automaton // as behaviour: what was given, nil where a model set does not have the entity
	languages *languages
}

type entity struct{ component, name string }

func newTable(sets []ModelSet) (*table, error) {
	t := &table{languages: newLanguages()}
	known, setNames := map[entity]int{}, map[string]bool{}
	for i, set := range sets {
		if setNames[set.Name] {
			return nil, duplicate("model set "+strconv.Quote(set.Name), "the comparison")
		}
		setNames[set.Name] = true
		t.names = append(t.names, set.Name)
		for _, model := range set.Entities {
			key := entity{model.Component, model.Name}
			e, found := known[key]
			if !found {
				e = len(t.entities)
				known[key] = e
				t.entities = append(t.entities, key)
				t.behaviour = append(t.behaviour, make([]int32, len(sets)))
				t.models = append(t.models, make([]*language.Automaton, len(sets)))
			}
			if t.models[e][i] != nil {
				return nil, duplicate("entity "+strconv.Quote(model.Name)+" of component "+strconv.Quote(model.Component), "model set "+strconv.Quote(set.Name))
			}
			t.behaviour[e][i], t.models[e][i] = t.languages.of(model.Automaton), model.Automaton
		}
	}
	return t, nil
}

// varies reports whether model sets disagree on an entity.
func (t *table) varies(e int) bool {
	for _, id := range t.behaviour[e] {
		if id != t.behaviour[e][0] {
			return true
		}
	}
	return false
}

// model returns the model of an entity that has a language, of the first model set that has one, or else the minimal one.
func (t *table) model(e int, id int32) *language.Automaton {
	for i, other := range t.behaviour[e] {
		if other == id && t.models[e][i] != nil {
			return t.models[e][i]
		}
	}
	return t.languages.minimal[id]
}
