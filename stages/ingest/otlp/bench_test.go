package otlp

import (
	"testing"

	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// requests makes traces of a client and a server in each of six services, with ten attributes a span.
func requests(n int) sample {
	names := []string{"checkout", "cart", "payment", "user", "stock", "mail"}
	var s sample
	groups := make([]sampleGroup, len(names))
	for i, name := range names {
		groups[i] = sampleGroup{service: name, instance: name + "-pod", scopes: make([][]sampleSpan, 1)}
	}
	for trace := range n {
		for i := range names {
			for half := range 2 {
				x := sampleSpan{id: uint64(2*i + half + 1), parent: uint64(2*i + half), name: "GET /" + names[i], kind: 2 + half, attributes: 10}
				x.trace[0], x.trace[1], x.trace[2] = byte(trace), byte(trace>>8), byte(trace>>16)+1
				x.start = 1_700_000_000_000_000_000 + uint64(trace*1000+20*i+10*half)
				x.end = x.start + uint64(500-40*i-20*half)
				groups[i].scopes[0] = append(groups[i].scopes[0], x)
			}
		}
		if trace%64 == 63 || trace == n-1 { // as a collector's batches
			for i := range groups {
				s.groups = append(s.groups, groups[i])
				groups[i].scopes = make([][]sampleSpan, 1)
			}
		}
	}
	return s
}

// 10,000 requests of 12 spans, which are two events each.
func BenchmarkProtobuf(b *testing.B) {
	readertest.BenchmarkText(b, Format(), requests(10_000).protobuf())
}

func BenchmarkJSON(b *testing.B) {
	readertest.BenchmarkText(b, Format(), []byte(requests(10_000).text(0)))
}
