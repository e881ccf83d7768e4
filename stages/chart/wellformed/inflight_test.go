package wellformed

import (
	"math/rand"
	"testing"
)

// The table is a map, whatever its size and however its entries collide.
func TestInflightIsAMap(t *testing.T) {
	type name struct {
		series uint32
		id     int64
	}
	rng := rand.New(rand.NewSource(8))
	table, want := newInflight(), map[name]int32{}
	for i := range int32(200_000) {
		n := name{uint32(rng.Intn(3)), int64(rng.Intn(1500)) << (40 * rng.Intn(2))}
		got, old, known := int32(0), int32(-1), false
		if old, known = want[n]; !known {
			old = -1
		}
		if rng.Intn(2) == 0 {
			got, want[n] = table.put(n.series, n.id, i), i
		} else {
			got = table.take(n.series, n.id)
			delete(want, n)
		}
		if got != old {
			t.Fatalf("step %d on %v: %d, want %d", i, n, got, old)
		}
	}
	seen := 0
	table.each(func(int32) { seen++ })
	if seen != len(want) || table.used != len(want) || len(table.slots) > 1<<14 {
		t.Errorf("%d entries, %d used of %d; want %d", seen, table.used, len(table.slots), len(want))
	}
}
