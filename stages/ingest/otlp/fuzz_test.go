package otlp

import (
	"maps"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// FuzzRead reads any bytes, in JSON or protobuf.
func FuzzRead(f *testing.F) {
	readertest.FuzzSpans(f, Format(), append(slices.Collect(maps.Values(random(1, 2, 3).encodings())),
		`{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "AAAAAAAAAAAAAAAAAAAAAQ==", "spanId": "1", "startTimeUnixNano": -5}]}]}]}`)...)
}
