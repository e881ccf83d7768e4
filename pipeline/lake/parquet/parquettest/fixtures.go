// Package parquettest has tables for tests of the Parquet writer: every column kind with every way in
// which its values can lie. They live here, so that the test against DuckDB in this folder links DuckDB
// and the writer's own tests do not.
package parquettest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Words are the names of the enumerations; the first stands for null where they are nullable.
var Words = []string{"", "send", "receive", "broadcast"}

// Table has a column of every kind.
type Table struct {
	Names *schema.Dictionary

	Int      []int64
	NullInt  []int64
	Name     []schema.Code
	NullName []schema.Code
	Enum     []uint8
	NullEnum []uint8
	Bool     []bool
}

// New returns an empty table with a dictionary of its own.
func New() *Table { return &Table{Names: new(schema.Dictionary)} }

// Columns implements schema.Columns.
func (t *Table) Columns() []schema.Column {
	return []schema.Column{
		schema.Ints("int", &t.Int),
		schema.Ints("null_int", &t.NullInt).OrNull(),
		schema.Strings("name", &t.Name, t.Names),
		schema.Strings("null_name", &t.NullName, t.Names).OrNull(),
		schema.Enum("enum", &t.Enum, Words),
		schema.Enum("null_enum", &t.NullEnum, Words).OrNull(),
		schema.Bools("bool", &t.Bool),
	}
}

// Row is a row of a Table as readers by row see it.
type Row struct {
	Int      int64   `parquet:"int"`
	NullInt  *int64  `parquet:"null_int,optional"`
	Name     string  `parquet:"name"`
	NullName *string `parquet:"null_name,optional"`
	Enum     string  `parquet:"enum"`
	NullEnum *string `parquet:"null_enum,optional"`
	Bool     bool    `parquet:"bool"`
}

// Rows are the rows of the table.
func (t *Table) Rows() []Row {
	rows := make([]Row, len(t.Int))
	for i := range rows {
		rows[i] = Row{Int: t.Int[i], Name: t.Names.Name(t.Name[i]), Enum: Words[t.Enum[i]], Bool: t.Bool[i]}
		if v := t.NullInt[i]; v != schema.NoValue {
			rows[i].NullInt = &v
		}
		if c := t.NullName[i]; c != schema.NoCode {
			rows[i].NullName = text(t.Names.Name(c))
		}
		if c := t.NullEnum[i]; c != 0 {
			rows[i].NullEnum = text(Words[c])
		}
	}
	return rows
}

func text(s string) *string { return &s }

// Append appends copies of the rows [from, to) of other, which must have the same dictionary.
func (t *Table) Append(other *Table, from, to int) {
	t.Int = append(t.Int, other.Int[from:to]...)
	t.NullInt = append(t.NullInt, other.NullInt[from:to]...)
	t.Name = append(t.Name, other.Name[from:to]...)
	t.NullName = append(t.NullName, other.NullName[from:to]...)
	t.Enum = append(t.Enum, other.Enum[from:to]...)
	t.NullEnum = append(t.NullEnum, other.NullEnum[from:to]...)
	t.Bool = append(t.Bool, other.Bool[from:to]...)
}

// Diff is the first difference of two lists of rows, or "".
func Diff(got, want []Row) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d rows, want %d", len(got), len(want))
	}
	for i := range got {
		if !got[i].equal(want[i]) {
			return fmt.Sprintf("row %d: %s, want %s", i, got[i], want[i])
		}
	}
	return ""
}

func (r Row) equal(o Row) bool {
	return r.Int == o.Int && same(r.NullInt, o.NullInt) && r.Name == o.Name && same(r.NullName, o.NullName) &&
		r.Enum == o.Enum && same(r.NullEnum, o.NullEnum) && r.Bool == o.Bool
}

func same[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func (r Row) String() string {
	return fmt.Sprintf("%d %s %q %s %q %s %t", r.Int, show(r.NullInt), r.Name, show(r.NullName), r.Enum, show(r.NullEnum), r.Bool)
}

func show[T any](p *T) string {
	if p == nil {
		return "null"
	}
	return fmt.Sprintf("%#v", *p)
}

// Fixture is a table with a name.
type Fixture struct {
	Name  string
	Table *Table
}

// Fixtures are tables of all shapes; the largest has rows rows.
func Fixtures(rows int) []Fixture {
	r := rand.New(rand.NewPCG(7, 7))
	return []Fixture{
		{"no rows", New()},
		{"one row", random(r, 1, 3, 0)},
		{"one row of null", random(r, 1, 3, 1)},
		{"seven rows", random(r, 7, 3, 0.5)},
		{"eight rows", random(r, 8, 3, 0.5)},
		{"nine rows", random(r, 9, 3, 0.5)},
		{"129 rows", random(r, 129, 200, 0.1)},
		{"all null", random(r, 5000, 100, 1)},
		{"no null", random(r, 5000, 100, 0)},
		{"half null", random(r, 5000, 100, 0.5)},
		{"constant", repeat(random(r, 1, 1, 0), 5001)},
		{"long runs", runs(r, 5000)},
		{"extremes", extremes()},
		{"one name or null", random(r, 5000, 1, 0.5)},
		{"every name once", random(r, 70_000, 0, 0.01)},
		{"many row groups", random(r, rows, 300, 0.3)},
	}
}

// random is a table of n rows over so many names, 0 for a new one in every row.
func random(r *rand.Rand, n, names int, nulls float64) *Table {
	t := New()
	now := int64(-1000)
	for i := range n {
		now += r.Int64N(1000) - 10
		k := i
		if names > 0 {
			k = r.IntN(names)
		}
		t.Int = append(t.Int, now)
		t.Name = append(t.Name, t.Names.Code(fmt.Sprintf("name %d \u00e9", k)))
		t.Enum = append(t.Enum, uint8(r.IntN(len(Words))))
		t.Bool = append(t.Bool, r.IntN(2) == 0)
		v, c, e := r.Int64N(1<<40), t.Names.Code(fmt.Sprintf("other %d", k)), uint8(1+r.IntN(3))
		if r.Float64() < nulls {
			v = schema.NoValue
		}
		if r.Float64() < nulls {
			c = schema.NoCode
		}
		if r.Float64() < nulls {
			e = 0
		}
		t.NullInt, t.NullName, t.NullEnum = append(t.NullInt, v), append(t.NullName, c), append(t.NullEnum, e)
	}
	return t
}

// repeat is the first row of t n times.
func repeat(t *Table, n int) *Table {
	for range n - 1 {
		t.Append(t, 0, 1)
	}
	return t
}

// runs is a table whose rows repeat some tens of times.
func runs(r *rand.Rand, n int) *Table {
	from := random(r, n, 50, 0.4)
	t := &Table{Names: from.Names}
	for i := 0; len(t.Int) < n; i++ {
		for range 1 + r.IntN(60) {
			t.Append(from, i, i+1)
		}
	}
	return t
}

// extremes has the values at the ends of their ranges, and odd names.
func extremes() *Table {
	t := New()
	ints := []int64{math.MaxInt64, math.MinInt64 + 1, 0, -1, 1, math.MaxInt64, math.MinInt64 + 1}
	odd := []string{"", "\x00", "\u65e5\u672c\u8a9e", strings.Repeat("long", 50_000), "'\"\\\n", "\U0001F600", "z"}
	for i, v := range ints {
		t.Int, t.NullInt = append(t.Int, v), append(t.NullInt, v)
		t.Name = append(t.Name, t.Names.Code(odd[i]))
		t.NullName = append(t.NullName, t.Names.Code(odd[len(odd)-1-i]))
		t.Enum, t.NullEnum = append(t.Enum, uint8(i%4)), append(t.NullEnum, uint8(i%4))
		t.Bool = append(t.Bool, true)
	}
	return t
}
