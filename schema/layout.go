package schema

import (
	"fmt"
	"reflect"
)

// layout is how the slices of a table T become Columns. It is read from the tags of T once, when the program starts, so
// that binding a table is a walk over a list. Dictionaries are fields of N, which the table refers to.
type layout[T, N any] []binding

// binding is one column of a layout.
type binding struct {
	name     string
	id       int32 // field id
	nullable bool
	field    int      // position in T
	names    int      // of codes: position of their dictionary in N
	words    []string // of an enumeration
}

// enums are the words of the enumerations of a table, by the name of the column.
type enums map[string][]string

// layoutOf reads the tags of T: those of columnsOf, and names, which says for a column of codes which field of N is its
// dictionary. A tag that does not fit is a mistake of this package, so it stops the program before it does anything.
func layoutOf[T, N any](words enums) layout[T, N] {
	var l layout[T, N]
	table, dictionaries := reflect.TypeFor[T](), reflect.TypeFor[N]()
	for i := range table.NumField() {
		f := table.Field(i)
		if f.Tag.Get("parquet") == "" {
			continue
		}
		b := binding{field: i}
		b.name, b.nullable = columnName(f)
		b.id = fieldID(f)
		switch f.Type.Elem().Kind() {
		case reflect.Uint32:
			names, found := dictionaries.FieldByName(f.Tag.Get("names"))
			if !found {
				panic(fmt.Sprintf("schema: %s.%s names no dictionary", table.Name(), f.Name))
			}
			b.names = names.Index[0]
		case reflect.Uint8:
			if b.words = words[b.name]; b.words == nil {
				panic(fmt.Sprintf("schema: %s.%s has no words", table.Name(), f.Name))
			}
		}
		l = append(l, b)
	}
	return l
}

// bind binds the columns to the slices of t, with the dictionaries of names. Binding a table costs a few nanoseconds a
// column and one allocation: do it once a file or a block, not once a row.
func (l layout[T, N]) bind(t *T, names *N) []Column {
	out := make([]Column, len(l))
	table := reflect.ValueOf(t).Elem()
	for i, b := range l {
		switch s := table.Field(b.field).Addr().Interface().(type) {
		case *[]int64:
			out[i] = Ints(b.name, s)
		case *[]Code:
			out[i] = Strings(b.name, s, dictionary(reflect.ValueOf(names).Elem().Field(b.names)))
		case *[]uint8:
			out[i] = Enum(b.name, s, b.words)
		case *[]bool:
			out[i] = Bools(b.name, s)
		case *[]float64:
			out[i] = Floats(b.name, s)
		}
		out[i].ID = b.id
		if b.nullable {
			out[i] = out[i].OrNull()
		}
	}
	return out
}

// dictionary is the dictionary in a field, which holds it or points to it.
func dictionary(field reflect.Value) *Dictionary {
	if field.Kind() != reflect.Pointer {
		field = field.Addr()
	}
	return field.Interface().(*Dictionary)
}
