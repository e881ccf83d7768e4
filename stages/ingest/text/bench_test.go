package text

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// corpus is a trace of n lines over 2000 names, as common as those of a program: a few make most lines.
func corpus(n int, form string) []byte {
	var out bytes.Buffer
	rng := rand.New(rand.NewPCG(1, 2))
	popular := rand.NewZipf(rng, 1.2, 8, 1999)
	ns := int64(0)
	for i := range n {
		ns += rng.Int64N(200)
		k := popular.Uint64()
		fmt.Fprintf(&out, form, ns/textfield.Second, ns%textfield.Second, "lib_component_"+fmt.Sprint(k%60)+"_c", "><"[i/2%2],
			"Curl_function_"+fmt.Sprint(k), "!?"[i%2], "mr"[i/2%2], i/2)
	}
	return out.Bytes()
}

const piece = 1 << 20

func benchmark(b *testing.B, f schema.Format, data []byte) {
	p, lines := f.NewParser(), 0
	var block schema.Block
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		for rest := data; len(rest) > 0; {
			n := min(piece, len(rest))
			n = bytes.LastIndexByte(rest[:n], '\n') + 1
			block.Reset()
			p.Parse(rest[:n], &block)
			lines += len(block.TimeNs)
			rest = rest[n:]
		}
	}
	b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkThesis(b *testing.B) {
	benchmark(b, Thesis(), corpus(300_000, "%d.%09d %s %c %s %c%c%d\n"))
}

func BenchmarkThesisNanoseconds(b *testing.B) {
	benchmark(b, Thesis(), corpus(300_000, "17000000%02d%09d %s %c %s %c%c%d\n"))
}

func BenchmarkTmsctrace(b *testing.B) {
	benchmark(b, Tmsctrace(), corpus(300_000, "%d.%09d worker_1 %s %c %s %c%c%d\n"))
}

func BenchmarkTmsctraceInstants(b *testing.B) {
	benchmark(b, Tmsctrace(), corpus(300_000, "2023-11-14T22:13:%02d.%09dZ worker_1 %s %c %s %c%c%d\n"))
}
