package automata

import (
	"fmt"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/testdata/wordtest"
)

func BenchmarkBuilder(b *testing.B) {
	for _, stock := range []int{10, 100, 1000, 10_000} {
		ev := wordtest.Synthetic(2_000_000, stock)
		b.Run(fmt.Sprintf("words=%d", stock), func(b *testing.B) {
			for b.Loop() {
				builder, led := NewBuilder(ev.Names), new(schema.Ledger)
				builder.Add(ev, led)
				m := builder.Model(led)
				b.ReportMetric(float64(len(builder.tree.nodes)), "nodes")
				b.ReportMetric(float64(len(m.Transitions)), "transitions")
			}
			b.ReportMetric(float64(len(ev.Seq)*b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
