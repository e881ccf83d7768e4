package otf1

import "github.com/tracelake/tracelake/schema"

// Words of ReadingOptions.Component.
const (
	byGroup   = "group"
	byFile    = "file"
	byProcess = "process"
)

// Format describes OTF 1. A trace is the master file NAME.otf with the files of its streams beside it.
func Format() schema.Format {
	return schema.Format{
		Name:    "otf1",
		Doc:     "Open Trace Format 1 (VampirTrace): the file NAME.otf; also compressed streams .z",
		Remarks: "several streams, short and long words, unfinished `.z` streams",
		Clocks:  "process",
		Components: []schema.ComponentWord{
			{Word: byGroup, Doc: "the function group; by default only where the groups are the program's own, and not the tracer's or those of libraries"},
			{Word: byFile, Doc: "the source file of the function; the default where groups say nothing and there is one process"},
			{Word: byProcess, Doc: "the process; the default where groups say nothing and there are several, as in a run of MPI"},
		},
		Endings:   []string{".otf"},
		IsFile:    Detect,
		FindIn:    DetectFolder,
		Anchor:    true,
		NewReader: func(r *schema.Reading) schema.Reader { return newReader(r) },
	}
}
