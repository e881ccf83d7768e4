package levels

import (
	"context"
	"slices"
	"strconv"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// entityTable has the language of every entity in every model set.
type entityTable struct {
	names     []string                // of the model sets
	entities  []entityKey             // by first appearance
	behaviour [][]int32               // by entity and model set: the language
	models    [][]*language.Automaton // as behaviour: the given automaton, nil where a model set lacks the entity
	languages *languageTable
}

// entityKey identifies an entity across model sets.
type entityKey struct{ component, name string }

// newEntityTable computes the languages of all models; names that repeat are an error.
func newEntityTable(ctx context.Context, sets []ModelSet) (*entityTable, error) {
	t := &entityTable{languages: newLanguageTable()}
	var known schema.Numbering[entityKey]
	setNames := map[string]bool{}
	// One pass over all models: an entity gets its number where it first appears.
	for i, set := range sets {
		if setNames[set.Name] {
			return nil, duplicateError("model set "+strconv.Quote(set.Name), "the comparison")
		}
		setNames[set.Name] = true
		t.names = append(t.names, set.Name)
		for _, model := range set.Entities {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			key := entityKey{model.Component, model.Name}
			e, isNew := known.Add(key)
			if isNew {
				t.entities = append(t.entities, key)
				t.behaviour = append(t.behaviour, make([]int32, len(sets)))
				t.models = append(t.models, make([]*language.Automaton, len(sets)))
			}
			if t.models[e][i] != nil {
				return nil, duplicateError("entity "+strconv.Quote(model.Name)+" of component "+strconv.Quote(model.Component), "model set "+strconv.Quote(set.Name))
			}
			t.behaviour[e][i], t.models[e][i] = t.languages.languageOf(model.Automaton), model.Automaton
		}
	}
	return t, nil
}

// isVarying reports whether model sets disagree on an entity.
func (t *entityTable) isVarying(e int) bool {
	return slices.ContainsFunc(t.behaviour[e], func(id int32) bool { return id != t.behaviour[e][0] })
}

// modelOf returns the model of an entity with a language, from the first model set that has one, or else
// the minimal automaton.
func (t *entityTable) modelOf(e int, id int32) *language.Automaton {
	for i, other := range t.behaviour[e] {
		if other == id && t.models[e][i] != nil {
			return t.models[e][i]
		}
	}
	return t.languages.minimal[id]
}

// empty is the language without words.
const empty int32 = 0

// languageTable numbers languages from 0 in the order in which they are first seen, and remembers what it
// computed about them. Inclusion and combination are expensive, and lattices ask for the same pairs again
// and again.
type languageTable struct {
	minimal       []*language.Automaton   // by language: its minimal automaton
	byHash        map[uint64][]int32      // by the hash of the minimal automaton: languages
	given         map[uint64][]givenModel // by the hash of a model: the models seen with it
	included      map[[2]int32]bool       // by pair: whether the first is part of the second
	unions        map[[2]int32]int32      // by pair, the smaller number first
	intersections map[[2]int32]int32
}

// givenModel is an automaton whose language is known.
type givenModel struct {
	automaton *language.Automaton
	id        int32
}

// newLanguageTable returns a table that knows the empty language only, as number 0.
func newLanguageTable() *languageTable {
	none := new(language.Automaton)
	return &languageTable{
		minimal: []*language.Automaton{none}, byHash: map[uint64][]int32{none.Hash(): {empty}}, given: map[uint64][]givenModel{},
		included: map[[2]int32]bool{}, unions: map[[2]int32]int32{}, intersections: map[[2]int32]int32{},
	}
}

// languageOf returns the language of a model. A model that was seen before is not minimised again.
func (l *languageTable) languageOf(a *language.Automaton) int32 {
	h := a.Hash()
	for _, m := range l.given[h] {
		if m.automaton == a || language.Identical(m.automaton, a) {
			return m.id
		}
	}
	id := l.internMinimal(language.Minimise(a))
	l.given[h] = append(l.given[h], givenModel{a, id})
	return id
}

// internMinimal returns the language of a minimal automaton.
func (l *languageTable) internMinimal(a *language.Automaton) int32 {
	h := a.Hash()
	for _, id := range l.byHash[h] {
		if language.Identical(l.minimal[id], a) {
			return id
		}
	}
	id := int32(len(l.minimal))
	l.minimal = append(l.minimal, a)
	l.byHash[h] = append(l.byHash[h], id)
	return id
}

// below reports whether x is part of y.
func (l *languageTable) below(x, y int32) bool {
	if x == y || x == empty {
		return true
	}
	pair := [2]int32{x, y}
	yes, known := l.included[pair]
	if !known {
		// Two different languages cannot include each other.
		yes = !l.included[[2]int32{y, x}] && language.Included(l.minimal[x], l.minimal[y])
		l.included[pair] = yes
	}
	return yes
}

// union returns the words of x and y. It is always known.
func (l *languageTable) union(x, y int32) (int32, bool) {
	return l.combineLanguages(x, y, l.unions, func(a, b *language.Automaton) *language.Automaton { return language.Union(a, b) }), true
}

// intersection returns the words that x and y share. It is always known.
func (l *languageTable) intersection(x, y int32) (int32, bool) {
	return l.combineLanguages(x, y, l.intersections, language.Intersect), true
}

// combineLanguages computes and remembers a symmetric combination of two languages.
func (l *languageTable) combineLanguages(x, y int32, known map[[2]int32]int32, f func(a, b *language.Automaton) *language.Automaton) int32 {
	pair := [2]int32{min(x, y), max(x, y)}
	id, found := known[pair]
	if !found {
		id = l.internMinimal(language.Minimise(f(l.minimal[pair[0]], l.minimal[pair[1]])))
		known[pair] = id
	}
	return id
}
