package components

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// Repetitions say which repetitions are changed and how: those of at least Lower and at most Upper times
// in a row, where these are not 0.
type Repetitions struct {
	Data         bool // count repetitions by variables; otherwise write them out
	Lower, Upper int  // times in a row; 0: no bound
	Infinite     bool // allow any number
	Most         int  // allow at most this number; 0: as many as were observed
}

// Check returns an error if the options contradict each other.
func (r Repetitions) Check() error {
	switch {
	case r.Lower < 0 || r.Upper < 0 || r.Most < 0:
		return fmt.Errorf("the numbers of repetitions must not be negative")
	case r.Infinite && r.Most > 0:
		return fmt.Errorf("repetitions cannot be infinite and at most %d", r.Most)
	case r.Upper > 0 && r.Lower > r.Upper:
		return fmt.Errorf("no repetition stands at least %d and at most %d times", r.Lower, r.Upper)
	}
	return nil
}

// changeTerm sets how often the repetitions of a term may be taken.
func (r Repetitions) changeTerm(t *term) {
	for i := range t.sequence {
		r.changeTerm(&t.sequence[i])
	}
	if t.repeated == nil {
		return
	}
	r.changeTerm(t.repeated)
	switch {
	case t.count < r.Lower || r.Upper > 0 && t.count > r.Upper: // outside the bounds: as observed
	case r.Infinite: // 0 stands for any number
		t.count = 0
	case r.Most > 0: // never more than observed
		t.count = min(t.count, r.Most)
	}
}

// ModifyRepetitions finds repetitions on the paths between states with one way in and out, by their minimum repetition
// representation, and changes them. Events are repeated only where they lead to states that accept alike.
func ModifyRepetitions(s *Set, chosen Choice, opt Repetitions) (*Set, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	models := slices.Clone(s.Models)
	for i, m := range models {
		if chosen.includes(m.Component) {
			models[i] = opt.modifyModel(m)
		}
	}
	return s.withModels(models), nil
}

// modifyModel replaces every path of a model by its representation with changed repetitions.
// Its cost is that of the longest path, cubed: see maxWordLength.
func (r Repetitions) modifyModel(m *Model) *Model {
	a := m.withoutData()
	g := newGraph(a)
	// The letters of a word are numbered in their order of appearance. Two transitions are one letter only if words
	// may end behind both or behind neither.
	for _, p := range linearPaths(a) {
		word, seen := make([]int, len(p.steps)), make(map[letter]int)
		for i, t := range p.steps {
			l := letter{a.Label[t], a.Accepting[a.Target[t]]}
			if _, known := seen[l]; !known {
				seen[l] = len(seen)
			}
			word[i] = seen[l]
		}
		repeats := minimumRepresentation(word)
		r.changeTerm(&repeats)
		g.replacePath(p, repeats, r.Data)
	}
	return g.toModel(m.Component)
}

// letter is the unit that repeats: an event, and whether a word may end after it.
type letter struct {
	label     uint32
	accepting bool
}

// linearPath is a list of transitions, each from the target of the one before.
type linearPath struct {
	from  int32    // source of the first transition
	steps []uint32 // transitions
}

// linearPaths divides the reachable transitions into paths whose inner states have one way in and one way
// out. Only on such paths are repetitions safe to fold.
// A state with several ways in would be reached in the middle of a repetition from elsewhere, and folding it would add
// words.
func linearPaths(a *language.Automaton) (all []linearPath) {
	ways := make([]int, a.States())
	for _, s := range a.Target {
		ways[s]++
	}
	visited, waiting := make([]bool, a.States()), make([]bool, a.States())
	todo := append([]int32(nil), a.Initial...)
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		visited[s] = true
		for t := a.First[s]; t < a.First[s+1]; t++ {
			steps := []uint32{t}
			last := a.Target[t]
			// The path goes on while there is exactly one way on, and one way in.
			for a.First[last+1]-a.First[last] == 1 && !visited[last] && !waiting[last] && ways[last] == 1 {
				visited[last] = true
				steps = append(steps, a.First[last])
				last = a.Target[a.First[last]]
			}
			all = append(all, linearPath{s, steps})
			if !visited[last] && !waiting[last] {
				waiting[last] = true
				todo = append(todo, last)
			}
		}
	}
	return all
}

// Plain returns a model of the same words without data. Its states are those of the model together with
// the values of the variables, as far as they are reachable; there may be exponentially many in the
// number of variables. A step that takes a variable out of its range does not happen.
func (m *Model) Plain() *Model {
	if m.Data == nil {
		return m
	}
	// A breadth-first search over valuations: the queue grows while it is read.
	u := unfolding{model: m, known: make(map[string]int32)}
	for _, s := range m.Initial {
		u.build.Initial(u.stateOf(valuation{s, make([]int32, len(m.Data.Variables))}))
	}
	for i := 0; i < len(u.queue); i++ {
		u.addTransitions(int32(i))
	}
	return &Model{Component: m.Component, Automaton: u.build.Automaton()}
}

// valuation is a state with the values of the variables.
type valuation struct {
	state  int32
	values []int32
}

// unfolding numbers the reachable valuations.
type unfolding struct {
	model *Model
	build language.Builder
	known map[string]int32 // by text of a valuation: its number
	queue []valuation      // by number; those behind the current one wait
}

// stateOf returns the number of a valuation.
func (u *unfolding) stateOf(x valuation) int32 {
	// A text is a slow key, but the models of MIDS that have data are small.
	key := fmt.Sprint(x)
	n, found := u.known[key]
	if !found {
		n = u.build.State(u.model.Accepting[x.state])
		u.known[key] = n
		u.queue = append(u.queue, x)
	}
	return n
}

// addTransitions adds the transitions out of a valuation.
func (u *unfolding) addTransitions(n int32) {
	from, m := u.queue[n], u.model
	for t := m.First[from.state]; t < m.First[from.state+1]; t++ {
		if values, ok := m.Data.valuesAfter(m.Data.Steps[t], from.values); ok {
			u.build.Transition(n, m.Label[t], u.stateOf(valuation{m.Target[t], values}))
		}
	}
}

// valuesAfter returns the values after a step, and whether it can happen.
func (d *Data) valuesAfter(step Step, before []int32) ([]int32, bool) {
	// All conditions look at the values before the step, and so do all updates.
	for _, g := range step.When {
		if v := before[g.Variable]; g.Less && v >= g.Value || !g.Less && v != g.Value {
			return nil, false
		}
	}
	after := slices.Clone(before)
	for _, u := range step.Do {
		if after[u.Variable] = u.Value; u.Add {
			after[u.Variable] += before[u.Variable]
		}
		if after[u.Variable] < 0 || after[u.Variable] > d.Variables[u.Variable].Max {
			return nil, false
		}
	}
	return after, true
}

// withoutData returns the automaton of a model without data and silent steps. A model that has neither
// returns its own.
func (m *Model) withoutData() *language.Automaton {
	a := m.Plain().Automaton
	if hasSilentSteps(a) {
		return language.Minimise(a)
	}
	return a
}

// hasSilentSteps reports whether an automaton has silent steps.
func hasSilentSteps(a *language.Automaton) bool { return slices.Contains(a.Label, language.Tau) }
