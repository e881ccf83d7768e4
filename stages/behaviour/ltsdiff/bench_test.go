package ltsdiff

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// BenchmarkCompare matches, merges and rewrites pairs of which 5 % is mutated: sparse ones (1.07 transitions a
// state) and dense ones (3 transitions a state). gLTSdiff 1.1.0 needs 17 to 21 and 49 s of CPU time for those
// of 3,000 states, with its local scores, and 30 s for 1,000 sparse states with its global ones.
func BenchmarkCompare(b *testing.B) {
	for _, c := range []struct {
		name   string
		kind   func(*rand.Rand, int) raw
		states int
		match  string
	}{
		{"sparse", cmi, 3000, "fast"},
		{"dense", rnd, 3000, "fast"},
		{"sparse", cmi, 100000, "fast"},
		{"sparse", cmi, 1000, "walkinshaw"},
		{"sparse", cmi, 1000, "heavyweight"},
		{"sparse", cmi, 3000, "lightweight"},
		{"dense", rnd, 3000, "lightweight"},
	} {
		b.Run(fmt.Sprintf("%s/%d/%s", c.name, c.states, c.match), func(b *testing.B) {
			l, r := generated(b, c.kind, c.states, 1)
			b.ReportAllocs()
			for b.Loop() {
				d := expect.Value(Compare(algorithm(b, c.match), l, r))(b)
				b.ReportMetric(float64(d.Count(Unchanged)), "unchanged")
			}
		})
	}
}

func algorithm(t testing.TB, name string) Matcher {
	for _, a := range Algorithms {
		if a.Name == name {
			return a.Match
		}
	}
	t.Fatal("no algorithm ", name)
	return nil
}
