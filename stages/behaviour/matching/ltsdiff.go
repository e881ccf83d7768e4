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
	// All runs agree, which is the usual case: a walk pairs them in linear time.
	if len(d.forms) < 2 {
		return JointWalk(automata), nil
	}
	// Otherwise the difference decides, and the walk adds what a one-to-one pairing of states must miss.
	merged, err := mergeForms(d.forms)
	if err != nil {
		return Matching{}, err
	}
	return Matching{Steps: d.toSteps(d.joinByWalk(merged, automata), automata)}, nil
}

// distinctForms are the different ones among several automata.
type distinctForms struct {
	forms    []*canonicalForm
	of       []*canonicalForm // by automaton: its own form, nil without transitions
	position []int            // by automaton: the position in forms of the form equal to its own
}

// distinctOf finds the different automata. Runs of one release mostly have equal ones, so the cost
// follows the difference.
func distinctOf(automata []Automaton) (*distinctForms, error) {
	ranks := symbolRanks(automata)
	d := &distinctForms{of: make([]*canonicalForm, len(automata)), position: make([]int, len(automata))}
	for i := range automata {
		if len(automata[i].Transitions) == 0 {
			continue
		}
		f, err := newCanonicalForm(&automata[i], ranks)
		if err != nil {
			return nil, err
		}
		d.of[i], d.forms = f, append(d.forms, f)
	}
	// Equal forms come together; the greatest come first, as LTSDiff promises.
	slices.SortFunc(d.forms, (*canonicalForm).compareTo)
	d.forms = slices.CompactFunc(d.forms, func(a, b *canonicalForm) bool { return a.compareTo(b) == 0 })
	for i, f := range d.of {
		if f != nil {
			d.position[i], _ = slices.BinarySearchFunc(d.forms, f, (*canonicalForm).compareTo)
		}
	}
	return d, nil
}

// toSteps turns merged transitions, by form, into steps, by automaton.
func (d *distinctForms) toSteps(merged [][]int32, automata []Automaton) []Step {
	slices.SortFunc(merged, d.compareMerged)
	steps := make([]Step, len(merged))
	for i, numbers := range merged {
		s := Step{Depth: int64(d.minDepth(numbers)), Taken: make([]int64, len(automata))}
		for k, f := range d.of {
			s.Taken[k] = None
			if f == nil {
				continue
			}
			if n := numbers[d.position[k]]; n != ltsdiff.None {
				s.Taken[k] = automata[k].Transitions[f.row[n]].Transition
			}
		}
		steps[i] = s
	}
	return steps
}

// minDepth returns the smallest depth of merged transitions.
func (d *distinctForms) minDepth(numbers []int32) int32 {
	least := ltsdiff.None
	for i, n := range numbers {
		if n != ltsdiff.None && (least < 0 || d.forms[i].depth[n] < least) {
			least = d.forms[i].depth[n]
		}
	}
	return least
}

// symbolOf returns the symbol that merged transitions share.
func (d *distinctForms) symbolOf(numbers []int32) int32 {
	for i, n := range numbers {
		if n != ltsdiff.None {
			return d.forms[i].symbol[n]
		}
	}
	return ltsdiff.None
}

// compareMerged orders merged transitions by depth, symbol and numbers.
func (d *distinctForms) compareMerged(a, b []int32) int {
	return cmp.Or(cmp.Compare(d.minDepth(a), d.minDepth(b)), cmp.Compare(d.symbolOf(a), d.symbolOf(b)), slices.Compare(a, b))
}

// joinByWalk makes one of two merged transitions if the joint walk takes them together and no form has
// both.
//
// A difference pairs states one for one. Where a state of one automaton is two in another, because words
// that one run lacks continue differently there, it leaves transitions unpaired that the same beginnings
// of words lead to.
func (d *distinctForms) joinByWalk(merged [][]int32, automata []Automaton) [][]int32 {
	walked, numbers := d.representatives(automata)
	// 1. Where each transition stands; 2. walk; 3. join what is walked together and not both in one form.
	owner := make([][]int32, len(d.forms)) // by form and transition: its position in merged
	for i, f := range d.forms {
		owner[i] = make([]int32, len(f.row))
	}
	for at, own := range merged {
		setOwner(owner, own, int32(at))
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
			case first != at && areDisjoint(merged[first], merged[at]):
				setOwner(owner, merged[at], first)
				joinInto(merged[first], merged[at])
				merged[at] = nil
			}
		}
	}
	return slices.DeleteFunc(merged, func(own []int32) bool { return own == nil })
}

// representatives returns an automaton of every form, and its transitions' positions in the form by their
// numbers.
func (d *distinctForms) representatives(automata []Automaton) ([]Automaton, []map[int64]int32) {
	list, numbers := make([]Automaton, len(d.forms)), make([]map[int64]int32, len(d.forms))
	for i, f := range d.of {
		if f == nil || numbers[d.position[i]] != nil {
			continue
		}
		list[d.position[i]] = automata[i]
		m := make(map[int64]int32, len(f.row))
		for n, row := range f.row {
			m[automata[i].Transitions[row].Transition] = int32(n)
		}
		numbers[d.position[i]] = m
	}
	return list, numbers
}

// setOwner records where merged transitions stand.
func setOwner(owner [][]int32, own []int32, at int32) {
	for i, n := range own {
		if n != ltsdiff.None {
			owner[i][n] = at
		}
	}
}

// areDisjoint reports whether no form has a transition in both.
func areDisjoint(a, b []int32) bool {
	for i := range a {
		if a[i] != ltsdiff.None && b[i] != ltsdiff.None {
			return false
		}
	}
	return true
}

// joinInto adds the transitions of one to another.
func joinInto(into, from []int32) {
	for i, n := range from {
		if n != ltsdiff.None {
			into[i] = n
		}
	}
}
