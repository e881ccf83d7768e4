package language_test

import (
	"math/rand"
	"slices"
	"testing"

	. "github.com/tracelake/tracelake/stages/behaviour/language"
)

// TestLaws holds the operations to the laws of sets.
func TestLaws(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	alphabet := []uint32{0, 1, 2}
	for range 200 {
		a, b, c := random(rng, 3), random(rng, 3), random(rng, 3)
		for law, sides := range map[string][2]*Automaton{
			"union commutes":         {Union(a, b), Union(b, a)},
			"union is idempotent":    {Union(a, a), a},
			"intersection commutes":  {Intersect(a, b), Intersect(b, a)},
			"absorption":             {Intersect(a, Union(a, b)), a},
			"distribution":           {Intersect(a, Union(b, c)), Union(Intersect(a, b), Intersect(a, c))},
			"De Morgan":              {Complement(Union(a, b), alphabet), Intersect(Complement(a, alphabet), Complement(b, alphabet))},
			"two complements":        {Complement(Complement(a, alphabet), alphabet), a},
			"difference":             {Difference(a, b), Intersect(a, Complement(b, alphabet))},
			"parts":                  {Union(Difference(a, b), Intersect(a, b)), a},
			"hiding in steps":        {HideLabels(HideLabels(a, []uint32{0}), []uint32{2}), HideLabels(a, []uint32{2, 0})},
			"closing twice":          {PrefixClose(PrefixClose(a)), PrefixClose(a)},
			"composing in any order": {Product(a, b, []uint32{1}), Product(b, a, []uint32{1})},
		} {
			x, y := sides[0], sides[1]
			if !Equal(x, y) || !Included(x, y) || !Included(y, x) || !Identical(Minimise(x), Minimise(y)) || Minimise(x).Hash() != Minimise(y).Hash() {
				t.Fatalf("%s does not hold: %s and %s", law, show(x), show(y))
			}
		}
		if got, want := Included(a, b), Minimise(Difference(a, b)).States() == 0; got != want {
			t.Fatalf("inclusion and difference disagree: %s and %s", show(a), show(b))
		}
		if got, want := Equal(a, b), Identical(Minimise(a), Minimise(b)); got != want {
			t.Fatalf("equality and minimal automata disagree: %s and %s", show(a), show(b))
		}
	}
}

// TestNumbering checks that neither the numbers of states nor the way that an automaton was made count.
func TestNumbering(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	for range 500 {
		a := random(rng, 3)
		b := shuffled(rng, a)
		if x, y := Minimise(a), Minimise(b); !Identical(x, y) || !Identical(x, Minimise(x)) {
			t.Fatalf("%s: numbered %s and %s", show(a), show(x), show(y))
		}
		if x := Minimise(a); !slices.IsSorted(firstMet(x)) {
			t.Fatalf("not breadth-first: %s", show(x))
		}
	}
}

// firstMet lists the states of an automaton in the order in which a search meets them.
func firstMet(a *Automaton) (order []int32) {
	order = slices.Clone(a.Initial)
	for _, t := range a.Target {
		if !slices.Contains(order, t) {
			order = append(order, t)
		}
	}
	return order
}

// TestLeavesOperands checks that no operation writes into what it is given.
func TestLeavesOperands(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	for range 100 {
		a, b := random(rng, 3), random(rng, 3)
		before, other := show(a), show(b)
		for _, f := range []func(){
			func() { Minimise(a) }, func() { Union(a, b) }, func() { Product(a, b, a.Alphabet()) }, func() { PrefixClose(a) },
			func() { HideLabels(a, []uint32{1}) }, func() { Difference(a, b) }, func() { Equal(a, b) }, func() { Included(a, b) },
			func() { Shared(a, b) },
		} {
			f()
		}
		if show(a) != before || show(b) != other {
			t.Fatalf("%s became %s", before, show(a))
		}
	}
}

// TestEmpty takes all operations to the edge.
func TestEmpty(t *testing.T) {
	none, b := new(Automaton), new(Builder)
	b.Initial(b.State(true))
	emptyWord := b.Automaton()
	if none.Accepts() || !emptyWord.Accepts() || emptyWord.Accepts(1) {
		t.Error("the empty word is not accepted as it should be")
	}
	if Equal(none, emptyWord) || !Equal(none, Difference(emptyWord, emptyWord)) || !Included(none, emptyWord) || Included(emptyWord, none) {
		t.Error("nothing and the empty word are taken for each other")
	}
	for _, a := range []*Automaton{Minimise(none), Determinise(none), Union(), Intersect(none, emptyWord), Complement(emptyWord, nil), PrefixClose(none)} {
		if Minimise(a).States() != 0 {
			t.Errorf("%s is not empty", show(a))
		}
	}
	if got := Shared(none, emptyWord); len(got) != 0 || len(none.Alphabet()) != 0 {
		t.Errorf("labels %v from nowhere", got)
	}
}
