package matching

import (
	"slices"

	"github.com/tracelake/tracelake/stages/behaviour/ltsdiff"
)

// mergeForms computes the difference of several forms. It returns its transitions: for every one the
// number that it has in each form, or ltsdiff.None.
//
// If there are more forms than a difference may have sides, parts of them are merged first, and then the
// parts.
func mergeForms(forms []*canonicalForm) ([][]int32, error) {
	automata := make([]*ltsdiff.Automaton, len(forms))
	for i, f := range forms {
		var err error
		if automata[i], err = f.toAutomaton(); err != nil {
			return nil, err
		}
	}
	return mergeAutomata(automata)
}

// toAutomaton returns a form as ltsdiff takes it. Words start and end in its state 0.
func (f *canonicalForm) toAutomaton() (*ltsdiff.Automaton, error) {
	ends := make([]bool, f.states)
	ends[0] = true
	transitions := make([]ltsdiff.Transition, len(f.row))
	for i := range transitions {
		transitions[i] = ltsdiff.Transition{Source: f.source[i], Label: uint32(f.symbol[i]), Target: f.target[i]}
	}
	return ltsdiff.NewAutomaton(ends, ends, transitions)
}

// mergeAutomata compares automata, in parts if there are too many.
func mergeAutomata(automata []*ltsdiff.Automaton) ([][]int32, error) {
	if len(automata) <= ltsdiff.MaxSides {
		d, err := ltsdiff.Compare(ltsdiff.Fast, automata...)
		if err != nil {
			return nil, err
		}
		return takenNumbers(d), nil
	}
	var parts []*ltsdiff.Automaton
	var within [][][]int32 // by part and transition: its numbers in the automata of the part
	// Parts of 64 are merged without rewriting, because skips have no numbers in any automaton.
	for from := 0; from < len(automata); from += ltsdiff.MaxSides {
		d, err := mergeUnrewritten(automata[from:min(from+ltsdiff.MaxSides, len(automata))])
		if err != nil {
			return nil, err
		}
		part, err := d.Automaton()
		if err != nil {
			return nil, err
		}
		parts, within = append(parts, part), append(within, takenNumbers(d))
	}
	outer, err := mergeAutomata(parts)
	if err != nil {
		return nil, err
	}
	return unfoldParts(outer, within), nil
}

// mergeUnrewritten merges automata without the rewriting, which would add skips.
func mergeUnrewritten(automata []*ltsdiff.Automaton) (*ltsdiff.Difference, error) {
	d, sofar := ltsdiff.Only(automata[0]), automata[0]
	for _, a := range automata[1:] {
		var err error
		if d, err = ltsdiff.Merge(d, a, ltsdiff.Fast(sofar, a)); err != nil {
			return nil, err
		}
		if sofar, err = d.Automaton(); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// takenNumbers returns the transitions of a difference that some side takes.
func takenNumbers(d *ltsdiff.Difference) (all [][]int32) {
	for i := range d.Steps {
		if d.Steps[i].Label != ltsdiff.Skip {
			all = append(all, d.Steps[i].Number)
		}
	}
	return all
}

// unfoldParts replaces the numbers in parts by those in the automata of the parts.
func unfoldParts(outer [][]int32, within [][][]int32) [][]int32 {
	all := make([][]int32, len(outer))
	for i, parts := range outer {
		for p, n := range parts {
			if n != ltsdiff.None {
				all[i] = append(all[i], within[p][n]...)
				continue
			}
			all[i] = append(all[i], slices.Repeat([]int32{ltsdiff.None}, len(within[p][0]))...)
		}
	}
	return all
}
