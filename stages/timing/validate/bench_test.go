package validate_test

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/validate"
)

// synthetic makes n events and the constraints that derive gives, on 50 interleaved lifelines with 200 functions each, few of
// which run most of the time.// Every fourth event receives a message.
func synthetic(n int) (*schema.Events, *schema.Constraints) {
	rng := rand.New(rand.NewSource(1))
	ev := schema.NewEvents()
	c := schema.NewConstraints(ev.Names)
	var open [50][]schema.Code
	var last [50]int64
	for i := range 50 {
		ev.Names.Components.Code(fmt.Sprint("component", i))
		ev.Names.Lifelines.Code(fmt.Sprint("component", i))
		last[i] = schema.NoValue
	}
	for i := range 200 {
		ev.Names.Functions.Code(fmt.Sprint("function", i))
	}
	schema.Extend(ev, n)
	for i := range n {
		on, kind := rng.Intn(50), schema.Enter
		if d := len(open[on]); d > 0 && (d == 12 || rng.Intn(100) >= 48) {
			kind, ev.Function[i], open[on] = schema.Exit, open[on][d-1], open[on][:d-1]
		} else {
			ev.Function[i] = schema.Code(min(rng.ExpFloat64()*30, 199))
			open[on] = append(open[on], ev.Function[i])
		}
		ev.Seq[i], ev.TimeNs[i], ev.Kind[i] = int64(i), int64(i)*100, kind
		ev.Component[i], ev.Lifeline[i] = schema.Code(on), schema.Code(on)
		if last[on] >= 0 {
			tie(c, last[on], i, on, schema.OnLifeline)
		}
		if last[on] = int64(i); i%4 == 3 {
			tie(c, int64(i-3), i, on, schema.ByMessage)
		}
	}
	return ev, c
}

func tie(c *schema.Constraints, source int64, target, on int, kind schema.ConstraintKind) {
	schema.Extend(c, 1)
	i := len(c.Target) - 1
	c.Target[i], c.Source[i], c.Kind[i], c.Component[i] = int64(target), source, kind, schema.Code(on)
	c.DurationNs[i], c.SlackNs[i] = (int64(target)-source)*100, 0
}

func BenchmarkBuilder(b *testing.B) {
	ev, c := synthetic(2_000_000)
	const step = 1 << 13 // rows at a time
	for b.Loop() {
		v := validate.NewBuilder(ev.Names)
		next := 0
		for from := 0; from < len(c.Target); from += step {
			to := min(from+step, len(c.Target))
			for !v.Reaches(c.Target[to-1]) {
				v.AddEvents(ev, next, min(next+step, len(ev.Seq)))
				next += step
			}
			v.AddConstraints(c, from, to)
		}
		if found := v.Violations(); len(found) == 0 {
			b.Fatal("no call was left open")
		}
	}
	b.ReportMetric(float64(len(ev.Seq)*b.N)/b.Elapsed().Seconds(), "events/s")
}
