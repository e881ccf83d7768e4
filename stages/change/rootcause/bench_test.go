package rootcause

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkFind takes the size of a large machine: 3,000 fragments with 18,000 transitions, and many faults.
func BenchmarkFind(b *testing.B) {
	for _, faults := range []int{6, 300} {
		r := rand.New(rand.NewPCG(1, 4))
		base := tree(r, 3000)
		for name, w := range base.functions {
			w.own = append(append(w.own, w.own...), 1*us)
			base.functions[name] = w
		}
		cand, _ := faulty(r, base, faults, func() float64 { return 1.6 })
		s := compare(base, cand)
		b.Run(fmt.Sprintf("faults=%d", faults), func(b *testing.B) {
			found := 0
			for b.Loop() {
				found = len(Find(s, defaults()))
			}
			b.ReportMetric(float64(found), "findings")
			b.ReportMetric(float64(len(s)), "subjects")
		})
	}
}
