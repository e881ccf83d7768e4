package matching

import (
	"cmp"
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
	w := newWalk(automata)
	start := place{states: make([]int32, len(automata))}
	w.queue = append(w.queue, start)
	for i := 0; i < len(w.queue); i++ {
		w.visit(w.queue[i])
		w.queue[i].states = nil
	}
	return Matching{Steps: w.matched()}
}

// gone is the state of an automaton that the walk has lost.
const gone int32 = -1

// place is where the walk is: a state of each automaton after depth events.
type place struct {
	states []int32
	depth  int64
}

// arc is a transition in the numbers of the walk.
type arc struct {
	symbol int32 // rank among the symbols of all automata
	target int32 // gone at the end of a word
	row    int32 // position in Automaton.Transitions
}

type walk struct {
	automata []Automaton
	arcs     [][][]arc // by automaton and state, sorted by symbol
	owner    [][]int32 // by automaton and transition: the position in steps that has it, or gone
	joint    [][]bool  // by automaton and transition: its step was taken by several
	alone    [][]bool  // by automaton and state: visited alone
	steps    []Step
	queue    []place
	heads    []int // by automaton, while a place is visited: the next arc
}

func newWalk(automata []Automaton) *walk {
	w := &walk{automata: automata, heads: make([]int, len(automata))}
	ranks := symbolRanks(automata)
	for _, a := range automata {
		arcs := automatonArcs(a.Transitions, ranks)
		owner := make([]int32, len(a.Transitions))
		for i := range owner {
			owner[i] = gone
		}
		w.arcs = append(w.arcs, arcs)
		w.owner = append(w.owner, owner)
		w.joint = append(w.joint, make([]bool, len(a.Transitions)))
		w.alone = append(w.alone, make([]bool, len(arcs)))
	}
	return w
}

type symbol struct{ function, kind, direction, peer string }

func symbolOf(t *schema.Transition) symbol { return symbol{t.Function, t.Kind, t.Direction, t.Peer} }

func compare(a, b symbol) int {
	return cmp.Or(cmp.Compare(a.function, b.function), cmp.Compare(a.kind, b.kind),
		cmp.Compare(a.direction, b.direction), cmp.Compare(a.peer, b.peer))
}

func symbolRanks(automata []Automaton) map[symbol]int32 {
	ranks := make(map[symbol]int32)
	var all []symbol
	for _, a := range automata {
		for i := range a.Transitions {
			s := symbolOf(&a.Transitions[i])
			if _, ok := ranks[s]; !ok {
				ranks[s] = 0
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, compare)
	for i, s := range all {
		ranks[s] = int32(i)
	}
	return ranks
}

// automatonArcs gives the states of an automaton dense numbers, 0 for the initial one, and sorts the
// transitions of each by symbol.
func automatonArcs(rows []schema.Transition, ranks map[symbol]int32) [][]arc {
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
		a := arc{symbol: ranks[symbolOf(t)], target: gone, row: int32(i)}
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

// visit takes every symbol that some automaton has at a place.
func (w *walk) visit(p place) {
	clear(w.heads)
	for {
		next := int32(-1)
		for i, s := range p.states {
			if s == gone || w.heads[i] == len(w.arcs[i][s]) {
				continue
			}
			if have := w.arcs[i][s][w.heads[i]].symbol; next < 0 || have < next {
				next = have
			}
		}
		if next < 0 {
			return
		}
		w.take(p, next)
	}
}

// take makes the step of a symbol.
func (w *walk) take(p place, symbol int32) {
	rows := make([]int32, len(p.states))
	to := place{states: make([]int32, len(p.states)), depth: p.depth + 1}
	takers := 0
	for i, s := range p.states {
		rows[i], to.states[i] = gone, gone
		if s == gone || w.heads[i] == len(w.arcs[i][s]) {
			continue
		}
		if a := w.arcs[i][s][w.heads[i]]; a.symbol == symbol {
			rows[i], to.states[i] = a.row, a.target
			w.heads[i]++
			takers++
		}
	}
	if w.own(rows, p.depth, takers > 1) && w.follow(to) {
		w.queue = append(w.queue, to)
	}
}

// own gives a step the transitions that no earlier one has, and reports whether there are any. A joint
// step takes transitions away from those taken alone.
func (w *walk) own(rows []int32, depth int64, joint bool) bool {
	step := Step{Depth: depth, Taken: make([]int64, len(rows))}
	found := false
	for i, row := range rows {
		step.Taken[i] = None
		if row == gone || w.joint[i][row] || (!joint && w.owner[i][row] != gone) {
			continue
		}
		if before := w.owner[i][row]; before != gone {
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

// follow reports whether the walk goes on at a place: not where all words are over, and only once where a
// single automaton is left.
func (w *walk) follow(p place) bool {
	left, last := 0, 0
	for i, s := range p.states {
		if s != gone {
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

// matched are the steps that still have transitions.
func (w *walk) matched() []Step {
	return slices.DeleteFunc(w.steps, func(s Step) bool {
		return !slices.ContainsFunc(s.Taken, func(t int64) bool { return t != None })
	})
}
