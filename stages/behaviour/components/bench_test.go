package components_test

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/testdata/expect"
)

// BenchmarkBuilder learns the models of a random trace of few lifelines with many different words.
func BenchmarkBuilder(b *testing.B) {
	tr := traceOf(slices.Concat(randomWords(rand.New(rand.NewSource(1)), 40_000)...))
	states := 0
	for b.Loop() {
		set := expect.Value(tr.builder(b, components.Options{}).Set(new(schema.Ledger)))(b)
		states = 0
		for _, m := range set.Models {
			states += m.States()
		}
	}
	b.ReportMetric(float64(len(tr.events.Seq)*b.N)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(states), "states")
}
