package otf1

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// corpus is a trace of n events in so many streams, of calls as programs make them, a message in every eighth.
func corpus(n, streams int) map[string]string {
	files := make(map[string]string)
	var master, definitions bytes.Buffer
	definitions.WriteString("DTR950428de\nDPG1NM\"world\"\n")
	for i := range 300 {
		if i%4 == 0 {
			fmt.Fprintf(&definitions, "DFG%xNM\"unit_%d\"\n", i/4+1, i/4)
		}
		fmt.Fprintf(&definitions, "DF%xG%xNM\"function_%d\"\n", i+1, i/4+1, i)
	}
	for id := 1; id <= streams; id++ {
		fmt.Fprintf(&master, "%x:%x\n", id, id)
		fmt.Fprintf(&definitions, "DP%xNM\"process %d\"\n", id, id)
		files[fmt.Sprintf("t.%x.events", id)] = stack(n/streams, id, streams)
	}
	files["t.otf"], files["t.0.def"] = master.String(), definitions.String()
	return files
}

// stack is a stream of calls.
func stack(n, id, streams int) string {
	var out bytes.Buffer
	rng := rand.New(rand.NewPCG(1, uint64(id)))
	tick, depth := uint64(1<<30), 0
	for i := range n {
		tick += 1 + rng.Uint64N(2000)
		fmt.Fprintf(&out, "%x\n*%x\n", tick, id)
		if depth > 0 && (depth > 20 || rng.IntN(2) == 0) {
			if i%8 == 0 {
				fmt.Fprintf(&out, "R%xL8T1C1\n", (id+streams-2)%streams+1)
			}
			out.WriteString("L\n")
			depth--
			continue
		}
		fmt.Fprintf(&out, "E%x\n", 1+rng.IntN(300))
		depth++
		if i%8 == 0 {
			fmt.Fprintf(&out, "S%xL8T1C1\n", id%streams+1)
		}
	}
	return out.String()
}

func benchmark(b *testing.B, streams int) {
	files := corpus(1_000_000, streams)
	fsys, size := folder(files), 0
	for _, text := range files {
		size += len(text)
	}
	b.SetBytes(int64(size))
	readertest.Benchmark(b, Format(), func() *schema.Reading { return readertest.Reading(fsys, "t.otf") }, 0)
}

func BenchmarkRead(b *testing.B) {
	for _, streams := range []int{1, 16} {
		b.Run(fmt.Sprintf("streams=%d", streams), func(b *testing.B) { benchmark(b, streams) })
	}
}
