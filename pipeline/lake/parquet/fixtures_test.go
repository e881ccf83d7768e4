package parquet

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// fixtureWords are the names of the enumerations; the first stands for null where they are nullable.
var fixtureWords = []string{"", "send", "receive", "broadcast"}

// fixtureTable has a column of every kind.
type fixtureTable struct {
	Names *schema.Dictionary

	Int      []int64
	NullInt  []int64
	Name     []schema.Code
	NullName []schema.Code
	Enum     []uint8
	NullEnum []uint8
	Bool     []bool
}

// newFixtureTable returns an empty table with a dictionary of its own.
func newFixtureTable() *fixtureTable { return &fixtureTable{Names: new(schema.Dictionary)} }

// Columns implements schema.Columns.
func (t *fixtureTable) Columns() []schema.Column {
	return []schema.Column{
		schema.Ints("int", &t.Int),
		schema.Ints("null_int", &t.NullInt).OrNull(),
		schema.Strings("name", &t.Name, t.Names),
		schema.Strings("null_name", &t.NullName, t.Names).OrNull(),
		schema.Enum("enum", &t.Enum, fixtureWords),
		schema.Enum("null_enum", &t.NullEnum, fixtureWords).OrNull(),
		schema.Bools("bool", &t.Bool),
	}
}

// fixtureRow is a row of a fixtureTable as readers by row see it.
type fixtureRow struct {
	Int      int64   `parquet:"int"`
	NullInt  *int64  `parquet:"null_int,optional"`
	Name     string  `parquet:"name"`
	NullName *string `parquet:"null_name,optional"`
	Enum     string  `parquet:"enum"`
	NullEnum *string `parquet:"null_enum,optional"`
	Bool     bool    `parquet:"bool"`
}

// Rows are the rows of the table.
func (t *fixtureTable) Rows() []fixtureRow {
	rows := make([]fixtureRow, len(t.Int))
	for i := range rows {
		rows[i] = fixtureRow{Int: t.Int[i], Name: t.Names.Name(t.Name[i]), Enum: fixtureWords[t.Enum[i]], Bool: t.Bool[i]}
		if v := t.NullInt[i]; v != schema.NoValue {
			rows[i].NullInt = &v
		}
		if c := t.NullName[i]; c != schema.NoCode {
			rows[i].NullName = pointerTo(t.Names.Name(c))
		}
		if c := t.NullEnum[i]; c != 0 {
			rows[i].NullEnum = pointerTo(fixtureWords[c])
		}
	}
	return rows
}

func pointerTo(s string) *string { return &s }

// Append appends copies of the rows [from, to) of other, which must have the same dictionary.
func (t *fixtureTable) Append(other *fixtureTable, from, to int) {
	schema.AppendRows(t, other, from, to)
}

// firstDifference is the first difference of two lists of rows, or "".
func firstDifference(got, want []fixtureRow) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d rows, want %d", len(got), len(want))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			return fmt.Sprintf("row %d: %s, want %s", i, got[i], want[i])
		}
	}
	return ""
}

func (r fixtureRow) String() string {
	return fmt.Sprintf("%d %s %q %s %q %s %t", r.Int, showValue(r.NullInt), r.Name, showValue(r.NullName), r.Enum, showValue(r.NullEnum), r.Bool)
}

func showValue[T any](p *T) string {
	if p == nil {
		return "null"
	}
	return fmt.Sprintf("%#v", *p)
}

// fixture is a table with a name.
type fixture struct {
	Name  string
	Table *fixtureTable
}

// fixtures are tables of all shapes; the largest has rows rows.
func fixtures(rows int) []fixture {
	r := rand.New(rand.NewPCG(7, 7))
	return []fixture{
		{"no rows", newFixtureTable()},
		{"one row", randomTable(r, 1, 3, 0)},
		{"one row of null", randomTable(r, 1, 3, 1)},
		{"seven rows", randomTable(r, 7, 3, 0.5)},
		{"eight rows", randomTable(r, 8, 3, 0.5)},
		{"nine rows", randomTable(r, 9, 3, 0.5)},
		{"129 rows", randomTable(r, 129, 200, 0.1)},
		{"all null", randomTable(r, 5000, 100, 1)},
		{"no null", randomTable(r, 5000, 100, 0)},
		{"half null", randomTable(r, 5000, 100, 0.5)},
		{"constant", repeatedRow(randomTable(r, 1, 1, 0), 5001)},
		{"long runs", runsOfRows(r, 5000)},
		{"extremes", extremeValues()},
		{"one name or null", randomTable(r, 5000, 1, 0.5)},
		{"every name once", randomTable(r, 70_000, 0, 0.01)},
		{"many row groups", randomTable(r, rows, 300, 0.3)},
	}
}

// randomTable has n rows over the given number of names; 0 names stands for a new name in every row.
func randomTable(r *rand.Rand, n, names int, nulls float64) *fixtureTable {
	t := newFixtureTable()
	now := int64(-1000)
	for i := range n {
		now += r.Int64N(1000) - 10
		k := i
		if names > 0 {
			k = r.IntN(names)
		}
		t.Int = append(t.Int, now)
		t.Name = append(t.Name, t.Names.Code(fmt.Sprintf("name %d \u00e9", k)))
		t.Enum = append(t.Enum, uint8(r.IntN(len(fixtureWords))))
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

// repeatedRow appends the first row of t until the table has n rows.
func repeatedRow(t *fixtureTable, n int) *fixtureTable {
	for range n - 1 {
		t.Append(t, 0, 1)
	}
	return t
}

// runsOfRows is a table of n rows or a few more, whose rows repeat up to 60 times.
func runsOfRows(r *rand.Rand, n int) *fixtureTable {
	from := randomTable(r, n, 50, 0.4)
	t := &fixtureTable{Names: from.Names}
	for i := 0; len(t.Int) < n; i++ {
		for range 1 + r.IntN(60) {
			t.Append(from, i, i+1)
		}
	}
	return t
}

// extremeValues has the values at the ends of their ranges, and odd names.
func extremeValues() *fixtureTable {
	t := newFixtureTable()
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

// diskFile is a file on disk as a Source.
type diskFile struct {
	*os.File
	size int64
}

func (f diskFile) Size() int64 { return f.size }

func openDisk(path string) (diskFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return diskFile{}, err
	}
	info, err := f.Stat()
	return diskFile{f, info.Size()}, err
}

// fileReader is a Reader with the file that it reads.
type fileReader struct {
	*Reader
	io.Closer
}

// openFile opens a file on disk for reading into t.
func openFile(path string, t schema.Columns, names ...string) (fileReader, error) {
	f, err := openDisk(path)
	if err != nil {
		return fileReader{}, err
	}
	r, err := NewReader(path, f, t, names...)
	if err != nil {
		f.Close()
	}
	return fileReader{r, f}, err
}

// readRowsFile reads the rows of a file on disk.
func readRowsFile[T any](path string) ([]T, error) {
	f, err := openDisk(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadRows[T](path, f)
}
