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
	of := reflect.TypeFor[T]()
	names, optional := make([]string, of.NumField()), make([]bool, of.NumField())
	for i := range names {
		name, options, _ := strings.Cut(of.Field(i).Tag.Get("parquet"), ",")
		names[i], optional[i] = name, strings.Contains(options, "optional")
	}
	out := make([]map[string]any, len(rows))
	for k := range rows {
		row, columns := reflect.ValueOf(&rows[k]).Elem(), make(map[string]any, len(names))
		for i, name := range names {
			if value := row.Field(i); !optional[i] || !value.IsZero() {
				columns[name] = value.Interface()
			} else {
				columns[name] = nil
			}
		}
		out[k] = columns
	}
	return out
}
