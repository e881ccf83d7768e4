package jaeger

import (
	"bytes"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// Format describes Jaeger's traces.
func Format() schema.Format {
	format := spans.Format("jaeger", "Jaeger spans, JSON; several files",
		"as otlp", []string{".json"}, Detect, parse)
	format.Attributes = true
	return format
}

// Detect reports whether a file that begins with head holds traces of Jaeger: whether the first span has one of the names
// that only Jaeger gives, or a list of processes stands before the spans.
// The names are compared with their case: traceID is Jaeger's, while traceId is Zipkin's and OTLP's.
func Detect(head []byte) bool {
	j := jsontext.New(bytes.NewReader(head), "")
	found := false
	var member func(name []byte) error
	value := func() error { return spans.Record(j, member) }
	member = func(name []byte) error {
		switch string(name) {
		case "operationName", "traceID", "spanID":
			found = j.Kind() == jsontext.String
		case "data", "spans", "hits":
			if j.Kind() == jsontext.Array {
				return j.Array(value)
			}
			return value()
		case "_source":
			return value()
		}
		if found {
			return io.EOF
		}
		return nil
	}
	value()
	return found
}

// parse reads a file.
func parse(c *spans.Collector, in io.Reader, file string) error {
	return newReader(c, jsontext.New(in, file)).read()
}
