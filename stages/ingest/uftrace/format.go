package uftrace

import "github.com/tracelake/tracelake/schema"

// Words of ReadingOptions.Component.
const (
	byModule = "module"
	byUnit   = "unit"
)

// components are the words of both formats. The unit is the default where there are symbols.
var components = []schema.ComponentWord{
	{Word: byModule, Doc: "the program or library that holds the function; the default without `--symbols`"},
	{Word: byUnit, Doc: "the source file of the function, which `--symbols` shows; the default with `--symbols`"},
}

// Format describes the data folder that uftrace records.
func Format() schema.Format {
	return schema.Format{
		Name:       "uftrace",
		Doc:        "uftrace: its data folder",
		Remarks:    "threads, fork, exec; lost records",
		Components: components,
		Endings:    []string{".data"},
		FindIn:     DetectFolder,
		NewReader:  func(r *schema.Reading) schema.Reader { return &reader{reading: r} },
	}
}

// StreamFormat describes what uftrace record --host sends.
func StreamFormat() schema.Format {
	return schema.Format{
		Name:       "uftrace-stream",
		Doc:        "what uftrace record --host sends, as ingest --follow uftrace: records it",
		Remarks:    "the files of the data folder, in messages",
		Components: components,
		IsFile:     DetectStream,
		NewReader:  func(r *schema.Reading) schema.Reader { return &reader{reading: r, sent: true} },
	}
}

// DumpFormat describes what the command uftrace dump prints.
func DumpFormat() schema.Format {
	return schema.Format{
		Name:       "uftrace-dump",
		Doc:        "the text of uftrace dump",
		Remarks:    "the same calls as the data folder; modules and programs are not in the text",
		Components: components,
		Endings:    []string{".dump"},
		IsFile:     Detect,
		NewReader: func(r *schema.Reading) schema.Reader {
			return &dump{reading: r, threads: make(map[int64]*dumped)}
		},
	}
}
