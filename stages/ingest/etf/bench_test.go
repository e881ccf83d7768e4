package etf

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// large is a text of so many claims on 20 resources, in files' usual order, six dependencies to seven claims.
func large(claims int) []byte {
	var b bytes.Buffer
	b.WriteString("TU MICROSECONDS\nO 0\nT \n")
	for r := range 20 {
		fmt.Fprintf(&b, "R %d 100.0 false;name=resource %d\n", r, r)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for c := range claims {
		at := float64(c)*1.5 + random.Float64()
		fmt.Fprintf(&b, "C %d %.3f %.3f %d 100.0;name=%c,id=%d\n", c, at, at+10+10*random.Float64(), c%20, 'A'+rune(c%26), c/20)
		if c%7 != 0 {
			fmt.Fprintf(&b, "D %d 2 %d %d;\n", c, c-1, c)
		}
	}
	return b.Bytes()
}

// BenchmarkRead reads a million claims in 1 GB, which is enough for all. Blocks are discarded.
func BenchmarkRead(b *testing.B) { readertest.BenchmarkText(b, Format(), large(1_000_000)) }
