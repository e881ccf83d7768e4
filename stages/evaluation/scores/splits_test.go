package scores_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/evaluation/scores"
	"github.com/tracelake/tracelake/testdata/expect"
)

// The numbers of splits are n! / (k! k! (n-2k)! 2).
func TestSplits(t *testing.T) {
	for _, c := range []struct{ n, k, most, want int }{
		{10, 5, 126, 126}, {10, 5, 125, 125}, {10, 3, 5000, 2100}, {10, 3, 50, 50}, {6, 3, 100, 10}, {6, 3, 15, 10}, {4, 1, 100, 6}, {5, 3, 100, 0}, {6, 0, 10, 0},
	} {
		all := scores.Splits(c.n, c.k, c.most)
		expect.Equal(t, len(all), c.want, "splits of %+v", c)
		seen, swapped := make(map[string]bool), 0
		for _, s := range all {
			if len(s.Base) != c.k || len(s.Cand) != c.k || !slices.IsSorted(s.Base) || !slices.IsSorted(s.Cand) {
				t.Fatalf("%+v: %v", c, s)
			}
			if s.Base[0] > s.Cand[0] {
				s.Base, s.Cand = s.Cand, s.Base
				swapped++
			}
			both := slices.Sorted(slices.Values(slices.Concat(s.Base, s.Cand)))
			if len(slices.Compact(both)) != 2*c.k || both[0] < 0 || both[2*c.k-1] >= c.n || seen[fmt.Sprint(s)] {
				t.Fatalf("%+v: %v, seen %v", c, s, seen[fmt.Sprint(s)])
			}
			seen[fmt.Sprint(s)] = true
		}
		expect.Equal(t, swapped, c.want/2, "%+v: splits with the first run on the candidate side", c)
		expect.Equal(t, fmt.Sprint(scores.Splits(c.n, c.k, c.most)), fmt.Sprint(all), "%+v: at the second time", c)
	}
}
