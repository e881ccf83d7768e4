package language

import (
	"cmp"
	"slices"
)

// Builder makes an automaton from states and transitions in any order. The zero value is ready to use.
type Builder struct {
	accepting   []bool
	initial     []int32
	transitions []transition
}

type transition struct {
	source, target int32
	label          uint32
}

// State adds a state and returns its number; they count from 0.
func (b *Builder) State(accepting bool) int32 {
	b.accepting = append(b.accepting, accepting)
	return int32(len(b.accepting) - 1)
}

// Initial says that words may begin at a state.
func (b *Builder) Initial(state int32) { b.initial = append(b.initial, state) }

// Accept says that words may end at a state.
func (b *Builder) Accept(state int32) { b.accepting[state] = true }

// Transition adds a transition between two states that have been added. Adding it again changes nothing.
func (b *Builder) Transition(source int32, label uint32, target int32) {
	b.transitions = append(b.transitions, transition{source, target, label})
}

// Automaton returns what was built. The builder must not be used afterwards.
func (b *Builder) Automaton() *Automaton {
	a := &Automaton{Accepting: b.accepting, Initial: sorted(b.initial), First: make([]uint32, len(b.accepting)+1)}
	slices.SortFunc(b.transitions, func(x, y transition) int {
		return cmp.Or(cmp.Compare(x.source, y.source), cmp.Compare(x.label, y.label), cmp.Compare(x.target, y.target))
	})
	b.transitions = slices.Compact(b.transitions)
	a.Label, a.Target = make([]uint32, len(b.transitions)), make([]int32, len(b.transitions))
	for i, t := range b.transitions {
		a.Label[i], a.Target[i] = t.label, t.target
		a.First[t.source+1] = uint32(i + 1)
	}
	for s := range b.accepting {
		a.First[s+1] = max(a.First[s+1], a.First[s])
	}
	return a
}

// sorted returns the distinct values, ascending, and leaves the argument alone.
func sorted[T cmp.Ordered](values []T) []T {
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
