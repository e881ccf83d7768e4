package ltsdiff

import (
	"cmp"
	"fmt"
	"slices"
)

// Merge adds a side to a difference. Pairs are states of d and of a: first come their states, in their order, then
// the other states of d, and those of a. Transitions with the same label between the same states become one. It is
// an error if a state is in two pairs, or the states of a pair do not agree in accepting. d is not changed.
func Merge(d *Difference, a *Automaton, pairs []Pair) (*Difference, error) {
	if d.Sides == MaxSides {
		return nil, fmt.Errorf("more than %d automata in one difference: compare fewer at a time", MaxSides)
	}
	m := &merger{old: d, added: Only(a), merged: &Difference{Sides: d.Sides + 1}}
	if err := m.mergeStates(pairs); err != nil {
		return nil, err
	}
	m.mergeSteps()
	return m.merged, nil
}

// merger builds one difference from two.
type merger struct {
	old, added *Difference // the sides so far, and the new side alone
	merged     *Difference // the result
	position   [2][]int32  // by part (0 old, 1 added) and state: its state in merged, or None
}

// mergeStates copies the states of both parts in the order that Merge promises.
func (m *merger) mergeStates(pairs []Pair) error {
	m.merged.States = make([]State, 0, max(0, len(m.old.States)+len(m.added.States)-len(pairs)))
	m.position[0], m.position[1] = filledWithNone(len(m.old.States)), filledWithNone(len(m.added.States))
	// 1. Pairs, in their order.
	for _, p := range pairs {
		if !m.isUnplaced(0, p.Left) || !m.isUnplaced(1, p.Right) || m.old.States[p.Left].Accepting != m.added.States[p.Right].Accepting {
			return fmt.Errorf("states %d and %d cannot be a pair: there is no such state, it has a partner, or only one of them accepts", p.Left, p.Right)
		}
		m.position[1][p.Right] = m.copyState(0, p.Left)
		m.merged.States[m.position[0][p.Left]].addLastSide(&m.added.States[p.Right])
	}
	// 2. What is left of both sides, the old one first.
	for i, part := range []*Difference{m.old, m.added} {
		for s := range part.States {
			if m.position[i][s] == None {
				m.copyState(i, int32(s))
			}
		}
	}
	return nil
}

// isUnplaced reports whether a part has a state that is in no pair so far.
func (m *merger) isUnplaced(part int, s int32) bool {
	return s >= 0 && int(s) < len(m.position[part]) && m.position[part][s] == None
}

// filledWithNone returns n times None.
func filledWithNone(n int) []int32 { return slices.Repeat([]int32{None}, n) }

// copyState appends a state of a part to the result and returns its new number.
func (m *merger) copyState(part int, s int32) int32 {
	from := m.old.States
	if part == 1 {
		from = m.added.States
	}
	place := int32(len(m.merged.States))
	m.position[part][s] = place
	c := from[s]
	c.Sides, c.Initial, c.Number = m.shiftSides(part, c.Sides), m.shiftSides(part, c.Initial), m.widenNumbers(part, c.Number)
	m.merged.States = append(m.merged.States, c)
	return place
}

// shiftSides moves the sides of a part to their bits in the merged difference.
func (m *merger) shiftSides(part int, s Sides) Sides {
	if part == 1 {
		return s << m.old.Sides
	}
	return s
}

// widenNumbers spreads the numbers of a part over all sides.
func (m *merger) widenNumbers(part int, numbers []int32) []int32 {
	wide := filledWithNone(m.merged.Sides)
	copy(wide[part*m.old.Sides:], numbers)
	return wide
}

// addLastSide adds the last side, where the state is other.
func (s *State) addLastSide(other *State) {
	last := len(s.Number) - 1
	s.Sides |= 1 << last
	if other.Initial != 0 {
		s.Initial |= 1 << last
	}
	s.Number[last] = other.Number[0]
}

// mergeSteps renumbers the ends of all transitions and combines equal ones.
func (m *merger) mergeSteps() {
	steps := make([]Step, 0, len(m.old.Steps)+len(m.added.Steps))
	// Equal transitions are found by sorting, and need no table.
	for part, d := range []*Difference{m.old, m.added} {
		for i := range d.Steps {
			s := d.Steps[i]
			s.Source, s.Target = m.position[part][s.Source], m.position[part][s.Target]
			s.Sides, s.Number = m.shiftSides(part, s.Sides), m.widenNumbers(part, s.Number)
			steps = append(steps, s)
		}
	}
	m.merged.Steps = combineSteps(steps)
}

// compare orders transitions by source, label and target.
func (t Transition) compare(o Transition) int {
	return cmp.Or(cmp.Compare(t.Source, o.Source), cmp.Compare(t.Label, o.Label), cmp.Compare(t.Target, o.Target))
}

// combineSteps sorts transitions and makes one of those that are the same. No side has two equal ones, except
// skips, which have no numbers.
func combineSteps(steps []Step) []Step {
	slices.SortStableFunc(steps, func(a, b Step) int { return a.compare(b.Transition) })
	kept := steps[:0]
	for _, s := range steps {
		if last := len(kept) - 1; last >= 0 && kept[last].Transition == s.Transition {
			kept[last].addSides(&s)
		} else {
			kept = append(kept, s)
		}
	}
	return kept
}

// addSides adds the sides, and the numbers there, of an equal transition.
func (s *Step) addSides(o *Step) {
	s.Sides |= o.Sides
	for side, n := range o.Number {
		if n != None {
			s.Number[side] = n
		}
	}
}
