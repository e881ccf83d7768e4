package otf2

import (
	"io/fs"
	"path"

	"github.com/tracelake/tracelake/schema"
)

// Words of ReadingOptions.Component.
const (
	byFile     = "file"
	byProcess  = "process"
	byParadigm = "paradigm"
)

// Format describes OTF2. A trace is an archive, which its anchor file names.
func Format() schema.Format {
	return schema.Format{
		Name:    "otf2",
		Doc:     "Open Trace Format 2 (Score-P, EZTrace): the anchor file NAME.otf2",
		Remarks: "mapping tables, clock offsets of locations, MPI and thread messages; a damaged chunk costs that chunk",
		Clocks:  "process",
		Components: []schema.ComponentWord{
			{Word: byFile, Doc: "the source file of the region, and the process of regions without one; by default only where regions have different files"},
			{Word: byProcess, Doc: "the process of the location; the default where all regions have one file or none"},
			{Word: byParadigm, Doc: "the paradigm of the region, such as MPI or COMPILER"},
		},
		Endings:     []string{".otf2"},
		CommonNames: []string{"traces.otf2", "eztrace_log.otf2"},
		IsFile:      Detect,
		FindIn:      anchors,
		Anchor:      true,
		Attributes:  true,
		NewReader: func(r *schema.Reading) schema.Reader {
			return newReader(r)
		},
	}
}

// anchors lists the anchor files of a folder, by their names.
func anchors(fsys fs.FS, dir string) (traces []string) {
	traces, _ = fs.Glob(fsys, path.Join(dir, "*.otf2"))
	return traces
}
