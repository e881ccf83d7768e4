package matching

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// RunState is a state of the automaton of one run, by the run's position among the automata.
type RunState struct {
	Run   int   // position of the run
	State int64 // its number in the automaton of the run
}

// United is one automaton in the place of the automata of several runs, such as the difference automaton of Hilbig 2023,
// section 3.3, for any number of runs on both sides. Each of its states unites at most one state of every run.
type United struct {
	States      [][]RunState       // the initial state first, the others in the order in which the steps reach them
	Transitions []UnitedTransition // in the order of the steps, those of one step by their states
}

// UnitedTransition is a step, or where the runs take it between different states, a part of it.
type UnitedTransition struct {
	Source, Target int64 // positions in States
	Step           int   // position among the steps
	Runs           []int // the runs that take it between these states, ascending
}

// Unite merges the automata of the runs along the steps that pair their transitions. Transition n of an automaton must
// stand at position n. The transitions of the result follow the steps; those of one step follow their states.
//
// States become one state by union-find: the initial states first, then the ends of the transitions of each step. A step
// may claim that two states of the same run are one, since a matching pairs transitions and not states. Such a union is
// refused, as it would add words that no run has; the step then becomes several transitions. It takes time linear in the
// paired transitions times the number of runs.
func Unite(automata []Automaton, steps []Step) *United {
	u := &uniter{automata: automata, class: make(map[RunState]int)}
	first := slices.IndexFunc(automata, func(a Automaton) bool { return len(a.Transitions) > 0 })
	if first < 0 {
		return new(United)
	}
	for run := range automata {
		if len(automata[run].Transitions) > 0 {
			u.unite(RunState{first, 0}, RunState{run, 0})
		}
	}
	for i := range steps {
		u.eachTaken(&steps[i], func(before, now *schema.Transition, runBefore, run int) {
			u.unite(RunState{runBefore, before.Source}, RunState{run, now.Source})
			u.unite(RunState{runBefore, before.Target}, RunState{run, now.Target})
		})
	}
	u.enumerate(RunState{first, 0}, steps)
	return &United{States: u.states(), Transitions: u.transitions(steps)}
}

// uniter holds the classes of states while they grow.
type uniter struct {
	automata []Automaton
	class    map[RunState]int // by state: its position in members
	members  [][]RunState     // the states of a class; nil where the class went into another one
	number   []int64          // by class: its number in the result; -1 where it has none yet
	order    []int            // classes by number
}

// eachTaken visits the transitions of a step run by run, each together with that of the first run.
func (u *uniter) eachTaken(s *Step, visit func(first, now *schema.Transition, firstRun, run int)) {
	firstRun := -1
	for run, n := range s.Taken {
		if n == None {
			continue
		}
		if firstRun < 0 {
			firstRun = run
		}
		visit(&u.automata[firstRun].Transitions[s.Taken[firstRun]], &u.automata[run].Transitions[n], firstRun, run)
	}
}

// classOf returns the class of a state, which it makes where there is none.
func (u *uniter) classOf(s RunState) int {
	class, known := u.class[s]
	if !known {
		class = len(u.members)
		u.class[s], u.members = class, append(u.members, []RunState{s})
	}
	return class
}

// unite makes one class of those of two states, unless a run has states in both.
func (u *uniter) unite(a, b RunState) {
	into, from := u.classOf(a), u.classOf(b)
	if into == from {
		return
	}
	for _, s := range u.members[from] {
		if slices.ContainsFunc(u.members[into], func(t RunState) bool { return t.Run == s.Run }) {
			return
		}
	}
	for _, s := range u.members[from] {
		u.class[s] = into
	}
	u.members[into], u.members[from] = append(u.members[into], u.members[from]...), nil
}

// enumerate numbers the classes in the order in which the steps reach them; that of the initial state is 0.
func (u *uniter) enumerate(initial RunState, steps []Step) {
	u.number = make([]int64, len(u.members))
	for i := range u.number {
		u.number[i] = -1
	}
	reach := func(s RunState) {
		if class := u.class[s]; u.number[class] < 0 {
			u.number[class] = int64(len(u.order))
			u.order = append(u.order, class)
		}
	}
	reach(initial)
	for i := range steps {
		u.eachTaken(&steps[i], func(_, now *schema.Transition, _, run int) {
			reach(RunState{run, now.Source})
			reach(RunState{run, now.Target})
		})
	}
}

func (u *uniter) states() (states [][]RunState) {
	for _, class := range u.order {
		states = append(states, u.members[class])
	}
	return states
}

// transitions divides every step by the states between which its runs take it.
func (u *uniter) transitions(steps []Step) (all []UnitedTransition) {
	for i := range steps {
		from := len(all)
		u.eachTaken(&steps[i], func(_, now *schema.Transition, _, run int) {
			source, target := u.number[u.class[RunState{run, now.Source}]], u.number[u.class[RunState{run, now.Target}]]
			at := slices.IndexFunc(all[from:], func(t UnitedTransition) bool { return t.Source == source && t.Target == target })
			if at < 0 {
				at = len(all) - from
				all = append(all, UnitedTransition{Source: source, Target: target, Step: i})
			}
			all[from+at].Runs = append(all[from+at].Runs, run)
		})
		slices.SortFunc(all[from:], func(a, b UnitedTransition) int {
			return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Target, b.Target))
		})
	}
	return all
}
