package claimorder

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/timing/timesort"
	"github.com/tracelake/tracelake/testdata/expect"
)

// randomClaims are some claims with ties, claims of no length and few keys.
func randomClaims(r *rand.Rand) *Claims {
	c := new(Claims)
	keys := 1 + r.IntN(4)
	for range r.IntN(12) {
		from := r.Int64N(10)
		c.Key, c.StartNs, c.EndNs = append(c.Key, uint32(r.IntN(keys))), append(c.StartNs, from), append(c.EndNs, from+r.Int64N(4))
	}
	for range r.IntN(4) {
		c.Events = append(c.Events, uint32(r.IntN(2)))
	}
	return c
}

// definition is the order of claims, pair by pair, and its reduction by the definition: no claim lies between.
func definition(c *Claims, members []int32, full bool) (pairs [][2]int32) {
	before := func(a, b int32) bool {
		return c.EndNs[a] > c.StartNs[a] && c.EndNs[b] > c.StartNs[b] && c.EndNs[a] <= c.StartNs[b]
	}
	for _, a := range members {
		for _, b := range members {
			if !before(a, b) || !full && slices.ContainsFunc(members, func(m int32) bool { return before(a, m) && before(m, b) }) {
				continue
			}
			pairs = append(pairs, [2]int32{a, b})
		}
	}
	return pairs
}

// text is a graph as the sorted words of its vertices and edges.
func text(c *Claims, members []int32, events []uint32, full bool) map[string]int {
	words := make(map[string]int)
	for _, i := range members {
		words[fmt.Sprint("s", c.Key[i])]++
		words[fmt.Sprint("e", c.Key[i])]++
	}
	for _, e := range events {
		words[fmt.Sprint("event", e)]++
	}
	for _, p := range definition(c, members, full) {
		words[fmt.Sprint(c.Key[p[0]], "->", c.Key[p[1]])]++
	}
	return words
}

// TestDistanceOracle compares distances with the multisets of Definition 20, and sees that the shares of claims add up.
func TestDistanceOracle(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 3))
		a, b := randomClaims(r), randomClaims(r)
		for _, full := range []bool{false, true} {
			one, other := text(a, timesort.Everything(len(a.Key)), a.Events, full), text(b, timesort.Everything(len(b.Key)), b.Events, full)
			d, common, size := int64(0), int64(0), int64(0)
			for w, n := range one {
				common += int64(min(n, other[w]))
				size += int64(n)
				d += int64(max(n-other[w], 0))
			}
			for w, n := range other {
				size += int64(n)
				d += int64(max(n-one[w], 0))
			}
			got := expect.Value(Compare(a, b, full))(t)
			expect.Deep(t, []int64{got.D(), got.Common, got.Size[0].Vertices + got.Size[0].Edges + got.Size[1].Vertices + got.Size[1].Edges},
				[]int64{d, common, size}, "seed %d, full %v", seed, full)
			counted := expect.Value(compare(a, b, full, -1))(t)
			expect.Deep(t, []int64{counted.Vertices, counted.Edges, counted.Common}, []int64{got.Vertices, got.Edges, got.Common}, "seed %d, full %v: edges counted together", seed, full)
			from, to, vertices := int64(0), int64(0), int64(0)
			for run := range got.Claims {
				for _, s := range got.Claims[run] {
					from, to, vertices = from+int64(s.From), to+int64(s.To), vertices+int64(s.Vertices)
				}
				for _, more := range got.Events[run] {
					if more {
						vertices++
					}
				}
			}
			expect.Deep(t, []int64{from, to, vertices}, []int64{got.Edges, got.Edges, got.Vertices}, "seed %d, full %v: shares of claims", seed, full)
			same := expect.Value(Compare(a, a, full))(t)
			expect.Deep(t, []float64{float64(same.D()), same.F()}, []float64{0, 1}, "seed %d: distance to itself", seed)
			shifted := *a
			shifted.StartNs, shifted.EndNs = nil, nil
			for i := range a.StartNs {
				shifted.StartNs, shifted.EndNs = append(shifted.StartNs, a.StartNs[i]+1e9), append(shifted.EndNs, a.EndNs[i]+1e9)
			}
			expect.Equal(t, expect.Value(Compare(&shifted, b, full))(t).D(), got.D(), "seed %d: a clock that is shifted", seed)
		}
	}
}

// TestClassesOracle: items have one class if and only if their graphs are the same, whether they are items of one run or of two.
func TestClassesOracle(t *testing.T) {
	alike := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 4))
		classes := &Classes{Full: r.IntN(2) == 0}
		var all []uint32
		var words []map[string]int
		for range 2 {
			c := randomClaims(r)
			of, items := Items{OfClaims: make([]uint32, len(c.Key)), OfEvents: make([]uint32, len(c.Events))}, 4
			members, events := make([][]int32, items), make([][]uint32, items)
			for i := range of.OfClaims {
				n := r.IntN(items + 1)
				if of.OfClaims[i] = NoItem; n < items {
					of.OfClaims[i] = uint32(n)
					members[n] = append(members[n], int32(i))
				}
			}
			for i := range of.OfEvents {
				n := r.IntN(items)
				of.OfEvents[i] = uint32(n)
				events[n] = append(events[n], c.Events[i])
			}
			all = append(all, classes.Of(c, of, items)...)
			for i := range items {
				words = append(words, text(c, members[i], events[i], classes.Full))
			}
		}
		for i := range all {
			for j := range i {
				same := fmt.Sprint(words[i]) == fmt.Sprint(words[j])
				if expect.Equal(t, all[i] == all[j], same, "seed %d: items %d and %d", seed, i, j); same && len(words[i]) > 2 {
					alike++
				}
			}
		}
	}
	if alike < 100 {
		t.Errorf("only %d pairs of items are alike", alike)
	}
}

// TestBehaviours: the most frequent class comes first, of equal ones that of the first item.
func TestBehaviours(t *testing.T) {
	expect.Deep(t, Behaviours([]uint32{7, 3, 3, 9}), []Behaviour{{3, []int32{1, 2}}, {7, []int32{0}}, {9, []int32{3}}}, "classes")
}

// TestTooLarge: an order that would take hours is refused, the full one by its attributes, and the reduced one by its edges between claims of different
// attributes. As many edges between claims of one attribute are counted together.
func TestTooLarge(t *testing.T) {
	const half = 1 << 18
	c := new(Claims)
	for i := range int64(half) {
		c.Key, c.StartNs, c.EndNs = append(c.Key, uint32(i)), append(c.StartNs, i), append(c.EndNs, i+1)
	}
	_, err := Compare(c, c, true)
	expect.Refused(t, err, "the full order takes 137438953472 steps", "error")
	// All claims of the first half end before all of the second half start.
	different, alike := new(Claims), new(Claims)
	for i := range uint32(2*half + 1) {
		start := int64(2 * (i / half))
		if i == 2*half {
			start = 2
		}
		for _, c := range []*Claims{different, alike} {
			c.StartNs, c.EndNs = append(c.StartNs, start), append(c.EndNs, start+1)
		}
		different.Key, alike.Key = append(different.Key, i), append(alike.Key, i/half%2)
	}
	alike.Key[2*half] = 1
	_, err = Compare(different, different, false)
	expect.Refused(t, err, "the order has 68719738880 edges between claims of different attributes, and at most 68719476736 are compared: compare by fewer attributes", "error")
	d := expect.Value(Compare(alike, alike, false))(t)
	expect.Equal(t, d.Size[0].Edges, int64(half*(half+1)), "edges")
	expect.Equal(t, d.Vertices+d.Edges, 0, "what differs of equal runs")
}
