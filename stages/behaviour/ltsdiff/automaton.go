package ltsdiff

import (
	"cmp"
	"fmt"
	"slices"
)

// None stands for a state or transition that a side does not have.
const None int32 = -1

// Skip is the label of the transitions that the skip rewriters add. A side reads it as the empty word.
const Skip uint32 = 1<<32 - 1

// Transition is a labelled step between two states.
type Transition struct {
	Source int32  // state
	Label  uint32 // a code that the compared automata share
	Target int32  // state
}

// Arcs are the transitions of an automaton seen from one of their ends: those of state s are at positions
// Start[s] to Start[s+1], sorted by label, other end and number.
// Columns and not structures: most searches look at labels only.
type Arcs struct {
	Start  []int32  // by state, with one entry more than there are states
	Label  []uint32 // by arc
	End    []int32  // by arc: the state at its other end
	Number []int32  // by arc: its position in the list that the automaton was made from
}

// Automaton is a labelled transition system with initial and accepting states. It may be
// nondeterministic.
type Automaton struct {
	Initial   []bool // by state
	Accepting []bool // by state
	Out, In   Arcs   // arcs by source, and by target
}

// States returns the number of states.
func (a *Automaton) States() int32 { return int32(len(a.Initial)) }

// NewAutomaton makes an automaton. States are the positions in initial and accepting. It is an error if
// a transition names another state, stands twice in the list, or has the label Skip.
func NewAutomaton(initial, accepting []bool, transitions []Transition) (*Automaton, error) {
	if len(initial) != len(accepting) {
		return nil, fmt.Errorf("an automaton with %d initial and %d accepting flags: give one of each for every state", len(initial), len(accepting))
	}
	for i, t := range transitions {
		if n := int32(len(initial)); t.Source < 0 || t.Source >= n || t.Target < 0 || t.Target >= n {
			return nil, fmt.Errorf("transition %d leads from state %d to %d, but there are %d states", i, t.Source, t.Target, n)
		}
		if t.Label == Skip {
			return nil, fmt.Errorf("transition %d has label %d, which is kept for skips", i, t.Label)
		}
	}
	a := &Automaton{Initial: initial, Accepting: accepting}
	// Both directions are kept, since matching looks backwards as often as forwards.
	a.Out = sortArcs(len(initial), transitions, func(t Transition) (int32, int32) { return t.Source, t.Target })
	a.In = sortArcs(len(initial), transitions, func(t Transition) (int32, int32) { return t.Target, t.Source })
	return a, a.Out.checkRepeated()
}

// sortArcs lists transitions by the state that ends returns first: a counting sort by state, then a sort of each
// state's few arcs. O(n log degree).
func sortArcs(states int, transitions []Transition, ends func(Transition) (near, far int32)) Arcs {
	arcs := Arcs{
		Start:  make([]int32, states+1),
		Label:  make([]uint32, len(transitions)),
		End:    make([]int32, len(transitions)),
		Number: make([]int32, len(transitions)),
	}
	// 1. Count the arcs of each state, 2. sum up, 3. place them, 4. sort each state's own.
	for _, t := range transitions {
		near, _ := ends(t)
		arcs.Start[near+1]++
	}
	for s := range states {
		arcs.Start[s+1] += arcs.Start[s]
	}
	next := slices.Clone(arcs.Start)
	for i, t := range transitions {
		near, _ := ends(t)
		arcs.Number[next[near]] = int32(i)
		next[near]++
	}
	for s := range states {
		slices.SortFunc(arcs.Number[arcs.Start[s]:arcs.Start[s+1]], func(a, b int32) int {
			_, x := ends(transitions[a])
			_, y := ends(transitions[b])
			return cmp.Or(cmp.Compare(transitions[a].Label, transitions[b].Label), cmp.Compare(x, y), cmp.Compare(a, b))
		})
	}
	for i, n := range arcs.Number {
		arcs.Label[i] = transitions[n].Label
		_, arcs.End[i] = ends(transitions[n])
	}
	return arcs
}

// checkRepeated returns an error if two transitions are the same: their time samples could not be told apart.
func (a *Arcs) checkRepeated() error {
	for s := range len(a.Start) - 1 {
		for i := a.Start[s] + 1; i < a.Start[s+1]; i++ {
			if a.Label[i] == a.Label[i-1] && a.End[i] == a.End[i-1] {
				return fmt.Errorf("transitions %d and %d are the same: leave one out", a.Number[i-1], a.Number[i])
			}
		}
	}
	return nil
}

// labelsAt returns the labels at a state, sorted, repeated where several arcs share one. The slice is the
// automaton's own.
func (a *Arcs) labelsAt(s int32) []uint32 { return a.Label[a.Start[s]:a.Start[s+1]] }

// runEnd returns the end of the run of equal labels that starts at position i, for a state whose arcs end at
// position to.
func (a *Arcs) runEnd(i, to int32) int32 {
	j := i + 1
	for j < to && a.Label[j] == a.Label[i] {
		j++
	}
	return j
}

// eachCommonRun calls visit with the runs of positions that have the same label at state x of a and at y of b.
func (a *Arcs) eachCommonRun(x int32, b *Arcs, y int32, visit func(i, iTo, j, jTo int32)) {
	i, iEnd := a.Start[x], a.Start[x+1]
	j, jEnd := b.Start[y], b.Start[y+1]
	// A merge of two lists sorted by label.
	for i < iEnd && j < jEnd {
		switch {
		case a.Label[i] < b.Label[j]:
			i++
		case a.Label[i] > b.Label[j]:
			j++
		default:
			iTo, jTo := a.runEnd(i, iEnd), b.runEnd(j, jEnd)
			visit(i, iTo, j, jTo)
			i, j = iTo, jTo
		}
	}
}

// findArc returns the position of the arc from state s with a label and an end, or None, in O(log degree).
func (a *Arcs) findArc(s int32, label uint32, end int32) int32 {
	from, to := a.Start[s], a.Start[s+1]
	for from < to {
		mid := (from + to) / 2
		if c := cmp.Or(cmp.Compare(a.Label[mid], label), cmp.Compare(a.End[mid], end)); c == 0 {
			return mid
		} else if c < 0 {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return None
}

// endsByLabel returns the other ends of the arcs of state s that have a label, or none if there are more than
// maxNeighbourPairs: improving tries every one, and such hubs would make it quadratic.
func (a *Arcs) endsByLabel(s int32, label uint32) []int32 {
	from, to := a.Start[s], a.Start[s+1]
	at, ok := slices.BinarySearch(a.Label[from:to], label)
	if !ok {
		return nil
	}
	from += int32(at)
	if to = a.runEnd(from, to); to-from > maxNeighbourPairs {
		return nil
	}
	return a.End[from:to]
}
