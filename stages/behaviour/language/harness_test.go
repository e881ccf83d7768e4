package language_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	. "github.com/tracelake/tracelake/stages/behaviour/language"
)

// random makes a small automaton over the labels below letters, with silent steps and several initial states.
func random(rng *rand.Rand, letters int) *Automaton {
	b := new(Builder)
	n := rng.Intn(6)
	for range n {
		b.State(rng.Intn(3) == 0)
	}
	if n == 0 {
		return b.Automaton()
	}
	for range 1 + rng.Intn(2) {
		b.Initial(int32(rng.Intn(n)))
	}
	for range rng.Intn(3 * n) {
		label := uint32(rng.Intn(letters))
		if rng.Intn(6) == 0 {
			label = Tau
		}
		b.Transition(int32(rng.Intn(n)), label, int32(rng.Intn(n)))
	}
	return b.Automaton()
}

// reads reports whether an automaton accepts a word, by trying all paths: it follows the definition and nothing else.
func reads(a *Automaton, word []uint32) bool {
	type place struct {
		state int32
		read  int
	}
	seen, stack := map[place]bool{}, []place{}
	visit := func(p place) {
		if !seen[p] {
			seen[p] = true
			stack = append(stack, p)
		}
	}
	for _, s := range a.Initial {
		visit(place{s, 0})
	}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if p.read == len(word) && a.Accepting[p.state] {
			return true
		}
		labels, targets := a.Out(p.state)
		for i, l := range labels {
			switch {
			case l == Tau:
				visit(place{targets[i], p.read})
			case p.read < len(word) && word[p.read] == l:
				visit(place{targets[i], p.read + 1})
			}
		}
	}
	return false
}

// words are all words over the labels below letters up to a length.
func words(letters, length int) (all [][]uint32) {
	all = [][]uint32{nil}
	for from := 0; length > 0; length-- {
		to := len(all)
		for _, w := range all[from:to] {
			for l := range letters {
				all = append(all, append(slices.Clone(w), uint32(l)))
			}
		}
		from = to
	}
	return all
}

var short = words(2, 8)

// language is the set of the short words that an automaton accepts. Two small automata that differ mostly do so there.
func language(a *Automaton) []bool {
	in := make([]bool, len(short))
	for i, w := range short {
		in[i] = reads(a, w)
	}
	return in
}

// show writes an automaton out.
func show(a *Automaton) string {
	var b strings.Builder
	fmt.Fprintf(&b, "initial %v", a.Initial)
	for s := range a.Accepting {
		fmt.Fprintf(&b, "; %d accepting %v:", s, a.Accepting[s])
		labels, targets := a.Out(int32(s))
		for i, l := range labels {
			fmt.Fprintf(&b, " %d->%d", int32(l), targets[i])
		}
	}
	return b.String()
}

// wellMade fails unless an automaton has the form that its type promises.
func wellMade(t *testing.T, a *Automaton) {
	t.Helper()
	if a.States() > 0 && (len(a.First) != a.States()+1 || int(a.First[a.States()]) != a.Transitions()) || !slices.IsSorted(a.Initial) {
		t.Fatalf("malformed: %v", a)
	}
	for s := range a.Accepting {
		labels, targets := a.Out(int32(s))
		for i := 1; i < len(labels); i++ {
			if labels[i] < labels[i-1] || labels[i] == labels[i-1] && targets[i] <= targets[i-1] {
				t.Fatalf("transitions out of order: %s", show(a))
			}
		}
	}
}

// shuffled numbers the states of an automaton in another order.
func shuffled(rng *rand.Rand, a *Automaton) *Automaton {
	b, to := new(Builder), rng.Perm(a.States())
	for range to {
		b.State(false)
	}
	for s, accepting := range a.Accepting {
		if accepting {
			b.Accept(int32(to[s]))
		}
	}
	for _, s := range a.Initial {
		b.Initial(int32(to[s]))
	}
	for i, s := range a.Source() {
		b.Transition(int32(to[s]), a.Label[i], int32(to[a.Target[i]]))
	}
	return b.Automaton()
}
