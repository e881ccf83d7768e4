package components

import (
	"fmt"

	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// Repetitions say which repetitions are changed and how: those that stand at least Lower and at most Upper times in a
// row, where these are not 0.
type Repetitions struct {
	Data         bool // count repetitions by variables; else write them out
	Lower, Upper int
	Infinite     bool // allow any number
	Most         int  // allow no more than so many, where it is not 0; else as many as there were
}

// Check says what is wrong with the options.
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

// change sets how often the repetitions of a term may be taken.
func (r Repetitions) change(t *term) {
	for i := range t.sequence {
		r.change(&t.sequence[i])
	}
	if t.repeated == nil {
		return
	}
	r.change(t.repeated)
	switch {
	case t.count < r.Lower || r.Upper > 0 && t.count > r.Upper:
	case r.Infinite:
		t.count = 0
	case r.Most > 0:
		t.count = min(t.count, r.Most)
	}
}

// ModifyRepetitions finds repetitions on the paths between states with one way in and out, by their minimum repetition
// representation, and changes them. Events are repeated only where they lead to states that accept alike.
func ModifyRepetitions(s *Set, chosen Choice, opt Repetitions) (*Set, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	var models []*Model
	for _, m := range s.Models {
		if chosen.takes(m.Component) {
			m = opt.fold(m)
		}
		models = append(models, m)
	}
	return s.with(models), nil
}

// fold changes the repetitions of a model.
func (r Repetitions) fold(m *Model) *Model {
	a := m.visible()
	g := newGraph(a)
	for _, p := range paths(a) {
		word, seen := make([]int, len(p.steps)), make(map[letter]int)
		for i, t := range p.steps {
			l := letter{a.Label[t], a.Accepting[a.Target[t]]}
			if _, known := seen[l]; !known {
				seen[l] = len(seen)
			}
			word[i] = seen[l]
		}
		repeats := shortest(word)
		r.change(&repeats)
		g.replace(p, repeats, r.Data)
	}
	return g.model(m.Component)
}

// letter is what repeats: an event, and whether a word may end behind it.
type letter struct {
	label     uint32
	accepting bool
}

// path is a list of transitions, each from the target of the one before it.
type path struct {
	from  int32 // the source of the first
	steps []uint32
}

// paths divides the transitions that are reached into paths, as long as the states between have one way in and
// one way out.
func paths(a *language.Automaton) (all []path) {
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
			for a.First[last+1]-a.First[last] == 1 && !visited[last] && !waiting[last] && ways[last] == 1 {
				visited[last] = true
				steps = append(steps, a.First[last])
				last = a.Target[a.First[last]]
			}
			all = append(all, path{s, steps})
			if !visited[last] && !waiting[last] {
				waiting[last] = true
				todo = append(todo, last)
			}
		}
	}
	return all
}
