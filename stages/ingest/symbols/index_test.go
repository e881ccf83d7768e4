package symbols

import (
	"math/rand/v2"
	"testing"
)

// TestIndex compares with a map, on addresses that collide.
func TestIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var x Index
	want := make(map[uint64]uint32)
	for n := range 200_000 {
		address := uint64(rng.IntN(3000)) << (32 * uint64(rng.IntN(2)))
		if n%70_000 == 69_999 {
			x.Clear()
			clear(want)
		}
		if rng.IntN(3) == 0 {
			x.Set(address, uint32(n))
			want[address] = uint32(n)
		}
		value, found := x.Find(address)
		if w, ok := want[address]; value != w || found != ok {
			t.Fatalf("step %d: %d, %v; want %d, %v", n, value, found, w, ok)
		}
	}
}
