package zipkin

import (
	"bytes"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// Format describes Zipkin's traces, version 2.
func Format() schema.Format {
	return schema.Format{
		Name:       "zipkin",
		Doc:        "Zipkin v2 spans, JSON; several files",
		Remarks:    "as otlp",
		Components: spans.Components(),
		Endings:    []string{".json"},
		IsFile:     Detect,
		FindIn:     spans.FilesOf(Detect),
		Several:    true,
		NewReader:  func(r *schema.Reading) schema.Reader { return spans.NewReader(r, parse) },
	}
}

// Detect reports whether a file that begins with head holds traces of Zipkin: whether the first object has both a traceId
// and an id.
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
