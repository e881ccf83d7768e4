package otlp

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// Format describes OTLP traces, in JSON or protobuf.
func Format() schema.Format {
	return schema.Format{
		Name:       "otlp",
		Doc:        "OpenTelemetry spans, JSON or protobuf; several files",
		Remarks:    "a service is a component; calls between services are messages",
		Components: spans.Components(),
		Endings:    []string{".json", ".bin"},
		IsFile:     Detect,
		FindIn:     spans.FilesOf(Detect),
		Several:    true,
		NewReader:  func(r *schema.Reading) schema.Reader { return spans.NewReader(r, parse) },
	}
}
