package language

import "slices"

// Union accepts the words that one automaton accepts at least.
func Union(automata ...*Automaton) *Automaton {
	b := new(Builder)
	for _, a := range automata {
		b.add(a)
	}
	return b.Automaton()
}

// Intersect accepts the words that both automata accept.
func Intersect(a, b *Automaton) *Automaton {
	return product(a, b, func(l uint32) bool { return l != Tau })
}

// Product is the synchronous composition of two automata: both take a step with a shared label together, and either takes
// steps with other labels, silent ones among them, alone. A word ends where both accept.
func Product(a, b *Automaton, shared []uint32) *Automaton {
	shared = without(sorted(shared), Tau)
	return product(a, b, func(l uint32) bool { _, found := slices.BinarySearch(shared, l); return found })
}

// Shared returns the labels that occur in both automata, ascending, without Tau.
func Shared(a, b *Automaton) []uint32 {
	other := b.Alphabet()
	return slices.DeleteFunc(a.Alphabet(), func(l uint32) bool { _, found := slices.BinarySearch(other, l); return !found })
}

// product has the reachable pairs of states.
func product(a, b *Automaton, together func(label uint32) bool) *Automaton {
	p := newPairs()
	for _, s := range a.Initial {
		for _, t := range b.Initial {
			p.build.Initial(p.number(s, t))
		}
	}
	for n := int32(0); int(n) < len(p.pairs); n++ {
		s, t := p.pairs[n][0], p.pairs[n][1]
		if a.Accepting[s] && b.Accepting[t] {
			p.build.Accept(n)
		}
		p.alone(n, a, s, together, func(target int32) int32 { return p.number(target, t) })
		p.alone(n, b, t, together, func(target int32) int32 { return p.number(s, target) })
		p.jointly(n, a, b, together)
	}
	return p.build.Automaton()
}

// pairs numbers pairs of states in the order in which they are met.
type pairs struct {
	build Builder
	known map[[2]int32]int32
	pairs [][2]int32
}

func newPairs() *pairs { return &pairs{known: make(map[[2]int32]int32)} }

func (p *pairs) number(s, t int32) int32 {
	pair := [2]int32{s, t}
	n, found := p.known[pair]
	if !found {
		n = p.build.State(false)
		p.known[pair] = n
		p.pairs = append(p.pairs, pair)
	}
	return n
}

// alone adds to pair n the transitions of one side's state that the other side does not take part in.
func (p *pairs) alone(n int32, of *Automaton, s int32, together func(uint32) bool, number func(target int32) int32) {
	labels, targets := of.Out(s)
	for i, l := range labels {
		if !together(l) {
			p.build.Transition(n, l, number(targets[i]))
		}
	}
}

// jointly adds to pair n the transitions that both sides take.
func (p *pairs) jointly(n int32, a, b *Automaton, together func(uint32) bool) {
	al, at := a.Out(p.pairs[n][0])
	bl, bt := b.Out(p.pairs[n][1])
	for i, j := 0, 0; i < len(al) && j < len(bl); i++ {
		for j < len(bl) && bl[j] < al[i] {
			j++
		}
		for k := j; k < len(bl) && bl[k] == al[i] && together(al[i]); k++ {
			p.build.Transition(n, al[i], p.number(at[i], bt[k]))
		}
	}
}
