package chrome

import "github.com/tracelake/tracelake/schema"

// Words of ReadingOptions.Component.
const (
	byProcess  = "process"
	byThread   = "thread"
	byCategory = "category"
)

// Format describes the JSON of Chrome's trace events.
func Format() schema.Format {
	return schema.Format{
		Name:    "chrome",
		Doc:     "Chrome trace events, as Perfetto and speedscope open, JSON",
		Remarks: "all phases, flows as messages, files cut short",
		Components: []schema.ComponentWord{
			{Word: byProcess, Doc: "the process; by default only where there are several of different names"},
			{Word: byThread, Doc: "the thread; the default where there is one process, or all have one name"},
			{Word: byCategory, Doc: "the category of the event"},
		},
		Endings:   []string{".json"},
		IsFile:    Detect,
		NewReader: func(r *schema.Reading) schema.Reader { return &reader{reading: r, out: newOutput()} },
	}
}
