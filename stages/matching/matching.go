// Package matching pairs the transitions of the automata that several runs have for one service
// fragment, so that their time samples can be compared: the step before the difference automata of
// Hilbig 2023, section 3.3.
//
// JointWalk pairs automata where they agree from the initial state on, which needs no scores
// and no thresholds. Matchers that find corresponding states elsewhere (Walkinshaw and Bogdanov's
// LTSDiff, section 2.3.1) have the same type.
package matching

import "github.com/tracelake/tracelake/schema"

// None stands for an automaton without a transition in a step.
const None int64 = -1

// Automaton is the automaton of a fragment in one run. Its initial state is 0; a run without the fragment
// has no transitions.
type Automaton struct {
	Fragment    string
	Transitions []schema.Transition
}

// Matching is a division of the transitions of several automata into steps: each transition is in
// exactly one of them.
type Matching struct {
	Steps []Step
}

// Step is a set of corresponding transitions.
type Step struct {
	Depth int64   // events since the start of the fragment, this one not counted
	Taken []int64 // by automaton: the number of its transition, or None
}

// Matcher pairs the automata of one fragment.
type Matcher func(automata []Automaton) Matching
