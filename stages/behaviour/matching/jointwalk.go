package matching

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// JointWalk walks through all automata together, breadth-first from their initial states along equal
// symbols (function, kind, direction, peer) in the order of these names, and makes a step of the
// transitions taken together. The first joint step that reaches a transition has it. A transition
// never taken together with that of another automaton is a step of its own. The walk does not go
// beyond the end of a word.
//
// A joint step with no new transition is not followed further. So there are at most as many
// steps to follow as there are transitions, while the product of the automata may be exponential in
// their number; what is lost is a pairing that only a second way to the same states would show.
//
// The result depends neither on the numbers of the states nor on the order of the automata, except
// that it has the same order.
func JointWalk(automata []Automaton) Matching {
	w := newJointWalker(automata)
	// Every automaton begins in its initial state, which has the number 0.
	start := jointState{states: make([]int32, len(automata))}
	w.queue = append(w.queue, start)
	for i := 0; i < len(w.queue); i++ {
		w.visitState(w.queue[i])
		// The queue stays, its states do not: memory follows the front of the walk.
		w.queue[i].states = nil
	}
	return Matching{Steps: w.remainingSteps()}
}

// none stands for the state of an automaton that cannot follow any more, and for a missing transition.
const none int32 = -1

// jointState is where the walk is: a state of each automaton after depth events.
type jointState struct {
	states []int32
	depth  int64
}

// arc is a transition in the numbers of the walk.
type arc struct {
	symbol int32 // rank among the symbols of all automata
	target int32 // state; none at the end of a word
	row    int32 // position in Automaton.Transitions
}

// jointWalker is a walk through several automata at once.
type jointWalker struct {
	automata []Automaton
	arcs     [][][]arc // by automaton and state, sorted by symbol
	owner    [][]int32 // by automaton and transition: the position of its step, or none
	joint    [][]bool  // by automaton and transition: whether several automata take its step
	alone    [][]bool  // by automaton and state: whether it was visited alone
	steps    []Step
	queue    []jointState
	heads    []int // by automaton, while a state is visited: the next arc
}

// newJointWalker prepares a walk from the initial states, with symbols ranked over all automata.
func newJointWalker(automata []Automaton) *jointWalker {
	w := &jointWalker{automata: automata, heads: make([]int, len(automata))}
	ranks := symbolRanks(automata)
	for _, a := range automata {
		arcs := automatonArcs(a.Transitions, ranks)
		w.arcs = append(w.arcs, arcs)
		w.owner = append(w.owner, slices.Repeat([]int32{none}, len(a.Transitions)))
		w.joint = append(w.joint, make([]bool, len(a.Transitions)))
		w.alone = append(w.alone, make([]bool, len(arcs)))
	}
	return w
}

// Symbol is the label of a transition by names, which runs share; codes differ between runs.
type Symbol struct{ Function, Kind, Direction, Peer string } // as the tables spell them; Direction and Peer are "" where there is no message

// SymbolOf returns the symbol of a row.
func SymbolOf(t *schema.Transition) Symbol { return Symbol{t.Function, t.Kind, t.Direction, t.Peer} }

// Compare orders symbols by function, kind, direction and peer.
func (s Symbol) Compare(o Symbol) int {
	return cmp.Or(cmp.Compare(s.Function, o.Function), cmp.Compare(s.Kind, o.Kind), cmp.Compare(s.Direction, o.Direction), cmp.Compare(s.Peer, o.Peer))
}

// symbolRanks numbers the symbols of all automata in their order.
func symbolRanks(automata []Automaton) map[Symbol]int32 {
	ranks := make(map[Symbol]int32)
	for _, a := range automata {
		for i := range a.Transitions {
			ranks[SymbolOf(&a.Transitions[i])] = 0
		}
	}
	for i, s := range slices.SortedFunc(maps.Keys(ranks), Symbol.Compare) {
		ranks[s] = int32(i)
	}
	return ranks
}

// automatonArcs gives the states of an automaton dense numbers, 0 for the initial one, and sorts the
// transitions of each by symbol.
func automatonArcs(rows []schema.Transition, ranks map[Symbol]int32) [][]arc {
	arcs := make([][]arc, 1)
	dense := map[int64]int32{0: 0}
	number := func(state int64) int32 {
		n, ok := dense[state]
		if !ok {
			n = int32(len(arcs))
			dense[state] = n
			arcs = append(arcs, nil)
		}
		return n
	}
	for i := range rows {
		t := &rows[i]
		a := arc{symbol: ranks[SymbolOf(t)], target: none, row: int32(i)}
		// A transition to the initial state ends the word.
		if t.Target != 0 {
			a.target = number(t.Target)
		}
		source := number(t.Source)
		arcs[source] = append(arcs[source], a)
	}
	for _, out := range arcs {
		slices.SortFunc(out, func(a, b arc) int { return cmp.Compare(a.symbol, b.symbol) })
	}
	return arcs
}

// visitState takes every symbol that some automaton has at a joint state, in the order of symbols: a
// merge of sorted lists.
func (w *jointWalker) visitState(p jointState) {
	clear(w.heads)
	for {
		next := int32(-1)
		for i, s := range p.states {
			if s == none || w.heads[i] == len(w.arcs[i][s]) {
				continue
			}
			if have := w.arcs[i][s][w.heads[i]].symbol; next < 0 || have < next {
				next = have
			}
		}
		if next < 0 {
			return
		}
		w.takeSymbol(p, next)
	}
}

// takeSymbol makes the step of a symbol.
func (w *jointWalker) takeSymbol(p jointState, symbol int32) {
	// 1. Who takes the symbol, and where it leads.
	rows := make([]int32, len(p.states))
	to := jointState{states: make([]int32, len(p.states)), depth: p.depth + 1}
	takers := 0
	for i, s := range p.states {
		rows[i], to.states[i] = none, none
		if s == none || w.heads[i] == len(w.arcs[i][s]) {
			continue
		}
		if a := w.arcs[i][s][w.heads[i]]; a.symbol == symbol {
			rows[i], to.states[i] = a.row, a.target
			w.heads[i]++
			takers++
		}
	}
	// 2. A step that claims nothing new was walked before, on another way.
	if w.claimTransitions(rows, p.depth, takers > 1) && w.isWorthFollowing(to) {
		w.queue = append(w.queue, to)
	}
}

// claimTransitions gives a step the transitions that no earlier one has, and reports whether there are
// any. A joint step takes transitions away from those taken alone.
func (w *jointWalker) claimTransitions(rows []int32, depth int64, joint bool) bool {
	step := Step{Depth: depth, Taken: make([]int64, len(rows))}
	found := false
	for i, row := range rows {
		step.Taken[i] = None
		if row == none || w.joint[i][row] || (!joint && w.owner[i][row] != none) {
			continue
		}
		// Taken alone so far: together is better.
		if before := w.owner[i][row]; before != none {
			w.steps[before].Taken[i] = None
		}
		w.owner[i][row], w.joint[i][row] = int32(len(w.steps)), joint
		step.Taken[i] = w.automata[i].Transitions[row].Transition
		found = true
	}
	if found {
		w.steps = append(w.steps, step)
	}
	return found
}

// isWorthFollowing reports whether the walk continues at a joint state: not where all words are over, and
// only once where a single automaton is left.
func (w *jointWalker) isWorthFollowing(p jointState) bool {
	left, last := 0, 0
	for i, s := range p.states {
		if s != none {
			left, last = left+1, i
		}
	}
	if left != 1 {
		return left > 1
	}
	visited := &w.alone[last][p.states[last]]
	if *visited {
		return false
	}
	*visited = true
	return true
}

// remainingSteps returns the steps that still have transitions.
func (w *jointWalker) remainingSteps() []Step {
	return slices.DeleteFunc(w.steps, func(s Step) bool {
		return !slices.ContainsFunc(s.Taken, func(t int64) bool { return t != None })
	})
}
