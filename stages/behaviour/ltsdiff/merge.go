package ltsdiff

import (
	"cmp"
	"fmt"
	"slices"
)

// MaxSides is how many automata a difference may have.
const MaxSides = 64

// Sides is a set of compared automata: bit i stands for the i-th. Of two, the left is 0 and the right 1.
type Sides uint64

// Kind says where a state or transition exists.
type Kind uint8

// A part of several automata is unchanged if the first has it and any other has it too.
const (
	Unchanged Kind = iota // on both sides
	Added                 // not on the left
	Removed               // only on the left
)

// String is the word for a kind in tables.
func (k Kind) String() string { return [...]string{"unchanged", "added", "removed"}[k] }

// Kind is what a set of sides means.
func (s Sides) Kind() Kind {
	switch {
	case s&1 == 0:
		return Added
	case s == 1:
		return Removed
	}
	return Unchanged
}

// State is a state of a difference.
type State struct {
	Sides     Sides
	Initial   Sides // where it is initial
	Accepting bool
	Number    []int32 // by side: its number there, or None
}

// Step is a transition of a difference.
type Step struct {
	Transition
	Sides  Sides
	Number []int32 // by side: its position in the list of transitions there, or None
}

// Difference is several automata in one. Those who leave out the states and transitions that a side does not
// have see the automaton of that side, with Skip for the empty word.
type Difference struct {
	Sides  int
	States []State
	Steps  []Step // by source, label, target
}

// Only is an automaton as a difference with one side.
func Only(a *Automaton) *Difference {
	d := &Difference{Sides: 1, States: make([]State, a.States()), Steps: make([]Step, len(a.Out.End))}
	for s := range d.States {
		d.States[s] = State{Sides: 1, Initial: Sides(flag(a.Initial[s])), Accepting: a.Accepting[s], Number: []int32{int32(s)}}
		for i := a.Out.Start[s]; i < a.Out.Start[s+1]; i++ {
			t := Transition{int32(s), a.Out.Label[i], a.Out.End[i]}
			d.Steps[i] = Step{t, 1, []int32{a.Out.Number[i]}}
		}
	}
	return d
}

// Automaton is a difference as one automaton, without regard to sides. Transitions have their position in
// Steps as numbers.
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

// Merge adds a side. Pairs are states of d and of a: first come their states, in their order, then the
// others of d and those of a. Transitions with the same label between the same states become one. It is an
// error if a state is in two pairs or the states of a pair do not agree in accepting.
func Merge(d *Difference, a *Automaton, pairs []Pair) (*Difference, error) {
	if d.Sides == MaxSides {
		return nil, fmt.Errorf("more than %d automata in one difference: compare fewer at a time", MaxSides)
	}
	m := &merger{old: d, added: Only(a), merged: &Difference{Sides: d.Sides + 1}}
	if err := m.states(pairs); err != nil {
		return nil, err
	}
	m.steps()
	return m.merged, nil
}

type merger struct {
	old, added *Difference
	merged     *Difference
	place      [2][]int32 // by old or added state: the merged one
}

func (m *merger) states(pairs []Pair) error {
	m.merged.States = make([]State, 0, max(0, len(m.old.States)+len(m.added.States)-len(pairs)))
	m.place[0], m.place[1] = filled(len(m.old.States)), filled(len(m.added.States))
	for _, p := range pairs {
		if !m.free(0, p.Left) || !m.free(1, p.Right) || m.old.States[p.Left].Accepting != m.added.States[p.Right].Accepting {
			return fmt.Errorf("states %d and %d cannot be a pair: there is no such state, it has a partner, or only one of them accepts", p.Left, p.Right)
		}
		m.place[1][p.Right] = m.state(0, p.Left)
		m.merged.States[m.place[0][p.Left]].join(&m.added.States[p.Right])
	}
	for i, part := range []*Difference{m.old, m.added} {
		for s := range part.States {
			if m.place[i][s] == None {
				m.state(i, int32(s))
			}
		}
	}
	return nil
}

// free says whether a part has a state that is in no pair so far.
func (m *merger) free(part int, s int32) bool {
	return s >= 0 && int(s) < len(m.place[part]) && m.place[part][s] == None
}

func filled(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = None
	}
	return list
}

// state copies a state of a part and returns its place.
func (m *merger) state(part int, s int32) int32 {
	from := m.old.States
	if part == 1 {
		from = m.added.States
	}
	place := int32(len(m.merged.States))
	m.place[part][s] = place
	c := from[s]
	c.Sides, c.Initial, c.Number = m.shift(part, c.Sides), m.shift(part, c.Initial), m.number(part, c.Number)
	m.merged.States = append(m.merged.States, c)
	return place
}

// shift moves the sides of a part to where they are in the merged difference.
func (m *merger) shift(part int, s Sides) Sides {
	if part == 1 {
		return s << m.old.Sides
	}
	return s
}

// number widens the numbers of a part to all sides.
func (m *merger) number(part int, numbers []int32) []int32 {
	wide := filled(m.merged.Sides)
	copy(wide[part*m.old.Sides:], numbers)
	return wide
}

// join adds the last side, of which other is a state.
func (s *State) join(other *State) {
	last := len(s.Number) - 1
	s.Sides |= 1 << last
	if other.Initial != 0 {
		s.Initial |= 1 << last
	}
	s.Number[last] = other.Number[0]
}

// steps merges the transitions.
func (m *merger) steps() {
	steps := make([]Step, 0, len(m.old.Steps)+len(m.added.Steps))
	for part, d := range []*Difference{m.old, m.added} {
		for i := range d.Steps {
			s := d.Steps[i]
			s.Source, s.Target = m.place[part][s.Source], m.place[part][s.Target]
			s.Sides, s.Number = m.shift(part, s.Sides), m.number(part, s.Number)
			steps = append(steps, s)
		}
	}
	m.merged.Steps = combine(steps)
}

// compare orders transitions by source, label and target.
func (t Transition) compare(o Transition) int {
	return cmp.Or(cmp.Compare(t.Source, o.Source), cmp.Compare(t.Label, o.Label), cmp.Compare(t.Target, o.Target))
}

// combine sorts transitions and makes those that are the same into one. No side has two of them, except of
// skips, which have no numbers.
func combine(steps []Step) []Step {
	slices.SortStableFunc(steps, func(a, b Step) int { return a.compare(b.Transition) })
	kept := steps[:0]
	for _, s := range steps {
		if last := len(kept) - 1; last >= 0 && kept[last].Transition == s.Transition {
			kept[last].join(&s)
		} else {
			kept = append(kept, s)
		}
	}
	return kept
}

// join adds the sides of another transition.
func (s *Step) join(o *Step) {
	s.Sides |= o.Sides
	for side, n := range o.Number {
		if n != None {
			s.Number[side] = n
		}
	}
}

// Count is how many transitions are of a kind.
func (d *Difference) Count(k Kind) int {
	n := 0
	for i := range d.Steps {
		if d.Steps[i].Sides.Kind() == k {
			n++
		}
	}
	return n
}
