package numbering_test

import (
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/stages/numbering"
)

// Numbers numbers keys as a map does, few and many, close together and far apart.
func TestNumbers(t *testing.T) {
	for _, width := range []int64{1, 7, 100, 1 << 14, 1 << 62} {
		rng, table, want := rand.New(rand.NewSource(width)), new(numbering.Numbers), make(map[uint64]uint32)
		for range 20_000 {
			key := uint64(rng.Int63n(width)) << (8 * rng.Intn(2) * rng.Intn(4))
			number, known := want[key]
			if !known {
				number = uint32(len(want))
				want[key] = number
			}
			if got, isNew := table.Of(key); got != number || isNew == known {
				t.Fatalf("width %d: key %d has number %d, new: %t, want %d", width, key, got, isNew, number)
			}
		}
	}
}
