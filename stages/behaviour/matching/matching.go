// Package matching pairs the transitions of the automata that several runs have for one service
// fragment, so that their time samples can be compared: the difference automata of Hilbig 2023, section 3.3,
// seen from their transitions.
//
// Where all automata are the same a joint walk pairs them, so that the cost follows the difference. Elsewhere
// LTSDiff finds what corresponds behind a functional change, too (package ltsdiff). JointWalk alone pairs
// automata where they agree from the initial state on.
//
// Fragments that only have another name in another run are found by Moved.
package matching

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

// None stands for an automaton without a transition in a step.
const None int64 = -1

// Automaton is the automaton of a fragment in one run. Its initial state is 0, where also all words end. It is
// deterministic. A run without the fragment has no transitions.
type Automaton struct {
	Fragment    string              // name, for messages
	Transitions []schema.Transition // by number; numbers are unique within the automaton
}

// Matching is a division of the transitions of several automata into steps: each transition is in
// exactly one of them.
type Matching struct {
	Steps []Step // in the order in which they are reported
}

// Step is a set of corresponding transitions.
type Step struct {
	Depth int64   // events since the start of the fragment, this one not counted; the fewest of all ways there
	Taken []int64 // by automaton: the number of its transition, or None
}

// Method is a way to pair automata, by the name that options give it.
type Method string

// The methods.
const (
	ByDifference Method = "ltsdiff" // by LTSDiff
	ByWalk       Method = "walk"    // by JointWalk
)

// ParseMethod returns the method of a name.
func ParseMethod(name string) (Method, error) {
	switch m := Method(name); m {
	case ByDifference, ByWalk:
		return m, nil
	}
	return "", fmt.Errorf("%q is no way to match: ltsdiff or walk", name)
}

// Match pairs the automata of one fragment.
func (m Method) Match(automata []Automaton) (Matching, error) {
	if m == ByDifference {
		return LTSDiff(automata)
	}
	return JointWalk(automata), nil
}
