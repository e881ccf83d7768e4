package criticalpath_test

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// TestCompositionSums adds up the shares of paths that lead over the same parts in any order, and takes them out in the order of Compare, also of
// parts whose names are the same.
func TestCompositionSums(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	for range 100 {
		names := new(schema.Names)
		for _, name := range []string{"b", "", "c", "a"} {
			names.Components.Code(name)
			names.Functions.Code(name)
			names.Messages.Code(name)
		}
		code := func() schema.Code { return []schema.Code{0, 1, 2, 3, schema.NoCode}[rng.Intn(5)] } // no name reads like an empty one
		parts := make([]window.Part, 1+rng.Intn(12))
		for i := range parts {
			parts[i] = window.Part{Component: code(), Function: code(), Sender: 0, Label: []schema.Code{0, 1, schema.NoCode}[rng.Intn(3)]}
		}
		var c criticalpath.Composition
		want := make([]map[criticalpath.Key]criticalpath.Sum, 3)
		for range rng.Intn(40) {
			group := uint32(rng.Intn(len(want)))
			shares := map[criticalpath.Key]criticalpath.Share{}
			for range 1 + rng.Intn(8) {
				k := criticalpath.Key{Part: uint32(rng.Intn(len(parts))), Category: schema.Category(rng.Intn(3)), Busy: schema.NoCode}
				if rng.Intn(3) == 0 {
					k.Busy, k.Category = schema.Code(rng.Intn(4)), schema.Contending
				}
				shares[k] = criticalpath.Share{Key: k, Steps: 1 + rng.Int63n(5), Ns: rng.Int63n(1000)}
			}
			var list []criticalpath.Share
			for k, s := range shares {
				list = append(list, s)
				if want[group] == nil {
					want[group] = map[criticalpath.Key]criticalpath.Sum{}
				}
				sum := want[group][k]
				want[group][k] = criticalpath.Sum{
					Key: k, Occurrences: sum.Occurrences + 1, Steps: sum.Steps + s.Steps, TotalNs: sum.TotalNs + s.Ns, MaxNs: max(sum.MaxNs, s.Ns),
				}
			}
			c.Add(group, list)
		}
		for group := range want {
			got := c.Sums(uint32(group), names, parts)
			if len(got) != len(want[group]) || !slices.IsSortedFunc(got, func(a, b criticalpath.Sum) int { return criticalpath.Compare(names, parts, a.Key, b.Key) }) {
				t.Fatalf("%d sums of %d, or in the wrong order: %+v of %+v", len(got), len(want[group]), got, parts)
			}
			for _, s := range got {
				if s != want[group][s.Key] {
					t.Fatalf("%+v, want %+v", s, want[group][s.Key])
				}
			}
		}
	}
}
