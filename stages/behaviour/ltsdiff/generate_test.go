package ltsdiff

import (
	"math/rand"
	"slices"
	"testing"
)

// raw is an automaton that can be changed.
type raw struct {
	accepting   []bool // state 0 is initial
	transitions []Transition
}

// cmi is loops of fragments through state 0: about 1.07 transitions a state, an alphabet of 20 labels and
// two of each fragment.
func cmi(rng *rand.Rand, states int) raw {
	a := raw{accepting: []bool{true}}
	for fragment := uint32(0); len(a.accepting) < states; fragment++ {
		from, label := int32(0), 1000+fragment
		for range min(4+rng.Intn(22), states-len(a.accepting)) {
			to := a.state(false)
			a.transitions = append(a.transitions, Transition{from, label, to})
			from, label = to, uint32(rng.Intn(20))
		}
		a.transitions = append(a.transitions, Transition{from, 500000 + fragment, 0})
	}
	return a
}

func (a *raw) state(accepting bool) int32 {
	a.accepting = append(a.accepting, accepting)
	return int32(len(a.accepting) - 1)
}

// rnd is a random deterministic automaton, all states accepting: three transitions a state, an alphabet of 10.
func rnd(rng *rand.Rand, states int) raw {
	a := raw{accepting: make([]bool, states)}
	for s := range states {
		a.accepting[s] = true
		for _, label := range rng.Perm(10)[:3] {
			a.transitions = append(a.transitions, Transition{int32(s), uint32(label), int32(rng.Intn(states))})
		}
	}
	return a
}

// mutated renames, splits, adds and moves transitions: one change for every 20 states.
func mutated(rng *rand.Rand, a raw) raw {
	b := raw{slices.Clone(a.accepting), slices.Clone(a.transitions)}
	for i := range max(1, len(a.accepting)/20) {
		t := &b.transitions[rng.Intn(len(b.transitions))]
		switch fresh := uint32(1000000*(1+len(a.transitions)) + i); rng.Intn(5) {
		case 0:
			t.Label = fresh
		case 1, 2:
			s := int32(len(b.accepting))
			last := Transition{s, fresh, t.Target}
			t.Target = s
			b.state(b.accepting[last.Target])
			b.transitions = append(b.transitions, last)
		case 3:
			t.Target = int32(rng.Intn(len(b.accepting)))
		case 4:
			b.transitions = append(b.transitions, Transition{t.Source, fresh, int32(rng.Intn(len(b.accepting)))})
		}
	}
	return b
}

// shuffled gives states other numbers and transitions another order.
func shuffled(rng *rand.Rand, a raw) (b raw, initial int32) {
	place := rng.Perm(len(a.accepting))
	b = raw{make([]bool, len(a.accepting)), slices.Clone(a.transitions)}
	for s, p := range place {
		b.accepting[p] = a.accepting[s]
	}
	for i := range b.transitions {
		t := &b.transitions[i]
		t.Source, t.Target = int32(place[t.Source]), int32(place[t.Target])
	}
	rng.Shuffle(len(b.transitions), func(i, j int) {
		b.transitions[i], b.transitions[j] = b.transitions[j], b.transitions[i]
	})
	return b, int32(place[0])
}

func (a raw) automaton(t testing.TB, first int32) *Automaton {
	initial := make([]bool, len(a.accepting))
	initial[first] = true
	return automaton(t, initial, a.accepting, a.transitions)
}

// generated is a pair of automata that differ as two versions of a program do.
func generated(t testing.TB, kind func(*rand.Rand, int) raw, states int, seed int64) (left, right *Automaton) {
	return apart(t, kind, states, 1, seed)
}

// apart is a pair that many versions lie between.
func apart(t testing.TB, kind func(*rand.Rand, int) raw, states, versions int, seed int64) (left, right *Automaton) {
	rng := rand.New(rand.NewSource(seed))
	a := kind(rng, states)
	b := a
	for range versions {
		b = mutated(rng, b)
	}
	b, first := shuffled(rng, b)
	return a.automaton(t, 0), b.automaton(t, first)
}
