package babeltrace

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// Format describes the text that babeltrace2 prints of a CTF trace.
func Format() schema.Format {
	return schema.Format{
		Name:       "babeltrace",
		Doc:        "the text of babeltrace2",
		Remarks:    "clock seconds or times of day",
		Components: processes.Components(),
		Attributes: true,
		IsFile:     Detect,
		NewReader:  newReader,
	}
}
