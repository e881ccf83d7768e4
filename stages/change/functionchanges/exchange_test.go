package functionchanges

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// Every exchange puts half of the runs of the smaller side on the other one, is another one, and keeps the sizes of the sides.
func TestExchange(t *testing.T) {
	for _, c := range []struct{ base, cand, most, want, moved int }{
		{3, 3, 20, 9, 1}, {4, 4, 100, 36, 2}, {5, 5, 20, 20, 2}, {5, 3, 20, 15, 1}, {10, 10, 20, 20, 5}, {1, 5, 20, 0, 0},
	} {
		seen := make(map[string]bool)
		for _, order := range (Design{Base: c.base}).Exchange(c.base+c.cand, c.most) {
			moved := 0
			for _, from := range order[:c.base] {
				moved += btoi(from >= c.base)
			}
			sorted := slices.Clone(order)
			slices.Sort(sorted)
			for i, from := range sorted {
				if i != from {
					t.Fatalf("%d against %d: %v is no order of the runs", c.base, c.cand, order)
				}
			}
			if moved != c.moved {
				t.Errorf("%d against %d: %d runs change sides, want %d", c.base, c.cand, moved, c.moved)
			}
			left := slices.Clone(order[:c.base])
			slices.Sort(left)
			key := ""
			for _, i := range left {
				key += string(rune('a' + i))
			}
			seen[key] = true
		}
		if len(seen) != c.want {
			t.Errorf("%d against %d: %d different exchanges, want %d", c.base, c.cand, len(seen), c.want)
		}
	}
}

// Runs change places within their blocks only.
func TestExchangeInBlocks(t *testing.T) {
	d := Design{Base: 4, Blocks: []int{7, 8, 9, 5, 9, 7, 8}}
	orders := d.Exchange(7, 20)
	if len(orders) != 3 {
		t.Fatalf("%d exchanges of one of three pairs", len(orders))
	}
	if strata := (Design{Base: 4, Blocks: []int{1, 1, 2, 2, 2, 2, 1, 1}}); len(strata.Exchange(8, 20)) != 6 {
		t.Errorf("%d exchanges of two of four pairs in two strata", len(strata.Exchange(8, 20)))
	}
	for _, order := range orders {
		for at, from := range order {
			if d.Blocks[at] != d.Blocks[from] {
				t.Errorf("%v puts a run of block %d in the place of one of block %d", order, d.Blocks[from], d.Blocks[at])
			}
		}
		if order[3] != 3 {
			t.Errorf("%v moves a run that has no partner", order)
		}
	}
}

// With runs exchanged the rule claims next to nothing, whatever differs between the sides.
func TestExchangedClaims(t *testing.T) {
	costs, claims := changed(21), 0
	d := Design{Base: 5}
	if found := foundIn(Judge(costs, d, Defaults())); len(found) != 2 {
		t.Fatalf("functions %v are found, want two", found)
	}
	orders := d.Exchange(9, 20)
	for _, order := range orders {
		exchanged := make([][]Cost, len(costs))
		for i, row := range costs {
			for _, from := range order {
				exchanged[i] = append(exchanged[i], row[from])
			}
		}
		claims += len(foundIn(Judge(exchanged, d, Defaults())))
	}
	if claims > 3 {
		t.Errorf("%d claims in %d exchanges", claims, len(orders))
	}
}

// A comparison with runs exchanged is that of the costs in their new order, to the bit, with blocks and without, and where functions
// are so small that on which side of the floor they are depends on the order of a sum.
func TestExchangedIsJudge(t *testing.T) {
	costs, rng := unchangedRuns(t), rand.New(rand.NewPCG(5, 2))
	for _, d := range []Design{{Base: 5}, {Base: 4}, {Base: 5, Blocks: []int{0, 1, 2, 3, 4, 0, 1, 2, 3, 4}}} {
		drawn := planted(rng, costs, 5, 0, .2)
		for _, found := range []bool{true, false} {
			o := Defaults()
			o.FoundOnly = found
			r := Judge(drawn, d, o)
			for _, order := range d.Exchange(10, 5) {
				rows := make([][]Cost, len(drawn))
				for i := range rows {
					rows[i] = Permuted(drawn[i], order)
				}
				want := Judge(rows, Design{Base: d.Base, Blocks: Permuted(d.Blocks, order)}, o)
				got := r.Exchanged(order, o)
				if got.Asked == 0 || !reflect.DeepEqual(got.Changes, want.Changes) || !reflect.DeepEqual(got.Factors, want.Factors) {
					t.Errorf("exchanged by %v: not what the costs in this order say", order)
				}
			}
		}
	}
}
