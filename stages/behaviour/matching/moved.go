package matching

import (
	"cmp"
	"slices"
)

// Entity is a fragment that only one side has: the first event enters Function of Component.
type Entity struct {
	Fragment, Component, Function string
	Automata                      []Automaton // of the runs of that side
}

// Move is a fragment that has another name on the other side.
type Move struct {
	Base, Cand int // positions in the lists of entities
	Renaming   Renaming
}

// sameness is how alike two fragments must be.
type sameness struct {
	component bool // of the same component
	function  bool // with the same function at first
	peers     bool // with the same peers; else they may be others, one for one
}

// samenesses are tried one after the other. Where the function has another name more must speak for the pair, as
// nearly all short fragments look the same without it: all else is the same, and it calls or serves other functions.
var samenesses = []sameness{
	{function: true, peers: true},     // of another component
	{component: true, function: true}, // called by another component, or calling others
	{function: true},                  // both
	{component: true, peers: true},    // another function
}

// Moved pairs fragments of the baseline and of the candidate that behave the same under another name: a run of
// either side has the same automaton but for the names of components and of the first function. A pair is told
// only where each is the only one for the other. Moves are in the order of the baseline's entities.
func Moved(base, cand []Entity) []Move {
	var moves []Move
	var taken [2]map[int]bool
	taken[0], taken[1] = make(map[int]bool), make(map[int]bool)
	for _, s := range samenesses {
		left, right := s.looks(base, taken[0]), s.looks(cand, taken[1])
		for _, m := range unambiguous(left, right) {
			taken[0][m.Base], taken[1][m.Cand] = true, true
			moves = append(moves, m)
		}
	}
	slices.SortFunc(moves, func(a, b Move) int { return cmp.Compare(a.Base, b.Base) })
	return moves
}

// looks are the entities by their looks, those that are taken left out.
func (s sameness) looks(entities []Entity, taken map[int]bool) map[string][]seen {
	looks := make(map[string][]seen)
	for i := range entities {
		if taken[i] {
			continue
		}
		for _, a := range entities[i].Automata {
			text, names, ok := s.look(&entities[i], &a)
			known := slices.ContainsFunc(looks[text], func(o seen) bool { return o.entity == i })
			if ok && !known {
				looks[text] = append(looks[text], seen{i, names})
			}
		}
	}
	return looks
}

// seen is an entity with a look, and the names that the look leaves open.
type seen struct {
	entity int
	names  names
}

// unambiguous are the pairs of entities that share a look with each other and with nobody else.
func unambiguous(left, right map[string][]seen) []Move {
	pairs := make(map[[2]int]Renaming)
	var partners [2]map[int][]int
	partners[0], partners[1] = make(map[int][]int), make(map[int][]int)
	for text, ls := range left {
		for _, l := range ls {
			for _, r := range right[text] {
				k := [2]int{l.entity, r.entity}
				if _, known := pairs[k]; !known {
					partners[0][k[0]], partners[1][k[1]] = append(partners[0][k[0]], k[1]), append(partners[1][k[1]], k[0])
				}
				pairs[k] = renaming(r.names, l.names)
			}
		}
	}
	var moves []Move
	for k, r := range pairs {
		if len(partners[0][k[0]]) == 1 && len(partners[1][k[1]]) == 1 {
			moves = append(moves, Move{k[0], k[1], r})
		}
	}
	return moves
}
