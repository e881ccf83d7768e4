package claims

import (
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestPlaces finds numbers that are dense, sparse, and the least and the greatest there are, as a map does.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 3))
	for _, width := range []int64{1, 40, 3000, 1 << 40} {
		at, numbers := make(map[int64]int), []int64{}
		for range 200 {
			if n := r.Int64N(width) - width/2; at[n] == 0 {
				numbers = append(numbers, n)
				at[n] = len(numbers)
			}
		}
		p := newPlaces(numbers)
		for _, n := range append([]int64{-1 << 63, 1<<63 - 1, -width, width}, numbers...) {
			got, found := p.find(n)
			expect.Equal(t, found, at[n] > 0, "width %d: %d is there", width, n)
			if found {
				expect.Equal(t, got, at[n]-1, "place of %d", n)
			}
		}
		order := p.inOrder()
		expect.Equal(t, len(order), len(numbers), "places in order")
		for i := range order[1:] {
			expect.Equal(t, numbers[order[i]] < numbers[order[i+1]], true, "width %d: ascending", width)
		}
	}
	var none places
	if _, found := none.find(0); found || len(none.inOrder()) > 0 {
		t.Error("an empty list has a place")
	}
}
