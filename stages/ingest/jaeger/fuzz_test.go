package jaeger

import (
	"testing"

	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// FuzzRead reads any text.
func FuzzRead(f *testing.F) {
	var seeds []string
	for _, c := range forms {
		seeds = append(seeds, c.text)
	}
	readertest.FuzzSpans(f, Format(), seeds...)
}
