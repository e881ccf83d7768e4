package language

import (
	"cmp"
	"math"
	"slices"
)

// Tau is the label of silent steps, which are no part of a word. It is greater than all other labels.
const Tau uint32 = math.MaxUint32

// Automaton accepts a language: the words along paths from an initial state to an accepting one, without Tau. The
// transitions of a state stand together, ascending by label and then target, and none stands there twice. The zero
// value has no state and accepts nothing.
// It takes 5 bytes a state and 8 a transition. Operations share its slices with their results where nothing changes,
// so they must not be written to.
type Automaton struct {
	Accepting []bool   // by state
	Initial   []int32  // ascending
	First     []uint32 // by state: the position of its first transition; one more element than states, or none without states
	Label     []uint32 // by transition
	Target    []int32  // by transition
}

// States returns the number of states.
func (a *Automaton) States() int { return len(a.Accepting) }

// Transitions returns the number of transitions, silent ones included.
func (a *Automaton) Transitions() int { return len(a.Label) }

// Out returns the labels and the targets of the transitions of a state. The slices are the automaton's
// own.
func (a *Automaton) Out(state int32) (labels []uint32, targets []int32) {
	from, to := a.First[state], a.First[state+1]
	return a.Label[from:to], a.Target[from:to]
}

// Source returns, by transition, the state that it leaves, in O(transitions).
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
func (a *Automaton) Alphabet() []uint32 { return without(sortedDistinct(a.Label), Tau) }

// Accepts reports whether a word is in the language. It also takes time in the size of the automaton.
// For many words a search of one's own through a deterministic automaton is faster.
func (a *Automaton) Accepts(word ...uint32) bool {
	d := newSubsetAutomaton(a)
	at := d.startState()
	for _, label := range word {
		at = d.follow(at, label)
	}
	return at != noState && d.isAccepting(at)
}

// Builder makes an automaton from states and transitions in any order. The zero value is ready to use.
type Builder struct {
	accepting   []bool
	initial     []int32
	transitions []transition
}

// transition is a step between two states.
type transition struct {
	source, target int32
	label          uint32
}

// State adds a state and returns its number; they count from 0.
func (b *Builder) State(accepting bool) int32 {
	b.accepting = append(b.accepting, accepting)
	return int32(len(b.accepting) - 1)
}

// Initial makes a state initial: words may begin there.
func (b *Builder) Initial(state int32) { b.initial = append(b.initial, state) }

// Accept makes a state accepting: words may end there.
func (b *Builder) Accept(state int32) { b.accepting[state] = true }

// Transition adds a transition between two states that have been added. Adding it again changes nothing.
func (b *Builder) Transition(source int32, label uint32, target int32) {
	b.transitions = append(b.transitions, transition{source, target, label})
}

// Automaton returns what was built. The builder must not be used afterwards.
func (b *Builder) Automaton() *Automaton {
	a := &Automaton{Accepting: b.accepting, Initial: sortedDistinct(b.initial), First: make([]uint32, len(b.accepting)+1)}
	// Sorting all transitions at once costs less than keeping them sorted.
	slices.SortFunc(b.transitions, func(x, y transition) int {
		return cmp.Or(cmp.Compare(x.source, y.source), cmp.Compare(x.label, y.label), cmp.Compare(x.target, y.target))
	})
	b.transitions = slices.Compact(b.transitions)
	a.Label, a.Target = make([]uint32, len(b.transitions)), make([]int32, len(b.transitions))
	for i, t := range b.transitions {
		a.Label[i], a.Target[i] = t.label, t.target
		a.First[t.source+1] = uint32(i + 1)
	}
	// States without transitions start where the one before them ends.
	for s := range b.accepting {
		a.First[s+1] = max(a.First[s+1], a.First[s])
	}
	return a
}

// sortedDistinct returns the distinct values, ascending, and leaves the argument alone.
func sortedDistinct[T cmp.Ordered](values []T) []T {
	values = slices.Clone(values)
	slices.Sort(values)
	return slices.Compact(values)
}

// without removes a value from ascending distinct ones.
func without(values []uint32, v uint32) []uint32 {
	if i, found := slices.BinarySearch(values, v); found {
		return slices.Delete(values, i, i+1)
	}
	return values
}
