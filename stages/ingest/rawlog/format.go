package rawlog

import "github.com/tracelake/tracelake/schema"

// Words of ReadingOptions.Component.
const (
	byUnit   = "unit"
	byModule = "module"
)

// Format describes the log that the recorder of this project writes, text or binary.
func Format() schema.Format {
	return schema.Format{
		Name:    "rawlog",
		Doc:     "logs of -finstrument-functions, text or binary; see ingest record",
		Remarks: "our recorder (`ingest record c`)",
		Components: []schema.ComponentWord{
			{Word: byUnit, Doc: "the source file of the function, which `--symbols` shows; the default with `--symbols`"},
			{Word: byModule, Doc: "the program or library that holds the function; the default without `--symbols`"},
		},
		IsFile:     Detect,
		NewGrowing: newGrowing,
		NewReader: func(r *schema.Reading) schema.Reader {
			// Names are given at the end, so the tables of the reader start empty.
			return &reader{reading: r, threads: make(map[uint32]*thread)}
		},
	}
}
