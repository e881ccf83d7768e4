package language

import "slices"

// Trim drops the states that no initial state reaches and those that reach no accepting one, and keeps the order of the
// others. The language stays.
func Trim(a *Automaton) *Automaton {
	// A state is of use if some word passes it.
	useful := conjunction(reachableStates(a), productiveStates(a))
	number, n := make([]int32, a.States()), int32(0)
	for s, keep := range useful {
		number[s] = n
		if keep {
			n++
		}
	}
	// Nothing to drop: the automaton itself is returned.
	if int(n) == a.States() {
		return a
	}
	out := &Automaton{First: []uint32{0}}
	for s, keep := range useful {
		if keep {
			out.Accepting = append(out.Accepting, a.Accepting[s])
			labels, targets := a.Out(int32(s))
			for i, t := range targets {
				if useful[t] {
					out.Label, out.Target = append(out.Label, labels[i]), append(out.Target, number[t])
				}
			}
			out.First = append(out.First, uint32(len(out.Label)))
		}
	}
	for _, s := range a.Initial {
		if useful[s] {
			out.Initial = append(out.Initial, number[s])
		}
	}
	return out
}

// reachableStates reports, by state, whether an initial state reaches it.
func reachableStates(a *Automaton) []bool {
	reached, queue := make([]bool, a.States()), slices.Clone(a.Initial)
	for _, s := range queue {
		reached[s] = true
	}
	// The queue grows while it is read: breadth-first search.
	for i := 0; i < len(queue); i++ {
		_, targets := a.Out(queue[i])
		for _, t := range targets {
			if !reached[t] {
				reached[t] = true
				queue = append(queue, t)
			}
		}
	}
	return reached
}

// productiveStates reports, by state, whether it reaches an accepting one.
func productiveStates(a *Automaton) []bool {
	reached, source := slices.Clone(a.Accepting), a.Source()
	first, into := incoming(a)
	var queue []int32
	for s, accepting := range a.Accepting {
		if accepting {
			queue = append(queue, int32(s))
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, t := range into[first[queue[i]]:first[queue[i]+1]] {
			if s := source[t]; !reached[s] {
				reached[s] = true
				queue = append(queue, s)
			}
		}
	}
	return reached
}

// conjunction stores x and y, element by element, in x.
func conjunction(x, y []bool) []bool {
	for i := range x {
		x[i] = x[i] && y[i]
	}
	return x
}

// PrefixClose accepts the beginnings of all words of the language, the words themselves included.
// In a trim automaton every state lies on the way to a word, so that all may accept. It shares all other slices with
// its operand.
func PrefixClose(a *Automaton) *Automaton {
	out := *Trim(a)
	out.Accepting = slices.Repeat([]bool{true}, out.States())
	return &out
}

// HideLabels makes the steps with the given labels silent.
func HideLabels(a *Automaton, hidden []uint32) *Automaton {
	hidden = sortedDistinct(hidden)
	return Relabel(a, func(l uint32) uint32 {
		if _, hide := slices.BinarySearch(hidden, l); hide {
			return Tau
		}
		return l
	})
}

// Relabel gives every transition the label that code returns for its own. Labels that become the same, with one source
// and target, make one transition; the result may be nondeterministic.
func Relabel(a *Automaton, code func(label uint32) uint32) *Automaton {
	b := new(Builder)
	b.appendAutomaton(a)
	for i := range b.transitions {
		t := &b.transitions[i]
		t.label = code(t.label)
	}
	return b.Automaton()
}

// Filter keeps the transitions that are wanted, and all states.
func Filter(a *Automaton, wanted func(source int32, label uint32, target int32) bool) *Automaton {
	b := new(Builder)
	b.appendAutomaton(a)
	b.transitions = slices.DeleteFunc(b.transitions, func(t transition) bool { return !wanted(t.source, t.label, t.target) })
	return b.Automaton()
}

// appendAutomaton adds the states and transitions of an automaton behind those that are there.
func (b *Builder) appendAutomaton(a *Automaton) {
	offset := int32(len(b.accepting))
	b.accepting = append(b.accepting, a.Accepting...)
	for _, s := range a.Initial {
		b.Initial(s + offset)
	}
	for t, s := range a.Source() {
		b.Transition(s+offset, a.Label[t], a.Target[t]+offset)
	}
}
