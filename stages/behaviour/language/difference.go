package language

// Difference accepts the words that a accepts and b does not. Its states are pairs of a state of a and a set of states of b.
func Difference(a, b *Automaton) *Automaton {
	p, right := newPairs(), newSubsets(b)
	for _, s := range a.Initial {
		p.build.Initial(p.number(s, right.start()))
	}
	for n := int32(0); int(n) < len(p.pairs); n++ {
		s, t := p.pairs[n][0], p.pairs[n][1]
		if a.Accepting[s] && (t == lost || !right.accepting(t)) {
			p.build.Accept(n)
		}
		labels, targets := a.Out(s)
		for i, l := range labels {
			to := t
			if l != Tau {
				to = right.step(t, l)
			}
			p.build.Transition(n, l, p.number(targets[i], to))
		}
	}
	return p.build.Automaton()
}
