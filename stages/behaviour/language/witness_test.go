package language_test

import (
	"math/rand"
	"slices"
	"testing"

	. "github.com/tracelake/tracelake/stages/behaviour/language"
)

// TestWitness holds the word to the definition, by trying words: it is the first, by length and then by labels, that one side reads and the other
// does not. There is none exactly where inclusion holds.
func TestWitness(t *testing.T) {
	rng := rand.New(rand.NewSource(9))
	ordered := slices.Clone(short)
	slices.SortFunc(ordered, func(x, y []uint32) int {
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		return slices.Compare(x, y)
	})
	none, empty, long := 0, 0, 0
	for range 20_000 {
		a, b := random(rng, 2), random(rng, 2)
		word, found := Witness(a, b)
		if found == Included(a, b) {
			t.Fatalf("a word is found: %v, included: %v: %s and %s", found, !found, show(a), show(b))
		}
		if !found {
			none++
			continue
		}
		if len(word) == 0 {
			empty++
		}
		if len(word) > 2 {
			long++
		}
		if !reads(a, word) || reads(b, word) {
			t.Fatalf("%v is no word of the first alone: %s and %s", word, show(a), show(b))
		}
		if i := slices.IndexFunc(ordered, func(w []uint32) bool { return reads(a, w) && !reads(b, w) }); i >= 0 && !slices.Equal(ordered[i], word) {
			t.Fatalf("found %v, the first word is %v: %s and %s", word, ordered[i], show(a), show(b))
		}
	}
	if none < 100 || empty < 100 || long < 50 {
		t.Errorf("%d pairs without a word, %d with the empty word, %d with a longer one", none, empty, long)
	}
}
