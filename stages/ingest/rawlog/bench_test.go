package rawlog

import (
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// BenchmarkBinary reads a million records of five threads whose times step back a little between them.
func BenchmarkBinary(b *testing.B) {
	benchmark(b, toBinary(random(rand.New(rand.NewPCG(1, 1)), 1<<20, 3)))
}

// BenchmarkText reads them as text.
func BenchmarkText(b *testing.B) {
	benchmark(b, []byte(random(rand.New(rand.NewPCG(1, 1)), 1<<20, 3)))
}

// BenchmarkChunks reads them as a tracer with a buffer for each thread writes them.
func BenchmarkChunks(b *testing.B) {
	benchmark(b, []byte(random(rand.New(rand.NewPCG(1, 1)), 1<<20, 50_000)))
}

func benchmark(b *testing.B, log []byte) {
	b.SetBytes(int64(len(log)))
	readertest.Benchmark(b, Format(), func() *schema.Reading {
		reading := readingOf(log)
		reading.Memory = 256 << 20
		return reading
	}, 0)
}
