package jaeger

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// Format describes Jaeger's traces.
func Format() schema.Format {
	return schema.Format{
		Name:       "jaeger",
		Doc:        "Jaeger spans, JSON; several files",
		Remarks:    "as otlp",
		Components: spans.Components(),
		Endings:    []string{".json"},
		IsFile:     Detect,
		FindIn:     spans.FilesOf(Detect),
		Several:    true,
		NewReader:  func(r *schema.Reading) schema.Reader { return spans.NewReader(r, parse) },
	}
}
