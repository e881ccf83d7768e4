package ctf

import (
	"math/rand"
	"testing"
)

// TestThreadTable does to a table of threads what it does to a map, with small numbers of threads and great ones, of two hosts.
func TestThreadTable(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	var table threadTable
	all := make(map[tidKey]threadEntry)
	for i := range 100_000 {
		k := tidKey{uint32(rng.Intn(2)), uint64(rng.Intn(5000))}
		if rng.Intn(4) == 0 {
			k.tid = maxPaged - 2 + uint64(rng.Intn(4))
		}
		switch rng.Intn(3) {
		case 0:
			all[k] = threadEntry{number: int32(i), pid: uint64(i), known: true}
			table.put(k, threadEntry{number: int32(i), pid: uint64(i)})
		case 1:
			delete(all, k)
			table.remove(k)
		}
		want, is := all[k]
		if got, known := table.find(k); known != is || got != want {
			t.Fatalf("thread %+v is %+v, %v; want %+v, %v", k, got, known, want, is)
		}
	}
}
