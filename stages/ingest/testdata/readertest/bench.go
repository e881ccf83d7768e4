package readertest

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// Benchmark reads traces over and over, throws the blocks away, and reports events a second. A reading is made anew
// each time. Want is the number of events that a reading must have, 0 for any.
func Benchmark(b *testing.B, format schema.Format, reading func() *schema.Reading, want int) {
	b.Helper()
	b.ReportAllocs()
	total := 0
	for b.Loop() {
		block, events := new(schema.Block), 0
		err := format.NewReader(reading()).Read(func(full *schema.Block) (*schema.Block, error) {
			if full != nil {
				events += len(full.TimeNs)
				full.Reset()
			}
			return block, nil
		})
		if err != nil || want > 0 && events != want {
			b.Fatalf("%d events, want %d; %v", events, want, err)
		}
		total += events
	}
	b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "events/s")
}
