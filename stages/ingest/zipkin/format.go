package zipkin

import (
	"bytes"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// Format describes Zipkin's traces.
func Format() schema.Format {
	format := spans.Format("zipkin", "Zipkin spans, versions 1 and 2, JSON; several files",
		"as otlp", []string{".json"}, Detect, parse)
	format.Attributes = true
	return format
}

// Detect reports whether a file that begins with head holds traces of Zipkin: whether the first object has both a traceId
// and an id.
// The pair is Zipkin's alone: OTLP has traceId with spanId, Jaeger traceID, and an id of Chrome's events stands beside
// ph. A head may be cut off anywhere, so the errors of the reader are of no interest.
func Detect(head []byte) bool {
	j := jsontext.New(bytes.NewReader(head), "")
	trace, id := false, false
	member := func(name []byte) error {
		switch string(name) {
		case "traceId":
			trace = true
		case "id":
			id = j.Kind() == jsontext.String
		}
		if trace && id {
			return io.EOF
		}
		return nil
	}
	var value func() error
	value = func() error {
		if j.Kind() == jsontext.Array {
			return j.Array(value)
		}
		if err := spans.Record(j, member); err != nil {
			return err
		}
		return io.EOF // what stands behind the first object says nothing new
	}
	value()
	return trace && id
}
