package matching

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Renaming gives the transitions of a moved fragment the names of the baseline, where they are to be paired. Names
// are exchanged one for one, so that what differed before differs after.
type Renaming struct {
	Function, Peer map[string]string
}

// renaming turns the names that one look leaves open into those of the other.
func renaming(from, to names) Renaming {
	return Renaming{exchange([]string{from.function}, []string{to.function}), exchange(from.peers, to.peers)}
}

// exchange maps names to others, and those that are given away without one in return back to what is free.
func exchange(from, to []string) map[string]string {
	m, back := make(map[string]string), make(map[string]string)
	for i := range from {
		m[from[i]], back[to[i]] = to[i], from[i]
	}
	for _, name := range to {
		if _, has := m[name]; has {
			continue
		}
		end := name // follow the exchange back to the name that nobody gets
		for before, given := back[end]; given; before, given = back[end] {
			end = before
		}
		m[name] = end
	}
	return m
}

// Apply renames a copy of transitions.
func (r Renaming) Apply(transitions []schema.Transition) []schema.Transition {
	renamed := slices.Clone(transitions)
	for i := range renamed {
		t := &renamed[i]
		if to, has := r.Function[t.Function]; has {
			t.Function = to
		}
		if to, has := r.Peer[t.Peer]; has {
			t.Peer = to
		}
	}
	return renamed
}
