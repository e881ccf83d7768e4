package ltsdiff

// MaxSides is the greatest number of automata in one difference: a set of sides is one machine word.
const MaxSides = 64

// Sides is a set of compared automata: bit i stands for the i-th. In a comparison of two, the left is bit 0 and the
// right bit 1.
type Sides uint64

// Kind classifies a state or transition by the sides on which it exists.
type Kind uint8

// The kinds. A part of several automata is unchanged if the first side and any other have it.
const (
	Unchanged Kind = iota // on the first side and on another
	Added                 // not on the first side
	Removed               // only on the first side
)

// Kind returns what a set of sides means.
func (s Sides) Kind() Kind {
	switch {
	case s&1 == 0: // the first side lacks it
		return Added
	case s == 1: // the first side alone has it
		return Removed
	}
	return Unchanged
}

// State is a state of a difference.
type State struct {
	Sides     Sides   // where it exists
	Initial   Sides   // where it is initial
	Accepting bool    // the same on all its sides
	Number    []int32 // by side: its number there, or None
}

// Step is a transition of a difference. Its Label is Skip if a rewriter added it.
type Step struct {
	Transition
	Sides  Sides   // where it exists
	Number []int32 // by side: its position in the list of transitions there, or None
}

// Difference is several automata in one. Leaving out the states and transitions that a side does not have gives the
// automaton of that side, with Skip as the empty word (tau).
type Difference struct {
	Sides  int     // how many automata it holds
	States []State // the matched ones first, in the order of the matching
	Steps  []Step  // by source, label, target
}

// Only returns an automaton as a difference with one side.
func Only(a *Automaton) *Difference {
	d := &Difference{Sides: 1, States: make([]State, a.States()), Steps: make([]Step, len(a.Out.End))}
	// Arcs are sorted by state and label, and so are the steps.
	for s := range d.States {
		d.States[s] = State{Sides: 1, Initial: Sides(intOf(a.Initial[s])), Accepting: a.Accepting[s], Number: []int32{int32(s)}}
		for i := a.Out.Start[s]; i < a.Out.Start[s+1]; i++ {
			t := Transition{int32(s), a.Out.Label[i], a.Out.End[i]}
			d.Steps[i] = Step{t, 1, []int32{a.Out.Number[i]}}
		}
	}
	return d
}

// Automaton returns a difference as one automaton, without regard to sides, so that it can be matched with a
// further one. Its transitions have their positions in Steps as numbers.
func (d *Difference) Automaton() (*Automaton, error) {
	initial, accepting := make([]bool, len(d.States)), make([]bool, len(d.States))
	for s := range d.States {
		initial[s], accepting[s] = d.States[s].Initial != 0, d.States[s].Accepting
	}
	transitions := make([]Transition, len(d.Steps))
	for i := range d.Steps {
		transitions[i] = d.Steps[i].Transition
	}
	return NewAutomaton(initial, accepting, transitions)
}

// Count returns how many transitions are of a kind.
func (d *Difference) Count(k Kind) int {
	n := 0
	for i := range d.Steps {
		if d.Steps[i].Sides.Kind() == k {
			n++
		}
	}
	return n
}

// Compare returns the difference of automata in the order of their sides, at most MaxSides. The first two are
// matched and merged, then the result and the third, and so on: a left fold, rewritten once at the end, as in
// gLTSdiff. An automaton without states stands for something that a side does not have.
func Compare(match Matcher, automata ...*Automaton) (*Difference, error) {
	if len(automata) == 0 {
		return &Difference{}, nil
	}
	d := Only(automata[0])
	sofar := automata[0]
	// A left fold: each further automaton is matched with what all before it have become.
	for _, a := range automata[1:] {
		var err error
		if d, err = Merge(d, a, match(sofar, a)); err != nil {
			return nil, err
		}
		// The last difference needs no automaton: nothing is matched with it.
		if d.Sides < len(automata) {
			if sofar, err = d.Automaton(); err != nil {
				return nil, err
			}
		}
	}
	d.Rewrite()
	return d, nil
}
