package main

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/report/automaton"
)

// runState is a state of the automaton of one run.
type runState struct {
	run   int
	state int64
}

// merge makes one automaton of those of all runs: the ends of transitions that a step pairs are one state, unless that
// would make two states of one run the same. Then a step has several transitions.
type merge struct {
	*compared
	steps  []matching.Step
	class  map[runState]int // of a state: an entry of whole
	whole  [][]runState     // the states of a class, nil where it went into another one
	number []int64          // by class: its number in the picture, in the order of the steps
	order  []int            // classes by number
}

func newMerge(c *compared, steps []matching.Step) *merge {
	m := &merge{compared: c, steps: steps, class: make(map[runState]int)}
	for i := range c.automata {
		m.join(runState{0, 0}, runState{i, 0})
	}
	for _, s := range steps {
		m.alongStep(s, func(before, now *schema.Transition, runBefore, run int) {
			m.join(runState{runBefore, before.Source}, runState{run, now.Source})
			m.join(runState{runBefore, before.Target}, runState{run, now.Target})
		})
	}
	m.enumerate()
	return m
}

// alongStep visits the transitions of a step, each together with the first one.
func (m *merge) alongStep(s matching.Step, f func(first, now *schema.Transition, firstRun, run int)) {
	firstRun := -1
	for run, n := range s.Taken {
		if n == matching.None {
			continue
		}
		if firstRun < 0 {
			firstRun = run
		}
		f(&m.automata[firstRun].transitions[s.Taken[firstRun]], &m.automata[run].transitions[n], firstRun, run)
	}
}

// classOf is the class of a state, a new one if it has none.
func (m *merge) classOf(s runState) int {
	class, known := m.class[s]
	if !known {
		class = len(m.whole)
		m.class[s], m.whole = class, append(m.whole, []runState{s})
	}
	return class
}

// join makes two states one, if no run has states in both classes.
func (m *merge) join(a, b runState) {
	x, y := m.classOf(a), m.classOf(b)
	if x == y {
		return
	}
	for _, s := range m.whole[y] {
		if slices.ContainsFunc(m.whole[x], func(t runState) bool { return t.run == s.run }) {
			return
		}
	}
	for _, s := range m.whole[y] {
		m.class[s] = x
	}
	m.whole[x], m.whole[y] = append(m.whole[x], m.whole[y]...), nil
}

// enumerate numbers the classes in the order in which the steps reach them; the initial state is 0.
func (m *merge) enumerate() {
	m.number = make([]int64, len(m.whole))
	for i := range m.number {
		m.number[i] = -1
	}
	meet := func(s runState) {
		if class := m.class[s]; m.number[class] < 0 {
			m.number[class] = int64(len(m.order))
			m.order = append(m.order, class)
		}
	}
	meet(runState{0, 0})
	for _, s := range m.steps {
		m.alongStep(s, func(_, now *schema.Transition, _, run int) {
			meet(runState{run, now.Source})
			meet(runState{run, now.Target})
		})
	}
}

// side is where runs are of which a state or transition is: Both, Base or Cand.
func (m *merge) side(runs []int) automaton.Side {
	base := slices.ContainsFunc(runs, func(r int) bool { return r < len(m.Base) && len(m.automata[r].transitions) > 0 })
	cand := slices.ContainsFunc(runs, func(r int) bool { return r >= len(m.Base) && len(m.automata[r].transitions) > 0 })
	switch {
	case base && !cand:
		return automaton.Base
	case cand && !base:
		return automaton.Cand
	}
	return automaton.Both
}

// states are the classes.
func (m *merge) states() (states []automaton.State) {
	accepting := make(map[runState]bool)
	for run, t := range m.automata {
		for _, s := range t.states {
			accepting[runState{run, s.State}] = s.Accepting
		}
	}
	for number, class := range m.order {
		var runs []int
		for _, s := range m.whole[class] {
			runs = append(runs, s.run)
		}
		states = append(states, automaton.State{
			Number: int64(number), Side: m.side(runs), Initial: number == 0,
			Accepting: slices.ContainsFunc(m.whole[class], func(s runState) bool { return accepting[s] }),
		})
	}
	return states
}

// transitions are the steps, and what the comparison says of them.
func (m *merge) transitions() (all []automaton.Transition) {
	for _, s := range m.steps {
		places := make(map[[2]int64][]int) // runs by the ends of their transitions
		m.alongStep(s, func(_, now *schema.Transition, _, run int) {
			ends := [2]int64{m.number[m.class[runState{run, now.Source}]], m.number[m.class[runState{run, now.Target}]]}
			places[ends] = append(places[ends], run)
		})
		change := m.change(s)
		var ends [][2]int64
		for e := range places {
			ends = append(ends, e)
		}
		slices.SortFunc(ends, func(a, b [2]int64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
		for _, e := range ends {
			t := m.transition(s, places[e], change)
			t.Source, t.Target, t.Side = e[0], e[1], m.side(places[e])
			all = append(all, t)
		}
	}
	return all
}

// transition is what some runs have of a step.
func (m *merge) transition(s matching.Step, runs []int, change *schema.Change) automaton.Transition {
	var t automaton.Transition
	for _, run := range runs {
		side := &t.Base
		if run >= len(m.Base) {
			side = &t.Cand
		}
		taken := &m.automata[run].transitions[s.Taken[run]]
		if t.Label == "" {
			t.Label, t.Note = event(taken)
		}
		side.Count += taken.Count
		side.SamplesNs = append(side.SamplesNs, m.automata[run].samplesNs[s.Taken[run]]...)
	}
	t.Base.MedianNs, t.Cand.MedianNs = median(t.Base.SamplesNs), median(t.Cand.SamplesNs)
	if change == nil || len(runs) < takers(s) {
		return t // what was judged are the samples of the whole step
	}
	t.Base.MedianNs, t.Cand.MedianNs = known(change.MedianBaseNs), known(change.MedianCandNs)
	t.Changed = change.Detected && slices.Contains(timeVerdicts, change.Verdict)
	if t.Changed {
		t.Verdict = verdictWords(change.Verdict)
		if change.RootCause != "" {
			t.Verdict += ": " + change.RootCause
		}
	}
	return t
}

// timeVerdicts are the verdicts on the time of a step that both sides take.
var timeVerdicts = []string{
	schema.Slower, schema.Faster, schema.Changed, schema.Regressed, schema.Improved, schema.ShapeChanged, schema.Candidate, schema.Later, schema.Sooner,
}

// takers is how many runs take a step.
func takers(s matching.Step) (n int) {
	for _, taken := range s.Taken {
		if taken != matching.None {
			n++
		}
	}
	return n
}

func known(ns *int64) int64 {
	if ns == nil {
		return schema.NoValue
	}
	return *ns
}

// change is what the comparison says of a step. Where two steps have the same numbers, in different runs, the number of
// samples tells them apart.
func (m *merge) change(s matching.Step) *schema.Change {
	base, cand := m.numbers(s)
	var samples [2]int64
	for run, n := range s.Taken {
		if n != matching.None {
			samples[m.sideIndex(run)] += int64(len(m.automata[run].samplesNs[n]))
		}
	}
	for i := range m.changes {
		c := &m.changes[i]
		if equal(c.Transition, base) && equal(c.CandTransition, cand) && c.NBase == samples[0] && c.NCand == samples[1] {
			return c
		}
	}
	return nil
}

func (m *merge) sideIndex(run int) int {
	if run < len(m.Base) {
		return 0
	}
	return 1
}
