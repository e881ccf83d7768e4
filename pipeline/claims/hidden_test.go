package claims

import (
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestHiddenRows counts the rows about a reference whose first file is named no more, and those alone.
func TestHiddenRows(t *testing.T) {
	l, _ := loaded(t, "TU MILLISECONDS\nR 0 1 false;name=r\nC 0 0 2 0 1;name=a\nC 1 3 4 0 1;name=b\n")
	k := &Answers[schema.OrderDifference]{Engine: &pipeline.Engine{Lake: l, Jobs: 1}, Table: "order_differences", Key: func(d *schema.OrderDifference) string { return d.Reference }}
	_, file, err := k.Inputs("a")
	expect.OK(t, err)
	for key, files := range map[string][]string{"stays": {file, file}, "replaced": {file + "0", "", file + "1"}} {
		var rows []schema.OrderDifference
		for i, f := range files {
			rows = append(rows, schema.OrderDifference{Reference: key, Execution: int64(i), ReferenceFile: f})
		}
		expect.Value(k.Store(t.Context(), "a", Asked{Key: key, Version: 1}, 0, rows))(t)
	}
	all := expect.Value(l.Inventories())(t)
	for table, want := range map[string]int64{"order_differences": 3, "executions": 0} {
		expect.Equal(t, expect.Value(HiddenRows(l, table, all))(t), want, "hidden rows of %s", table)
	}
	v := expect.Value(l.Inventory(lake.Run("a")))(t)
	expect.Equal(t, v.Table("order_differences").Rows(), 5, "rows of the files")
}
