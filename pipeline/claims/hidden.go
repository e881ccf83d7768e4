package claims

import (
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// HiddenRows counts the rows of a table that no query shows, though its files have them: what differs from a reference that has been replaced
// or dropped since. The view in package sql has the same rule. Tables without such rows are not read.
func HiddenRows(l *lake.Lake, table string, all []*lake.Inventory) (hidden int64, err error) {
	if table != "order_differences" {
		return 0, nil
	}
	named := make(map[string]bool)
	for _, v := range all {
		if m := v.Table("executions"); m != nil {
			for _, f := range m.Files {
				named[shortName(m, f)] = true
			}
		}
	}
	for _, v := range all {
		run, of := strings.CutPrefix(v.Partition, "run=")
		if m := v.Table(table); !of || m == nil || m.Rows() == 0 {
			continue
		}
		err := lake.ReadEach(l, table, lake.Run(run), func(row *schema.OrderDifference) {
			if !named[row.ReferenceFile] {
				hidden++
			}
		})
		if err != nil {
			return 0, err
		}
	}
	return hidden, nil
}

// shortName names a file of a table without its ending, from the folder of the table on.
func shortName(m *lake.Manifest, f lake.File) string {
	return strings.TrimSuffix(strings.TrimPrefix(f.Path, m.Table+"/"), ".parquet")
}
