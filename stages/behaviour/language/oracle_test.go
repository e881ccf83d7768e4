package language_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	. "github.com/tracelake/tracelake/stages/behaviour/language"
)

// TestAgainstWords compares every operation with the same one on the sets of short words.
func TestAgainstWords(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 50 {
		a, b := random(rng, 2), random(rng, 2)
		in, other := language(a), language(b)
		for name, c := range map[string]struct {
			got  *Automaton
			want func(i int) bool
		}{
			"Determinise":  {Determinise(a), func(i int) bool { return in[i] }},
			"Minimise":     {Minimise(a), func(i int) bool { return in[i] }},
			"Trim":         {Trim(a), func(i int) bool { return in[i] }},
			"Union":        {Union(a, b), func(i int) bool { return in[i] || other[i] }},
			"Intersect":    {Intersect(a, b), func(i int) bool { return in[i] && other[i] }},
			"Product, all": {Product(a, b, []uint32{1, 0}), func(i int) bool { return in[i] && other[i] }},
			"Difference":   {Difference(a, b), func(i int) bool { return in[i] && !other[i] }},
			"Complement":   {Complement(a, []uint32{0, 1, Tau}), func(i int) bool { return !in[i] }},
		} {
			wellMade(t, c.got)
			for i, w := range short {
				if reads(c.got, w) != c.want(i) {
					t.Fatalf("%s of %s and %s is wrong of %v: %s", name, show(a), show(b), w, show(c.got))
				}
			}
		}
		for i, w := range short {
			if a.Accepts(w...) != in[i] {
				t.Fatalf("%s: Accepts is wrong of %v", show(a), w)
			}
		}
		if got, want := Equal(a, b), slices.Equal(in, other); got != want {
			t.Fatalf("Equal says %v of %s and %s", got, show(a), show(b))
		}
		if got, want := Included(a, b), !anyOf(in, other); got != want {
			t.Fatalf("Included says %v of %s and %s", got, show(a), show(b))
		}
	}
}

// anyOf reports whether a word is in the first set and not in the second.
func anyOf(in, other []bool) bool {
	for i := range in {
		if in[i] && !other[i] {
			return true
		}
	}
	return false
}

// TestHiding compares hiding and projecting with taking the labels out of the words.
func TestHiding(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	all := words(2, 7)
	for range 60 {
		a := random(rng, 2)
		hidden, projected := HideLabels(a, []uint32{1}), Project(a, []uint32{0})
		wellMade(t, hidden)
		for _, w := range all {
			left := slices.DeleteFunc(slices.Clone(w), func(l uint32) bool { return l == 1 })
			if reads(a, w) && (!reads(hidden, left) || !reads(projected, left)) {
				t.Fatalf("%s: %v without 1 is lost", show(a), w)
			}
		}
		for length := range 4 { // every accepted word must have a cause; a path longer than 7 may be one
			w := make([]uint32, length)
			caused := slices.ContainsFunc(all, func(v []uint32) bool {
				return slices.Equal(slices.DeleteFunc(slices.Clone(v), func(l uint32) bool { return l == 1 }), w) && reads(a, v)
			})
			if reads(hidden, w) && !caused && !longer(a, w) {
				t.Fatalf("%s: nothing leads to %v", show(a), w)
			}
			if reads(hidden, w) != reads(projected, w) {
				t.Fatalf("%s: hiding 1 is not keeping 0", show(a))
			}
		}
	}
}

// longer reports whether a word with the label 1 put in anywhere is accepted: the intersection with 1* w1 1* w2 ... 1*.
func longer(a *Automaton, w []uint32) bool {
	b := new(Builder)
	at := b.State(len(w) == 0)
	b.Initial(at)
	b.Transition(at, 1, at)
	for i, l := range w {
		next := b.State(i == len(w)-1)
		b.Transition(at, l, next)
		b.Transition(next, 1, next)
		at = next
	}
	return Trim(Intersect(a, b.Automaton())).States() > 0
}

func TestPrefixClose(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for range 100 {
		a := random(rng, 2)
		begins, closed := map[string]bool{}, PrefixClose(a)
		for i, in := range language(a) { // a continuation needs at most as many labels as there are states
			for n := 0; in && n <= len(short[i]); n++ {
				begins[fmt.Sprint(short[i][:n])] = true
			}
		}
		for _, w := range words(2, 3) {
			if reads(closed, w) != begins[fmt.Sprint(w)] {
				t.Fatalf("%s: %v is wrong", show(a), w)
			}
		}
	}
}

// TestProduct compares the synchronous composition with its definition: a word is accepted where its projections on the
// labels of either side are. Label 0 is shared, 1 is of the left side and 2 of the right.
func TestProduct(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	all := words(3, 6)
	only := func(w []uint32, not uint32) []uint32 {
		return slices.DeleteFunc(slices.Clone(w), func(l uint32) bool { return l == not })
	}
	for range 40 {
		a, c := random(rng, 2), random(rng, 2)
		b := new(Builder) // c with 2 in place of 1
		for _, accepting := range c.Accepting {
			b.State(accepting)
		}
		for _, s := range c.Initial {
			b.Initial(s)
		}
		for i, s := range c.Source() {
			l := c.Label[i]
			if l == 1 {
				l = 2
			}
			b.Transition(s, l, c.Target[i])
		}
		right := b.Automaton()
		p := Product(a, right, []uint32{0})
		for _, w := range all {
			if got, want := reads(p, w), reads(a, only(w, 2)) && reads(right, only(w, 1)); got != want {
				t.Fatalf("%s with %s: %v of %v", show(a), show(right), got, w)
			}
		}
	}
}

// TestMinimal compares the number of states with that of the different sets of continuations (Myhill and Nerode), found by
// merging states until none can be, as by hand.
func TestMinimal(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	for range 500 {
		a := random(rng, 3)
		got, d := Minimise(a), Trim(Determinise(a))
		wellMade(t, got)
		if !got.Deterministic() {
			t.Fatalf("not deterministic: %s", show(got))
		}
		var kinds []*Automaton
		for s := range d.Accepting {
			from := *d
			from.Initial = []int32{int32(s)}
			if !slices.ContainsFunc(kinds, func(k *Automaton) bool { return sameByPairs(k, &from) }) {
				kinds = append(kinds, &from)
			}
		}
		if got.States() != len(kinds) {
			t.Fatalf("%s: %d states for %d sets of continuations", show(a), got.States(), len(kinds))
		}
	}
}

// sameByPairs compares deterministic automata by visiting all pairs of states that a word reaches.
func sameByPairs(a, b *Automaton) bool {
	type pair struct{ x, y int32 }
	step := func(a *Automaton, s int32, l uint32) int32 {
		if s < 0 {
			return -1
		}
		labels, targets := a.Out(s)
		if i := slices.Index(labels, l); i >= 0 {
			return targets[i]
		}
		return -1
	}
	queue := []pair{{a.Initial[0], b.Initial[0]}}
	seen := map[pair]bool{queue[0]: true}
	for i := 0; i < len(queue); i++ {
		p := queue[i]
		if (p.x >= 0 && a.Accepting[p.x]) != (p.y >= 0 && b.Accepting[p.y]) {
			return false
		}
		for l := range uint32(3) {
			if next := (pair{step(a, p.x, l), step(b, p.y, l)}); !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return true
}
