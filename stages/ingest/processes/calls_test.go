package processes

import (
	"math/rand/v2"
	"testing"
)

// TestCallTable compares the cache with a map.
func TestCallTable(t *testing.T) {
	var cache callCache
	plain := make(map[Call]uint32)
	rng := rand.New(rand.NewPCG(6, 6))
	for i := range uint32(20000) {
		c := Call{Address: rng.Uint64N(300) * 16, Thread: rng.Int32N(20), Named: rng.IntN(2) == 0}
		key, ok := cache.find(c)
		if want, there := plain[c]; ok != there || key != want {
			t.Fatalf("%+v: %d %v, not %d %v", c, key, ok, want, there)
		}
		if !ok {
			plain[c] = i
			cache.add(c, i)
		}
	}
}
