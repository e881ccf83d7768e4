package levels

import "github.com/tracelake/tracelake/stages/behaviour/language"

// empty is the language without words.
const empty int32 = 0

// languages numbers languages from 0 in the order in which they are met, and remembers what it found out of them.
type languages struct {
	minimal       []*language.Automaton // by language
	byHash        map[uint64][]int32    // by the hash of the minimal automaton
	given         map[uint64][]model    // by the hash of a model
	included      map[[2]int32]bool
	unions        map[[2]int32]int32
	intersections map[[2]int32]int32
}

// model is an automaton whose language is known.
type model struct {
	automaton *language.Automaton
	id        int32
}

func newLanguages() *languages {
	none := new(language.Automaton)
	return &languages{
		minimal: []*language.Automaton{none}, byHash: map[uint64][]int32{none.Hash(): {empty}}, given: map[uint64][]model{},
		included: map[[2]int32]bool{}, unions: map[[2]int32]int32{}, intersections: map[[2]int32]int32{},
	}
}

// of returns the language of a model. A model that was seen before is not made minimal again.
func (l *languages) of(a *language.Automaton) int32 {
	h := a.Hash()
	for _, m := range l.given[h] {
		if m.automaton == a || language.Identical(m.automaton, a) {
			return m.id
		}
	}
	id := l.intern(language.Minimise(a))
	l.given[h] = append(l.given[h], model{a, id})
	return id
}

// intern returns the language of a minimal automaton.
func (l *languages) intern(a *language.Automaton) int32 {
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
func (l *languages) below(x, y int32) bool {
	if x == y || x == empty {
		return true
	}
	pair := [2]int32{x, y}
	yes, known := l.included[pair]
	if !known {
		yes = !l.included[[2]int32{y, x}] && language.Included(l.minimal[x], l.minimal[y])
		l.included[pair] = yes
	}
	return yes
}

// union returns the words of x and y. It is always known.
func (l *languages) union(x, y int32) (int32, bool) {
	return l.combine(x, y, l.unions, func(a, b *language.Automaton) *language.Automaton { return language.Union(a, b) }), true
}

// intersection returns the words that x and y share. It is always known.
func (l *languages) intersection(x, y int32) (int32, bool) {
	return l.combine(x, y, l.intersections, language.Intersect), true
}

func (l *languages) combine(x, y int32, known map[[2]int32]int32, f func(a, b *language.Automaton) *language.Automaton) int32 {
	pair := [2]int32{min(x, y), max(x, y)}
	id, found := known[pair]
	if !found {
		id = l.intern(language.Minimise(f(l.minimal[pair[0]], l.minimal[pair[1]])))
		known[pair] = id
	}
	return id
}
