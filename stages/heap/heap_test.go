package heap_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/heap"
)

type item struct{ key, number int }

func before(a, b item) bool { return a.key < b.key || a.key == b.key && a.number < b.number }

func order(a, b item) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.number, b.number)) }

// TestHeap pushes, pops, changes the first item and clears at random, and compares with a sorted slice.
func TestHeap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	h := heap.New(before)
	var want []item
	for number := range 5000 {
		switch action := random.IntN(16); {
		case action < 9 || len(want) == 0:
			x := item{random.IntN(50), number}
			h.Push(x)
			want = append(want, x)
		case action < 14:
			if got := h.Pop(); got != want[0] {
				t.Fatalf("step %d: got %v, want %v", number, got, want[0])
			}
			want = want[1:]
		case action < 15:
			h.First().key += random.IntN(50)
			want[0] = *h.First()
			h.FixFirst()
		case random.IntN(200) == 0:
			h.Clear()
			want = want[:0]
		}
		slices.SortFunc(want, order)
		if h.Len() != len(want) || len(want) > 0 && *h.First() != want[0] {
			t.Fatalf("step %d: %d items, want %d", number, h.Len(), len(want))
		}
	}
}
