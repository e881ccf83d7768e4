package table

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

const heading = "time,component,function,start/finish,message,id,type\n"

// corpus is n rows over 2000 names, a few of which make most rows.
func corpus(n int) []byte {
	var out bytes.Buffer
	rng := rand.New(rand.NewPCG(1, 2))
	popular := rand.NewZipf(rng, 1.2, 8, 1999)
	for i := range n {
		k := popular.Uint64()
		fmt.Fprintf(&out, "%d.%09d,lib_component_%d_c,Curl_function_%d,%s,%s,m%d,%s\n", i/1000000, rng.IntN(1e9), k%60, k,
			[]string{"start", "finish"}[i/2%2], "call", i/2, []string{"send", "receive"}[i%2])
	}
	return out.Bytes()
}

func BenchmarkTable(b *testing.B) {
	p, _ := open(b, heading, Options{})
	data, lines := corpus(20_000), 0
	var block schema.Block
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		block.Reset()
		p.Parse(data, &block)
		lines += len(block.TimeNs)
	}
	b.ReportMetric(float64(lines)/b.Elapsed().Seconds(), "lines/s")
}

func TestNoAllocationPerLine(t *testing.T) {
	p, _ := open(t, heading, Options{})
	data := append(corpus(1000), "\"1\",\"A\",f,start\nbad\nbad\n"...)
	var b schema.Block
	p.Parse(data, &b)
	got := testing.AllocsPerRun(10, func() {
		b.Reset()
		p.Parse(data, &b)
	})
	if got > 10 { // the first error of the block
		t.Errorf("%v allocations", got)
	}
}
