package modelsets

import (
	"slices"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// joinAutomata returns the automaton of all words of several automata, each any number of times: of a
// fragment in several runs, or of the fragments of a component. It is what would be learnt from these
// words at once (package automata), because an automaton ends its words where it begins them: that
// initial state becomes the same for all, and the result is minimised. The union of the languages would
// be smaller, as it has no word of one behind a word of another.
//
// The automata are different ones; where there is one only, it is returned as it is.
func joinAutomata(parts []*language.Automaton) *language.Automaton {
	if len(parts) == 1 {
		return parts[0]
	}
	// The common initial state accepts if any part accepts the empty word, as all loops do.
	b := new(language.Builder) // of a nondeterministic automaton, in general
	start := b.State(false)
	b.Initial(start)
	for _, a := range parts {
		appendAt(b, start, a)
	}
	return language.Minimise(b.Automaton())
}

// appendAt appends an automaton, whose initial states become the state start.
func appendAt(b *language.Builder, start int32, a *language.Automaton) {
	// By state of the part: its number in the whole.
	number := make([]int32, a.States())
	for s, accepting := range a.Accepting {
		switch initial := slices.Contains(a.Initial, int32(s)); {
		case !initial:
			number[s] = b.State(accepting)
		case accepting: // initial and accepting: the whole accepts there too
			b.Accept(start)
			fallthrough
		default:
			number[s] = start
		}
	}
	// Transitions into an initial state end a word: they lead to start.
	for t, source := range a.Source() {
		b.Transition(number[source], a.Label[t], number[a.Target[t]])
	}
}
