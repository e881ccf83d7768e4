package matching

import (
	"cmp"
	"fmt"
	"slices"
)

// canonicalForm is an automaton in numbers that do not depend on those of its states and transitions:
// breadth-first from the initial state, the transitions of a state by their symbols. Two automata are
// equal up to numbers if and only if their forms are equal, since they are deterministic and all states
// are reachable.
type canonicalForm struct {
	source, symbol, target []int32 // by transition
	depth                  []int32 // by transition: events since the start, this one not counted
	row                    []int32 // by transition: its position in Automaton.Transitions
	states                 int32
}

// newCanonicalForm numbers an automaton. It is an error if a state has two transitions for one symbol, or cannot be
// reached.
func newCanonicalForm(a *Automaton, ranks map[Symbol]int32) (*canonicalForm, error) {
	arcs := automatonArcs(a.Transitions, ranks)
	f := &canonicalForm{states: 1}
	number := make([]int32, len(arcs)) // by state of arcs: 0, or its number here
	depth := make([]int32, 1, len(arcs))
	queue := make([]int32, 1, len(arcs))
	// Breadth-first; transitions of a state are sorted by symbol, so that numbers depend on the structure only.
	for at := 0; at < len(queue); at++ {
		for i, t := range arcs[queue[at]] {
			if i > 0 && arcs[queue[at]][i-1].symbol == t.symbol {
				return nil, brokenError(a, t.row, "stands twice at its state")
			}
			target := int32(0)
			if t.target > 0 {
				if number[t.target] == 0 {
					number[t.target] = f.states
					f.states++
					queue, depth = append(queue, t.target), append(depth, depth[at]+1)
				}
				target = number[t.target]
			}
			f.addTransition(int32(at), t.symbol, target, depth[at], t.row)
		}
	}
	// Some transition was never met.
	if len(f.row) < len(a.Transitions) {
		return nil, brokenError(a, f.missingRow(), "cannot be reached from the start")
	}
	return f, nil
}

// brokenError is the error that stored rows are no automaton of this program.
func brokenError(a *Automaton, row int32, what string) error {
	t := &a.Transitions[row]
	return fmt.Errorf("fragment %s: transition %d (%s %s) %s: analyze the run again", a.Fragment, t.Transition, t.Kind, t.Function, what)
}

// addTransition appends a transition to the columns.
func (f *canonicalForm) addTransition(source, symbol, target, depth, row int32) {
	f.source, f.symbol, f.target = append(f.source, source), append(f.symbol, symbol), append(f.target, target)
	f.depth, f.row = append(f.depth, depth), append(f.row, row)
}

// missingRow returns the first row that the form does not have.
func (f *canonicalForm) missingRow() int32 {
	rows := slices.Sorted(slices.Values(f.row))
	for i, row := range rows {
		if int32(i) != row {
			return int32(i)
		}
	}
	return int32(len(rows))
}

// compareTo orders forms, those with the most transitions first. It is 0 for equal automata.
func (f *canonicalForm) compareTo(o *canonicalForm) int {
	return cmp.Or(cmp.Compare(len(o.row), len(f.row)), slices.Compare(f.symbol, o.symbol),
		slices.Compare(f.source, o.source), slices.Compare(f.target, o.target))
}
