package readertest

import (
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
)

// Benchmark reads traces over and over, throws the blocks away, and reports events a second. A reading is made anew
// each time. Want is the number of events that a reading must have, 0 for any.
func Benchmark(b *testing.B, format schema.Format, reading func() *schema.Reading, want int) {
	b.Helper()
	b.ReportAllocs()
	total := 0
	for b.Loop() {
		// One block for all, so that the reader's allocations show and not those of who takes the blocks.
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

// BenchmarkText reads a trace of one file over and over with a GiB of memory, and reports bytes and events a second.
func BenchmarkText(b *testing.B, format schema.Format, text []byte) {
	b.Helper()
	b.SetBytes(int64(len(text)))
	fsys := fstest.MapFS{"trace": {Data: text}}
	Benchmark(b, format, func() *schema.Reading {
		return &schema.Reading{
			Traces: []schema.Trace{{FS: fsys, Path: "trace"}}, Memory: 1 << 30, Ledger: new(schema.Ledger),
			Scratch: func() (schema.Scratch, error) { return new(Memory), nil },
		}
	}, 0)
}
