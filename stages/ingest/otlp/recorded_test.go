package otlp

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// recorded says of each sample how many spans a second reader counted in it, and what is lost of them.
var recorded = []struct {
	name   string
	spans  int
	losses map[string]int64
}{
	{"jaeger-otel_traces_01.json", 4, map[string]int64{"crossing_call": 2, "missing_parent": 4}},
	{"jaeger-otlp2jaeger-in.json", 1, map[string]int64{"duplicate_execution": 1, "missing_parent": 1}},
	{"opentelemetry-proto-example-trace.json", 1, map[string]int64{"missing_parent": 1}},
}

func TestRecorded(t *testing.T) {
	folder := readertest.ThirdParty(t, "otlp")
	for _, c := range recorded {
		text := readertest.Load(t, filepath.Join(folder, c.name))
		got, err := read(map[string]string{c.name: string(text)}, schema.Reading{})
		if err != nil || !Detect(text) || got.Enters != c.spans || got.Exits != c.spans || !maps.Equal(got.Losses, c.losses) {
			t.Errorf("%s: detected %v, %d enters, %d exits, losses %v: %v", c.name, Detect(text), got.Enters, got.Exits, got.Losses, err)
			for _, e := range got.Events {
				t.Log(e)
			}
		}
	}
}
