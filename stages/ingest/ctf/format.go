package ctf

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// Format describes CTF 1.8 and CTF 2. A trace is a folder with a file metadata; a run may have several, such as those of the kernel
// and of user space.
func Format() schema.Format {
	return schema.Format{
		Name:       "ctf",
		Doc:        "Common Trace Format 1.8 and 2 (LTTng): a folder with metadata; function and begin-end events",
		Remarks:    "any metadata; functions, system calls, ROS 2 callbacks and `x_begin`/`x_end` pairs; wakers, TCP and topics as messages; what the tracer lost is reported",
		Components: processes.Components(),
		Endings:    []string{".ctf"},
		IsFile:     isPart,
		Folder:     true,
		// The metadata of every trace have one name.
		CommonNames: []string{metadataFile},
		FindIn:      DetectFolder,
		Several:     true,
		Attributes:  true,
		NewReader:   func(r *schema.Reading) schema.Reader { return newReader(r) },
	}
}
