package samples_test

import (
	"fmt"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/behaviour/testdata/wordtest"
	"github.com/tracelake/tracelake/testdata/expect"
)

func BenchmarkReplayer(b *testing.B) {
	for _, stock := range []int{10, 100, 1000, 10_000} {
		ev := wordtest.Synthetic(2_000_000, stock)
		m := learn(ev)
		b.Run(fmt.Sprintf("words=%d", stock), func(b *testing.B) {
			for b.Loop() {
				r := expect.Value(samples.NewReplayer(ev.Names, m.Transitions))(b)
				r.Start(r.Ranges(0)[0])
				expect.OK(b, r.Add(ev))
				out := schema.NewSamples(ev.Names)
				expect.OK(b, r.Finish(out, func() error { schema.Reset(out); return nil }))
				r.Close()
			}
			b.ReportMetric(float64(len(ev.Seq)*b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
