package language

import "slices"

// Complement accepts the words over an alphabet that the automaton does not accept.
func Complement(a *Automaton, alphabet []uint32) *Automaton {
	return Difference(everything(alphabet), a)
}

// everything accepts all words over an alphabet.
func everything(alphabet []uint32) *Automaton {
	b := new(Builder)
	s := b.State(true)
	b.Initial(s)
	for _, l := range without(sortedDistinct(alphabet), Tau) {
		b.Transition(s, l, s)
	}
	return b.Automaton()
}

// Project makes the steps with all but the given labels silent.
func Project(a *Automaton, kept []uint32) *Automaton {
	return HideLabels(a, slices.DeleteFunc(a.Alphabet(), func(l uint32) bool { return slices.Contains(kept, l) }))
}
