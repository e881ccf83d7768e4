package zipkin

import (
	"testing"

	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// FuzzRead reads any text.
func FuzzRead(f *testing.F) {
	readertest.FuzzSpans(f, Format(),
		`[[{"traceId": "1", "id": "2", "kind": "CLIENT", "timestamp": 1, "duration": 9, "localEndpoint": {"serviceName": "a", "ipv4": "1.2.3.4"}},
		{"traceId": "1", "id": "2", "shared": true, "timestamp": 2, "localEndpoint": {"serviceName": "b", "ipv6": "::1"}, "annotations": [{"timestamp": 5, "value": "x"}]}]]`,
		`{"traceId": "1", "id": "2", "annotations": [{"timestamp": 1, "value": "cs"}, {"value": "sr", "endpoint": {"serviceName": "b"}}], "binaryAnnotations": [{"key": "error", "value": true}]} {"traceId": "1", "id": "2", "parentId": "2", "kind": "PRODUCER", "timestamp": 9223372036854775807} {"traceId": "1", "id": "3"`,
	)
}
