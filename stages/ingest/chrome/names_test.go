package chrome

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestUnique compares names of lifelines, some of which look like numbered ones, with a table that keeps each of them.
func TestUnique(t *testing.T) {
	names := []string{"a", "a#2", "a#3", "a#02", "a#1", "a#2#2", "a#2#3", "a#", "#2", ""}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		short, last := newNames(), make(map[string]int)
		for range 40 {
			name := names[rng.IntN(len(names))]
			want, number := name, last[name]
			for last[want] > 0 {
				number++
				want = name + "#" + strconv.Itoa(number)
			}
			last[want], last[name] = max(last[want], 1), max(number, 1)
			expect.Equal(t, short.unique(name), want, "seed %d: %q", seed, name)
		}
	}
}
