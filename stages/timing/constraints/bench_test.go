package constraints_test

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// ladder makes a run of n events on a few dozen components that nest calls three deep, every fourth of which a message
// of another component starts.
func ladder(n int) *tables {
	ev := schema.NewEvents()
	r := &tables{events: ev, messages: schema.NewMessages(ev.Names)}
	schema.Extend(ev, n)
	const components = 40
	for c := range schema.Code(components) {
		ev.Names.Components.Code(string(rune('a' + c)))
		ev.Names.Lifelines.Code(string(rune('a' + c)))
		ev.Names.Functions.Code(string(rune('f' + c)))
	}
	ev.Names.Messages.Code("m")
	schema.Extend(r.messages, n/4)
	for i := range n {
		c := schema.Code(i % components)
		step := i / components % 6
		ev.Seq[i], ev.TimeNs[i], ev.Component[i], ev.Lifeline[i] = int64(i), int64(i)*100, c, c
		ev.Kind[i], ev.Function[i] = schema.Kind(step/3), schema.Code(min(step, 5-step))
		if i%4 == 3 && i/4 < n/4 {
			m, k := r.messages, i/4
			m.SendSeq[k], m.ReceiveSeq[k], m.SendNs[k], m.ReceiveNs[k] = int64(i-3), int64(i), int64(i-3)*100, int64(i)*100
			m.Sender[k], m.Receiver[k] = ev.Component[i-3], c
		}
	}
	return r
}

// BenchmarkBuilder derives the constraints of a million events and a quarter of a million messages.
func BenchmarkBuilder(b *testing.B) {
	const n = 1 << 20
	r := ladder(n)
	for _, bounds := range []constraints.Bounds{constraints.Paper, constraints.PPS} {
		b.Run(string(bounds), func(b *testing.B) {
			out, led := schema.NewConstraints(r.events.Names), new(schema.Ledger)
			b.ReportAllocs()
			for range b.N {
				x := constraints.NewBuilder(r.events.Names, constraints.Options{Bounds: bounds, DefaultNs: 15000}, nil)
				x.AddComponents(r.events.Component)
				x.AddMessages(r.messages)
				x.Start()
				schema.Truncate(out, 0)
				x.Add(r.events, out, led)
				x.Finish(led)
			}
			expect.Equal(expect.Must(b), len(out.Target), n-40+n/4, "constraints")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/event")
		})
	}
}
