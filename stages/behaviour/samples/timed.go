package samples

import "github.com/tracelake/tracelake/schema"

// TimedAutomaton is the automaton of a service fragment in one run together with its time samples: the timed automaton
// of Hilbig 2023, section 3.1. Without the fragment it has neither states nor transitions.
type TimedAutomaton struct {
	Occurrences int64               // how often the fragment was executed
	States      []schema.State      // in no particular order; the initial one is 0
	Transitions []schema.Transition // in the order of their numbers, which count from 0
	SamplesNs   [][]int64           // by transition, in trace order; nulls of the normalisation are left out
}
