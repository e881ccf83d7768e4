package language

import "math"

// Tau is the label of silent steps, which are no part of a word. It is greater than all other labels.
const Tau uint32 = math.MaxUint32

// Automaton accepts a language: the words along paths from an initial state to an accepting one, without Tau. The
// transitions of a state stand together, ascending by label and then target, and none stands there twice. The zero
// value has no state and accepts nothing.
type Automaton struct {
	Accepting []bool   // by state
	Initial   []int32  // ascending
	First     []uint32 // by state: the position of its first transition; one more element than states, or none without states
	Label     []uint32 // by transition
	Target    []int32  // by transition
}

// States is the number of states.
func (a *Automaton) States() int { return len(a.Accepting) }

// Transitions is the number of transitions, silent ones included.
func (a *Automaton) Transitions() int { return len(a.Label) }

// Out returns the labels and the targets of the transitions of a state.
func (a *Automaton) Out(state int32) (labels []uint32, targets []int32) {
	from, to := a.First[state], a.First[state+1]
	return a.Label[from:to], a.Target[from:to]
}

// Source returns by transition the state that it leaves.
func (a *Automaton) Source() []int32 {
	source := make([]int32, len(a.Label))
	for s := range a.Accepting {
		for t := a.First[s]; t < a.First[s+1]; t++ {
			source[t] = int32(s)
		}
	}
	return source
}

// Deterministic reports whether a word has at most one path: at most one initial state, no silent steps, and no state with
// two transitions of one label.
func (a *Automaton) Deterministic() bool {
	if len(a.Initial) > 1 {
		return false
	}
	for s := range a.Accepting {
		labels, _ := a.Out(int32(s))
		for i, l := range labels {
			if l == Tau || i > 0 && labels[i-1] == l {
				return false
			}
		}
	}
	return true
}

// Alphabet returns the labels that occur, ascending, without Tau.
func (a *Automaton) Alphabet() []uint32 { return without(sorted(a.Label), Tau) }

// Accepts reports whether a word is in the language. It takes time in the size of the automaton, too.
func (a *Automaton) Accepts(word ...uint32) bool {
	d := newSubsets(a)
	at := d.start()
	for _, label := range word {
		at = d.step(at, label)
	}
	return at != lost && d.accepting(at)
}
