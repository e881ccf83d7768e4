package samples_test

import (
	"fmt"
	"testing"

	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/behaviour/testdata/wordtest"
)

func BenchmarkReplayer(b *testing.B) {
	for _, stock := range []int{10, 100, 1000, 10_000} {
		ev := wordtest.Synthetic(2_000_000, stock)
		m := learn(ev)
		b.Run(fmt.Sprintf("words=%d", stock), func(b *testing.B) {
			for b.Loop() {
				r, err := samples.NewReplayer(ev.Names, m.Transitions)
				if err != nil {
					b.Fatal(err)
				}
				r.Start(r.Ranges(0)[0])
				if err := r.Add(ev); err != nil {
					b.Fatal(err)
				}
				if _, err := r.Finish(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(ev.Seq)*b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
