// Package jsonrows turns rows of tables into JSON objects whose keys are the names of the columns, so that what a command
// prints with --format json can be looked up with analyze describe like the table itself.
package jsonrows

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Row is a row of a table as JSON has it: a struct with a field for every column, in the order of their names.
type Row any

// ByColumn returns every row as an object of the names in its parquet tags and its values. A missing optional value is null, and so are
// the columns that are said to be unknown. No rows become an empty list and not null, so that readers need no special case. It works by
// reflection: it is meant for the rows of a report, not for whole tables.
func ByColumn[T any](rows []T, unknown ...string) []Row {
	s := shapeOf(reflect.TypeFor[T](), unknown)
	out := make([]Row, len(rows))
	for k := range rows {
		row, object := reflect.ValueOf(&rows[k]).Elem(), reflect.New(s.object)
		for i, from := range s.from {
			if from == nowhere {
				continue
			}
			if value := row.Field(from); !s.nullable[i] || !value.IsZero() {
				object.Elem().Field(i).Set(value)
			}
		}
		out[k] = object.Interface()
	}
	return out
}

// shape is how rows of a type become objects.
type shape struct {
	object   reflect.Type // a struct: a field for every column, by name
	from     []int        // by field of the object: the field of the row, or nowhere
	nullable []bool       // by field of the object: null where the value is zero
}

// nowhere is where a column that is unknown comes from.
const nowhere = -1

// shapes has every shape that was asked for: making one takes longer than using it.
var shapes sync.Map

// shapeOf returns the shape of a type of rows.
func shapeOf(of reflect.Type, unknown []string) *shape {
	type key struct {
		of      reflect.Type
		unknown string
	}
	id := key{of, strings.Join(unknown, ",")}
	if s, has := shapes.Load(id); has {
		return s.(*shape)
	}
	made, _ := shapes.LoadOrStore(id, newShape(of, unknown))
	return made.(*shape)
}

// newShape makes the struct that JSON is written of.
func newShape(of reflect.Type, unknown []string) *shape {
	type column struct {
		name     string
		from     int
		optional bool
	}
	columns := make([]column, of.NumField())
	for i := range columns {
		name, options, _ := strings.Cut(of.Field(i).Tag.Get("parquet"), ",")
		columns[i] = column{name, i, strings.Contains(options, "optional")}
	}
	slices.SortFunc(columns, func(a, b column) int { return strings.Compare(a.name, b.name) })
	s := &shape{}
	var fields []reflect.StructField
	for i, c := range columns {
		field := reflect.StructField{Name: fmt.Sprint("Column", i), Type: of.Field(c.from).Type, Tag: reflect.StructTag(fmt.Sprintf("json:%q", c.name))}
		if slices.Contains(unknown, c.name) {
			c.from, c.optional = nowhere, true
		}
		if c.optional {
			field.Type = reflect.TypeFor[any]()
		}
		fields, s.from, s.nullable = append(fields, field), append(s.from, c.from), append(s.nullable, c.optional)
	}
	s.object = reflect.StructOf(fields)
	return s
}
