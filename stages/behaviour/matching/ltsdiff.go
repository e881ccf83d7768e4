package matching

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/stages/behaviour/ltsdiff"
)

// LTSDiff pairs the transitions that become one in the difference of all automata, and of those that do not the ones
// that the joint walk takes together. Automata that are the same count as one; where all are, JointWalk pairs them.
//
// Steps are in the order of their depths and symbols. The result depends neither on the numbers of the states nor on
// the order of the automata, except that it has the same order: the difference is made of the automata that
// differ in an order of their own, the greatest first.
func LTSDiff(automata []Automaton) (Matching, error) {
	d, err := distinctOf(automata)
	if err != nil {
		return Matching{}, err
	}
	if len(d.forms) < 2 {
		return JointWalk(automata), nil
	}
	merged, err := merge(d.forms)
	if err != nil {
		return Matching{}, err
	}
	return Matching{Steps: d.steps(d.together(merged, automata), automata)}, nil
}

// distinct are the different ones of several automata.
type distinct struct {
	forms []*form
	of    []*form // by automaton: its own form, nil without transitions
	place []int   // by automaton: the position in forms of the form that equals its own
}

func distinctOf(automata []Automaton) (*distinct, error) {
	ranks := symbolRanks(automata)
	d := &distinct{of: make([]*form, len(automata)), place: make([]int, len(automata))}
	for i := range automata {
		if len(automata[i].Transitions) == 0 {
			continue
		}
		f, err := newForm(&automata[i], ranks)
		if err != nil {
			return nil, err
		}
		d.of[i], d.forms = f, append(d.forms, f)
	}
	slices.SortFunc(d.forms, (*form).compare)
	d.forms = slices.CompactFunc(d.forms, func(a, b *form) bool { return a.compare(b) == 0 })
	for i, f := range d.of {
		if f != nil {
			d.place[i], _ = slices.BinarySearchFunc(d.forms, f, (*form).compare)
		}
	}
	return d, nil
}

// steps turn merged transitions, by form, into steps, by automaton.
func (d *distinct) steps(merged [][]int32, automata []Automaton) []Step {
	slices.SortFunc(merged, d.compare)
	steps := make([]Step, len(merged))
	for i, numbers := range merged {
		s := Step{Depth: int64(d.depth(numbers)), Taken: make([]int64, len(automata))}
		for k, f := range d.of {
			s.Taken[k] = None
			if f == nil {
				continue
			}
			if n := numbers[d.place[k]]; n != ltsdiff.None {
				s.Taken[k] = automata[k].Transitions[f.row[n]].Transition
			}
		}
		steps[i] = s
	}
	return steps
}

// depth is the least depth of merged transitions.
func (d *distinct) depth(numbers []int32) int32 {
	least := ltsdiff.None
	for i, n := range numbers {
		if n != ltsdiff.None && (least < 0 || d.forms[i].depth[n] < least) {
			least = d.forms[i].depth[n]
		}
	}
	return least
}

func (d *distinct) symbol(numbers []int32) int32 {
	for i, n := range numbers {
		if n != ltsdiff.None {
			return d.forms[i].symbol[n]
		}
	}
	return ltsdiff.None
}

// compare orders merged transitions.
func (d *distinct) compare(a, b []int32) int {
	return cmp.Or(cmp.Compare(d.depth(a), d.depth(b)), cmp.Compare(d.symbol(a), d.symbol(b)), slices.Compare(a, b))
}
