package language_test

import (
	"math/rand"
	"slices"
	"testing"

	. "github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/testdata/expect"
)

// nthFromLast accepts the words over 0 and 1 whose n-th label from the end is 0. The smallest deterministic automaton of
// this language has 2 to the n states, for it must know the last n labels.
func nthFromLast(n int) *Automaton {
	b := new(Builder)
	at := b.State(false)
	b.Initial(at)
	b.Transition(at, 0, at)
	b.Transition(at, 1, at)
	for i := range n {
		next := b.State(i == n-1)
		b.Transition(at, 0, next)
		if i > 0 {
			b.Transition(at, 1, next)
		}
		at = next
	}
	return b.Automaton()
}

func TestManySets(t *testing.T) {
	a := nthFromLast(11)
	d := Minimise(a)
	expect.Equal(t, d.States(), 1<<11, "states")
	if !Equal(a, d) || !Included(a, d) || !Included(d, a) || Equal(a, nthFromLast(10)) || Included(d, nthFromLast(10)) {
		t.Error("equality or inclusion is wrong of many sets")
	}
}

// TestIncluded compares inclusion with an empty difference, where b is nearly a and so inclusion is a close thing.
func TestIncluded(t *testing.T) {
	rng := rand.New(rand.NewSource(9))
	included := 0
	for range 3000 {
		a, c := random(rng, 2), random(rng, 2)
		b := Union(a, c)
		if n := b.States(); n > 0 {
			b.Accepting[rng.Intn(n)] = rng.Intn(2) == 0
		}
		if m := b.Transitions(); m > 0 {
			b.Target[rng.Intn(m)] = int32(rng.Intn(b.States()))
		}
		b = shuffled(rng, b) // sorts the transitions again
		got := Included(a, b)
		if want := Minimise(Difference(a, b)).States() == 0; got != want {
			t.Fatalf("%v of %s and %s", got, show(a), show(b))
		}
		if got {
			included++
		}
	}
	if included < 1000 || included > 2900 {
		t.Errorf("%d of 3000 are included: not a close thing", included)
	}
}

// TestTrim checks that no state is left that no word can use.
func TestTrim(t *testing.T) {
	rng := rand.New(rand.NewSource(10))
	for range 500 {
		a := random(rng, 3)
		trim := Trim(a)
		wellMade(t, trim)
		for s := range trim.Accepting {
			from, to := *trim, *trim
			from.Initial = []int32{int32(s)}
			to.Accepting = make([]bool, trim.States())
			to.Accepting[s] = true
			if Minimise(&from).States() == 0 || Minimise(&to).States() == 0 {
				t.Fatalf("%s: of no use is %d in %s", show(a), s, show(trim))
			}
		}
	}
}

// TestShuffle composes automata that share nothing, though their labels are the same ones: a word is accepted where its
// labels can be dealt out to both.
func TestShuffle(t *testing.T) {
	rng := rand.New(rand.NewSource(11))
	for range 40 {
		a, b := random(rng, 2), random(rng, 2)
		p := Product(a, b, nil)
		for _, w := range words(2, 5) {
			dealt := false
			for deal := range 1 << len(w) {
				var left, right []uint32
				for i, l := range w {
					if deal>>i&1 == 0 {
						left = append(left, l)
					} else {
						right = append(right, l)
					}
				}
				dealt = dealt || reads(a, left) && reads(b, right)
			}
			if reads(p, w) != dealt {
				t.Fatalf("%s beside %s: %v of %v", show(a), show(b), !dealt, w)
			}
		}
	}
}

func TestIdentical(t *testing.T) {
	a := nthFromLast(3)
	for what, change := range map[string]func(a *Automaton){
		"accepting": func(a *Automaton) { a.Accepting[0] = true },
		"initial":   func(a *Automaton) { a.Initial[0] = 1 },
		"first":     func(a *Automaton) { a.First[1]-- },
		"label":     func(a *Automaton) { a.Label[0]++ },
		"target":    func(a *Automaton) { a.Target[0]++ },
	} {
		b := &Automaton{Accepting: slices.Clone(a.Accepting), Initial: slices.Clone(a.Initial), First: slices.Clone(a.First),
			Label: slices.Clone(a.Label), Target: slices.Clone(a.Target)}
		if !Identical(a, b) || a.Hash() != b.Hash() {
			t.Fatal("a copy is not identical")
		}
		if change(b); Identical(a, b) || a.Hash() == b.Hash() {
			t.Errorf("%s makes no difference", what)
		}
	}
}
