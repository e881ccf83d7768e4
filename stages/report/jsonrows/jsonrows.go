// Package jsonrows turns rows of tables into JSON objects whose keys are the names of the columns, so that what a command
// prints with --format json can be looked up with analyze describe like the table itself.
package jsonrows

import (
	"reflect"
	"strings"
)

// ByColumn returns every row as a map from the names in its parquet tags to its values. A missing optional value is null.
// No rows become an empty list and not null, so that readers need no special case. It works by reflection: it is meant for
// the rows of a report, not for whole tables.
func ByColumn[T any](rows []T) []map[string]any {
	out := []map[string]any{}
	for _, row := range rows {
		columns := make(map[string]any)
		for field, value := range reflect.ValueOf(row).Fields() {
			name, options, _ := strings.Cut(field.Tag.Get("parquet"), ",")
			columns[name] = value.Interface()
			if strings.Contains(options, "optional") && value.IsZero() {
				columns[name] = nil
			}
		}
		out = append(out, columns)
	}
	return out
}
