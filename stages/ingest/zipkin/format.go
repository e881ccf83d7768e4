package zipkin

import (
	"github.com/tracelake/tracelake/schema"
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
