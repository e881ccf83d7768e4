package relocations

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Place is where a subject lies, by the names that change when a function moves. The other fields stay.
type Place struct {
	Level, Metric, Fragment, Kind, Direction, Normalisation string
	Form                                                    string // what the words of the subject say beside all these names
	Function
	Peer   string // the component at the other end of a message
	Within Call   // what starts the fragment that it lies in, in place of the name of the fragment; the zero value where that stays
}

// after lists the places that may be the same one in the candidate.
func (m *Moves) after(p Place) (out []Place) {
	fragments := []Call{p.Within}
	if p.Within != (Call{}) {
		fragments = append(fragments, m.of(p.Within)...)
	}
	for _, at := range append([]Place{p}, m.renamed(p)...) {
		for _, within := range fragments {
			if at.Within = within; at != p && !slices.Contains(out, at) {
				out = append(out, at)
			}
		}
	}
	return out
}

// renamed lists the places in the same fragment. A message names the function that is called at both of its ends, of which either may be that of
// the subject.
func (m *Moves) renamed(p Place) (out []Place) {
	for _, to := range m.of(Call{p.Function, p.Peer}) {
		at := p
		at.Function, at.Peer = to.Function, to.Caller
		out = append(out, at)
	}
	if p.Level == schema.LevelFragment || p.Peer == "" {
		return out
	}
	for _, to := range m.of(Call{Function{p.Peer, p.Name}, p.Component}) {
		at := p
		at.Function, at.Peer = Function{to.Caller, to.Name}, to.Component
		out = append(out, at)
	}
	return out
}

// Pair is a subject of which one side has the one, and the other side the other place: positions in the lists given.
type Pair struct{ Base, Cand int }

// Pairs pairs what vanished with what appeared where both are one by the moves, in the order of what appeared. A place that may be one of several is none.
// Where several subjects lie at one place, as steps of one fragment do, they are paired in their order.
func (m *Moves) Pairs(vanished, appeared []Place) (all []Pair) {
	if !m.Any() {
		return nil
	}
	gone, claims := positions(vanished), make(map[Place][]Place)
	for i, at := range vanished {
		if gone[at][0] == i {
			for _, to := range m.after(at) {
				claims[to] = append(claims[to], at)
			}
		}
	}
	come, chosen := positions(appeared), make(map[Place]int)
	for at := range come {
		for _, from := range claims[at] {
			chosen[from]++
		}
	}
	for i, at := range appeared {
		from := claims[at]
		if come[at][0] != i || len(from) != 1 || chosen[from[0]] != 1 || len(gone[from[0]]) != len(come[at]) {
			continue
		}
		for k, cand := range come[at] {
			all = append(all, Pair{gone[from[0]][k], cand})
		}
	}
	return all
}

// positions lists where each place stands in a list.
func positions(places []Place) map[Place][]int {
	at := make(map[Place][]int)
	for i, p := range places {
		at[p] = append(at[p], i)
	}
	return at
}
