package tmsct

import "github.com/tracelake/tracelake/schema"

// Format describes the textual language of TMSC. A file whose name ends in .tmsct is of it whatever its beginning looks
// like: some of its texts are traces of other formats, too.
func Format() schema.Format {
	return schema.Format{
		Name:    "tmsct",
		Doc:     "the textual language of TMSC: declarations, settings and events, which need no time",
		Remarks: "`1.12 Server C > handle ?M1 !M2`: PPS; time bounds, settings, metrics; events without times are scheduled as soon as possible",
		Endings: []string{".tmsct"},
		Prepare: func(head []byte, _ schema.ReadingOptions) (schema.Format, bool, error) {
			f, likely := Detect(head)
			return f, likely, nil
		},
		AllTraced: true,
		Ending:    ".tmsct",
		Whole:     true,
		NewParser: func() schema.Parser { return newParser() },
	}
}
