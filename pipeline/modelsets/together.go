package modelsets

import (
	"slices"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// together is the automaton of all words of several automata, each any number of times: of a fragment in several runs, or of
// the fragments of a component. It is what is learnt of these words at once (package automata), for an automaton ends its
// words where it begins them: that initial state becomes the same for all, and the result minimal. The union of
// the languages would be less, as it has no word of one behind a word of another.
//
// Automata that are all the same are returned as they are.
func together(parts []*language.Automaton) *language.Automaton {
	if !slices.ContainsFunc(parts, func(a *language.Automaton) bool { return !language.Identical(a, parts[0]) }) {
		return parts[0]
	}
	b := new(language.Builder)
	start := b.State(false)
	b.Initial(start)
	for _, a := range parts {
		join(b, start, a)
	}
	return language.Minimise(b.Automaton())
}

// join adds an automaton, whose initial states become the state start.
func join(b *language.Builder, start int32, a *language.Automaton) {
	number := make([]int32, a.States())
	for s, accepting := range a.Accepting {
		switch initial := slices.Contains(a.Initial, int32(s)); {
		case !initial:
			number[s] = b.State(accepting)
		case accepting:
			b.Accept(start)
			fallthrough
		default:
			number[s] = start
		}
	}
	for t, source := range a.Source() {
		b.Transition(number[source], a.Label[t], number[a.Target[t]])
	}
}
