package matching

import (
	"slices"

	"github.com/tracelake/tracelake/stages/behaviour/ltsdiff"
)

// together makes one of two merged transitions where the joint walk takes them together and no form has both.
//
// A difference pairs states one for one. Where a state of one automaton is two in another, because words that
// one run lacks go on differently there, it leaves transitions over that the same beginnings of words lead to.
func (d *distinct) together(merged [][]int32, automata []Automaton) [][]int32 {
	walked, numbers := d.representatives(automata)
	owner := make([][]int32, len(d.forms)) // by form and transition: its position in merged
	for i, f := range d.forms {
		owner[i] = make([]int32, len(f.row))
	}
	for at, own := range merged {
		take(owner, own, int32(at))
	}
	for _, step := range JointWalk(walked).Steps {
		first := ltsdiff.None
		for i, t := range step.Taken {
			if t == None {
				continue
			}
			at := owner[i][numbers[i][t]]
			switch {
			case first == ltsdiff.None:
				first = at
			case first != at && disjoint(merged[first], merged[at]):
				take(owner, merged[at], first)
				join(merged[first], merged[at])
				merged[at] = nil
			}
		}
	}
	return slices.DeleteFunc(merged, func(own []int32) bool { return own == nil })
}

// representatives are an automaton of every form, and its transitions' positions in the form by their numbers.
func (d *distinct) representatives(automata []Automaton) ([]Automaton, []map[int64]int32) {
	list, numbers := make([]Automaton, len(d.forms)), make([]map[int64]int32, len(d.forms))
	for i, f := range d.of {
		if f == nil || numbers[d.place[i]] != nil {
			continue
		}
		list[d.place[i]] = automata[i]
		m := make(map[int64]int32, len(f.row))
		for n, row := range f.row {
			m[automata[i].Transitions[row].Transition] = int32(n)
		}
		numbers[d.place[i]] = m
	}
	return list, numbers
}

// take notes where merged transitions stand.
func take(owner [][]int32, own []int32, at int32) {
	for i, n := range own {
		if n != ltsdiff.None {
			owner[i][n] = at
		}
	}
}

func disjoint(a, b []int32) bool {
	for i := range a {
		if a[i] != ltsdiff.None && b[i] != ltsdiff.None {
			return false
		}
	}
	return true
}

func join(into, from []int32) {
	for i, n := range from {
		if n != ltsdiff.None {
			into[i] = n
		}
	}
}
