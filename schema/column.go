package schema

import "slices"

// Column binds one column of a table to the slice that holds it. Exactly one of Ints, Floats, Codes, Enum and
// Bools is set. Stores read and write tables through it without knowing their type.
type Column struct {
	Name     string
	ID       int32 // field id in files, by which other readers know the column; 0: none
	Nullable bool

	Ints   *[]int64    // NoValue is null
	Floats *[]float64  // NaN is null
	Codes  *[]Code     // NoCode is null
	Dict   *Dictionary // the names behind Codes
	Enum   *[]uint8    // positions in Words; where Nullable, 0 is null
	Words  []string    // the names behind Enum
	Bools  *[]bool
}

// Columns is a table whose rows lie in column slices.
type Columns interface {
	// Columns lists the columns in the order of the file. The bindings stay valid when the slices grow.
	Columns() []Column
}

// Ints binds a required integer column.
func Ints(name string, s *[]int64) Column { return Column{Name: name, Ints: s} }

// Floats binds a column of fractions, which may be missing: any NaN is null, and null is read as math.NaN().
func Floats(name string, s *[]float64) Column { return Column{Name: name, Nullable: true, Floats: s} }

// Strings binds a required column of dictionary codes.
func Strings(name string, s *[]Code, d *Dictionary) Column {
	return Column{Name: name, Codes: s, Dict: d}
}

// Enum binds a required column of positions in words.
func Enum(name string, s *[]uint8, words []string) Column {
	return Column{Name: name, Enum: s, Words: words}
}

// Bools binds a column of truth values, which are always required.
func Bools(name string, s *[]bool) Column { return Column{Name: name, Bools: s} }

// OrNull is the column with missing values, which stand in its slice as a value that nothing else has: NoValue among
// integers, NoCode among codes, and position 0 among the words of an enumeration.
func (c Column) OrNull() Column { c.Nullable = true; return c }

// Len is the number of values in the column.
func (c Column) Len() int {
	switch {
	case c.Ints != nil:
		return len(*c.Ints)
	case c.Floats != nil:
		return len(*c.Floats)
	case c.Codes != nil:
		return len(*c.Codes)
	case c.Enum != nil:
		return len(*c.Enum)
	default:
		return len(*c.Bools)
	}
}

// resize gives the column a number of values; those that are added are yet to be set, and memory is kept.
func (c Column) resize(rows int) {
	switch {
	case c.Ints != nil:
		*c.Ints = resized(*c.Ints, rows)
	case c.Floats != nil:
		*c.Floats = resized(*c.Floats, rows)
	case c.Codes != nil:
		*c.Codes = resized(*c.Codes, rows)
	case c.Enum != nil:
		*c.Enum = resized(*c.Enum, rows)
	default:
		*c.Bools = resized(*c.Bools, rows)
	}
}

func resized[T any](s []T, n int) []T { return slices.Grow(s, max(n-len(s), 0))[:n] }

// Reset empties every column and keeps its memory.
func Reset(t Columns) { Truncate(t, 0) }

// Rows is the number of rows of a table.
func Rows(t Columns) int { return t.Columns()[0].Len() }

// Extend makes a table longer by rows whose values are yet to be set.
func Extend(t Columns, rows int) {
	for _, c := range t.Columns() {
		c.resize(c.Len() + rows)
	}
}

// Reserve gives a table room for so many rows, so that appending up to as many moves none.
func Reserve(t Columns, rows int) {
	n := Rows(t)
	Extend(t, max(rows-n, 0))
	Truncate(t, n)
}

// Truncate drops the rows from position rows on and keeps their memory.
func Truncate(t Columns, rows int) {
	for _, c := range t.Columns() {
		c.resize(rows)
	}
}

// AppendRows appends the rows [from, to) of src to dst, a table of the same type and dictionaries.
func AppendRows(dst, src Columns, from, to int) {
	target := dst.Columns()
	for i, c := range src.Columns() {
		target[i].Append(c, from, to)
	}
}

// Append appends the values from to to-1 of a column of the same kind. Codes are taken as they are, so both columns must
// have the same dictionary.
func (c Column) Append(src Column, from, to int) {
	switch {
	case c.Ints != nil:
		*c.Ints = append(*c.Ints, (*src.Ints)[from:to]...)
	case c.Floats != nil:
		*c.Floats = append(*c.Floats, (*src.Floats)[from:to]...)
	case c.Codes != nil:
		*c.Codes = append(*c.Codes, (*src.Codes)[from:to]...)
	case c.Enum != nil:
		*c.Enum = append(*c.Enum, (*src.Enum)[from:to]...)
	default:
		*c.Bools = append(*c.Bools, (*src.Bools)[from:to]...)
	}
}

// AppendPicked appends some rows of src, by their positions, to dst, a table of the same type and dictionaries. Columns in which
// src has no values, as they were not read, stay as they are.
func AppendPicked(dst, src Columns, rows []int) {
	target := dst.Columns()
	for i, c := range src.Columns() {
		if c.Len() > 0 {
			target[i].pick(c, rows)
		}
	}
}

// pick appends the values at some positions of a column of the same kind.
func (c Column) pick(src Column, rows []int) {
	switch {
	case c.Ints != nil:
		*c.Ints = appendAt(*c.Ints, *src.Ints, rows)
	case c.Floats != nil:
		*c.Floats = appendAt(*c.Floats, *src.Floats, rows)
	case c.Codes != nil:
		*c.Codes = appendAt(*c.Codes, *src.Codes, rows)
	case c.Enum != nil:
		*c.Enum = appendAt(*c.Enum, *src.Enum, rows)
	default:
		*c.Bools = appendAt(*c.Bools, *src.Bools, rows)
	}
}

func appendAt[T any](dst, src []T, rows []int) []T {
	n := len(dst)
	dst = slices.Grow(dst, len(rows))[:n+len(rows)]
	for i, row := range rows {
		dst[n+i] = src[row]
	}
	return dst
}
