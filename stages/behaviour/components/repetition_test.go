package components

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
)

// cheapest is the cost of the best representation of a word, found from the top down.
func cheapest(word []int, known map[string]int) int {
	key := fmt.Sprint(word)
	if cost, found := known[key]; found || len(word) == 1 {
		return max(cost, 1)
	}
	best := len(word)
	for d := 1; d < len(word); d++ {
		best = min(best, cheapest(word[:d], known)+cheapest(word[d:], known))
		if len(word)%d == 0 && slices.Equal(word, slices.Repeat(word[:d], len(word)/d)) {
			best = min(best, cheapest(word[:d], known)+1)
		}
	}
	known[key] = best
	return best
}

// written is the word that a term stands for, and how many letters and repetitions it has.
func (r term) written(word []int) (out []int, cost int) {
	switch {
	case r.letter >= 0:
		return []int{word[r.letter]}, 1
	case r.repeated != nil:
		once, c := r.repeated.written(word)
		return slices.Repeat(once, r.count), c + 1
	}
	for _, s := range r.sequence {
		w, c := s.written(word)
		out, cost = append(out, w...), cost+c
	}
	return out, cost
}

// TestShortest compares the representations of random words with the best there are.
func TestShortest(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	known := make(map[string]int)
	for range 3000 {
		word := make([]int, 1+rng.Intn(14))
		for i := range word {
			word[i] = rng.Intn(2 + rng.Intn(2))
		}
		got, cost := minimumRepresentation(word).written(word)
		if want := cheapest(word, known); !slices.Equal(got, word) || cost != want {
			t.Fatalf("%v is represented as %v at a cost of %d, want %d", word, got, cost, want)
		}
	}
}

// TestLongWords represents words that are too long for one piece.
func TestLongWords(t *testing.T) {
	word := slices.Repeat([]int{1, 2, 3}, maxWordLength)
	got, cost := minimumRepresentation(word).written(word)
	if !slices.Equal(got, word) || cost > 80 {
		t.Errorf("%d letters at a cost of %d", len(got), cost)
	}
}
