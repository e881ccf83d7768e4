package table

import "github.com/tracelake/tracelake/schema"

// Format describes tables. How the columns of a table are read follows from its header and the options of the user, so
// only a prepared format has a parser.
func Format() schema.Format {
	return schema.Format{
		Name:      "table",
		Doc:       "CSV or TSV with a header: time, component, function, start/finish, message, id, type, thread",
		AllTraced: true,
		Remarks:   "`0.3,C2,g1,start,g1call,id1,receive`: the table of Jonk et al. 2019, Fig. 3; header names may differ (`--columns`)",
		Prepare: func(head []byte, o schema.ReadingOptions) (schema.Format, bool, error) {
			return Detect(head, Options{TimeUnit: o.TimeUnit, Columns: o.Columns})
		},
	}
}
