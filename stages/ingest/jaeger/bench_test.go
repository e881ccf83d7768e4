package jaeger

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// requests writes traces of 11 spans in the API form, indented as Jaeger's own tools do it, one document each.
func requests(n int) []byte {
	var b bytes.Buffer
	tags := strings.TrimSuffix(strings.Repeat(`
                        {
                            "key": "internal.span.format",
                            "type": "string",
                            "value": "proto"
                        },`, 6), ",")
	for trace := range n {
		var list []string
		for i := range 11 {
			kind, process, start := []string{"client", "server"}[i%2], (i+1)/2+1, 1_700_000_000_000_000+trace*100+i
			list = append(list, fmt.Sprintf(`
                {
                    "traceID": "%016x",
                    "spanID": "%016x",
                    "flags": 1,
                    "operationName": "/service.Service/Operation%d",
                    "references": [
                        {
                            "refType": "CHILD_OF",
                            "traceID": "%016x",
                            "spanID": "%016x"
                        }
                    ],
                    "startTime": %d,
                    "duration": %d,
                    "tags": [
                        {
                            "key": "span.kind",
                            "type": "string",
                            "value": "%s"
                        },%s
                    ],
                    "logs": [],
                    "processID": "p%d",
                    "warnings": null
                }`, trace+1, i+1, i, trace+1, i, start, 30-2*i, kind, tags, process))
		}
		fmt.Fprintf(&b, "{\n    \"data\": [\n        {\n            \"traceID\": \"%016x\",\n            \"spans\": [%s\n            ],\n            \"processes\": {", trace+1, strings.Join(list, ","))
		for p := 1; p <= 6; p++ {
			fmt.Fprintf(&b, `"p%d": {"serviceName": "service%d", "tags": [{"key": "hostname", "type": "string", "value": "h%d"}]},`, p, p, p)
		}
		b.WriteString("\"p7\": {}}}]}\n")
	}
	return b.Bytes()
}

func BenchmarkRead(b *testing.B) { readertest.BenchmarkText(b, Format(), requests(2000)) }
