package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

func TestNamedColumns(t *testing.T) {
	table := smallFixture()
	path := save(t, encode(t, table))
	got := expect.Value(readAll(path, "null_int", "name"))(t)
	expect.Equal(t, len(got.Int)+len(got.NullName)+len(got.Enum)+len(got.NullEnum)+len(got.Bool), 0, "values of columns that were not named")
	if !reflect.DeepEqual(got.NullInt, table.NullInt) {
		t.Error("null_int differs")
	}
	for i, c := range got.Name {
		if got.Names.Name(c) != table.Names.Name(table.Name[i]) {
			t.Fatalf("row %d is %q", i, got.Names.Name(c))
		}
	}
}

// TestCodesAgree reads two files, and a table whose dictionary has names already.
func TestCodesAgree(t *testing.T) {
	names := new(schema.Dictionary)
	names.Code("there before")
	want := names.Code("name 1 \u00e9")
	for _, f := range fixtures(1000)[6:9] {
		table := &fixtureTable{Names: names}
		r := expect.Value(openFile(save(t, encode(t, f.Table)), table, "name"))(t)
		defer r.Close()
		expect.Equal(t, r.meta.rows, int64(len(f.Table.Int)), "rows")
		if more, err := r.Next(); err != nil || !more {
			t.Fatal(more, err)
		}
		for i, c := range table.Name {
			if name := f.Table.Names.Name(f.Table.Name[i]); names.Name(c) != name || (c == want) != (name == names.Name(want)) {
				t.Fatalf("row %d: %q, want %q", i, names.Name(c), name)
			}
		}
		if more, err := r.Next(); more || err != nil || len(table.Name) != 0 {
			t.Error(more, err, len(table.Name), "at the end of the file")
		}
	}
}

func TestSkip(t *testing.T) {
	table := newFixtureTable()
	code := table.Names.Code("x")
	for i := range 3 * RowGroupRows {
		table.Int = append(table.Int, int64(i))
		table.NullInt = append(table.NullInt, schema.NoValue)
		table.Name = append(table.Name, code)
		table.NullName = append(table.NullName, code)
		table.Enum, table.NullEnum = append(table.Enum, 1), append(table.NullEnum, 1)
		table.Bool = append(table.Bool, false)
	}
	part := newFixtureTable()
	r := expect.Value(openFile(save(t, encode(t, table)), part, "int"))(t)
	defer r.Close()
	r.Skip(func(s Stats) bool {
		lo, hi, ok := s.Ints("int")
		if !ok || hi-lo != RowGroupRows-1 || s.Rows != RowGroupRows {
			t.Errorf("bounds %d, %d, %t of %d rows", lo, hi, ok, s.Rows)
		}
		for _, name := range []string{"null_int", "name", "nothing"} {
			if _, _, ok := s.Ints(name); ok {
				t.Errorf("%s has bounds", name)
			}
		}
		return hi < RowGroupRows || lo > RowGroupRows
	})
	if more, err := r.Next(); err != nil || !more || part.Int[0] != RowGroupRows {
		t.Error(more, err)
	}
	if more, err := r.Next(); err != nil || more {
		t.Error(more, err)
	}
}

type oneInt struct {
	V int64 `parquet:"int"`
}

func TestOpenErrors(t *testing.T) {
	ours := save(t, encode(t, smallFixture()))
	var b bytes.Buffer
	expect.OK(t, WriteRows(&b, Key{}, []oneInt{{1}}))
	other := save(t, b.Bytes())
	text := save(t, []byte("this is a text, not a table"))
	var v []schema.Code
	wrong := only{schema.Strings("int", &v, new(schema.Dictionary))}
	for _, c := range []struct {
		path  string
		table schema.Columns
		names []string
		want  string
	}{
		{ours, newFixtureTable(), []string{"nothing"}, `the table has no column "nothing"`},
		{other, newFixtureTable(), nil, `no flat column "null_int"`},
		{other, wrong, nil, "column int is INT64, want BYTE_ARRAY"},
		{text, newFixtureTable(), nil, "no PAR1 at the end"},
	} {
		_, err := openFile(c.path, c.table, c.names...)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if r, err := openFile(other, newFixtureTable(), "int"); err != nil {
		t.Error(err)
	} else {
		r.Close()
	}
}

func TestReadErrors(t *testing.T) {
	var b bytes.Buffer
	type row struct {
		Name *string `parquet:"name,optional"`
		Enum string  `parquet:"enum"`
	}
	expect.OK(t, WriteRows(&b, Key{}, []row{{nil, "unheard of"}}))
	path := save(t, b.Bytes())
	for name, want := range map[string]string{"name": "a null in a column that has none", "enum": `"unheard of" is none of`} {
		_, err := readAll(path, name)
		expect.Refused(t, err, want, "%s", name)
	}
}

// TestForeignFiles reads codecs and encodings that only parquet-go decodes, and dictionaries of integers.
func TestForeignFiles(t *testing.T) {
	type row struct {
		Int      int64   `parquet:"int,dict"`
		NullInt  *int64  `parquet:"null_int,optional,plain"`
		Name     string  `parquet:"name,delta"`
		NullName *string `parquet:"null_name,optional,dict"`
		Enum     string  `parquet:"enum,delta"`
		NullEnum *string `parquet:"null_enum,optional,plain"`
		Bool     bool    `parquet:"bool"`
	}
	table := smallFixture()
	want := table.Rows()
	rows := make([]row, len(want))
	for i, r := range want {
		rows[i] = row(r)
	}
	for _, option := range []parquet.WriterOption{
		parquet.Compression(&parquet.Uncompressed), parquet.Compression(&parquet.Snappy), parquet.Compression(&parquet.Gzip),
		parquet.Compression(&parquet.Brotli), parquet.DataPageVersion(1), parquet.DataPageVersion(2), parquet.PageBufferSize(512),
	} {
		got := expect.Value(readAll(save(t, foreign(t, rows, option))))(t)
		expect.Equal(t, firstDifference(got.Rows(), want), "", "rows")
	}
	_, err := readAll(save(t, foreign(t, rows, parquet.Compression(&parquet.Lz4Raw))))
	expect.Refused(t, err, "packed with LZ4", "what parquet-go unpacks to something else")
}

// foreign is a file that parquet-go writes.
func foreign[T any](t *testing.T, rows []T, options ...parquet.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, options...)
	expect.Value(w.Write(rows))(t)
	expect.OK(t, w.Close())
	return b.Bytes()
}

type failingWriter struct{ left int }

func (f *failingWriter) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(b), nil
}

func TestWriteErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("one writer at a time fails")
	}
	whole := len(encode(t, smallFixture()))
	for _, left := range []int{0, 4, 2000, whole - 1} {
		table := viewOf(smallFixture())
		w := NewWriter(&failingWriter{left}, table)
		if _, err := w.Close(table); err == nil || err.Error() != "disk full" {
			t.Errorf("%d bytes: %v", left, err)
		}
		if _, err := w.Close(table); err == nil {
			t.Error("no error after an error")
		}
	}
	for i, c := range []struct {
		change func(*fixtureTable)
		want   string
	}{
		{func(t *fixtureTable) { t.Int = t.Int[1:] }, "has 500 values, column int has 499"},
		{func(t *fixtureTable) { t.Int[7] = schema.NoValue }, "column int: a null in a required column"},
		{func(t *fixtureTable) { t.Name[7] = schema.NoCode }, "column name: a null in a required column"},
		{func(t *fixtureTable) { t.Name[7] = 10_000 }, "column name: code 10000 where there are"},
		{func(t *fixtureTable) { t.Enum[7] = 4 }, "column enum: code 4 where there are 4 names"},
		{func(t *fixtureTable) { t.NullEnum[7] = 255 }, "column null_enum: code 255 where there are 4 names"},
	} {
		table := smallFixture()
		c.change(table)
		_, err := NewWriter(new(bytes.Buffer), table).Close(table)
		expect.Refused(t, err, c.want, "%d", i)
		again := smallFixture() // the pooled memory must be clean after errors
		expect.Equal(expect.Must(t), firstDifference(mustRead(t, again).Rows(), again.Rows()), "", "read and written again")
	}
}

func mustRead(t *testing.T, table *fixtureTable) *fixtureTable {
	t.Helper()
	got := expect.Value(readAll(save(t, encode(t, table))))(t)
	return got
}

func TestNamesThatAreNotText(t *testing.T) {
	table := newFixtureTable()
	c := table.Names.Code("a\xffb")
	table.Append(&fixtureTable{Int: []int64{1}, NullInt: []int64{2}, Name: []schema.Code{c}, NullName: []schema.Code{c},
		Enum: []uint8{0}, NullEnum: []uint8{1}, Bool: []bool{true}}, 0, 1)
	got := mustRead(t, table)
	expect.Equal(t, got.Names.Name(got.Name[0]), "a\uFFFDb", "name")
}

func TestEvents(t *testing.T) {
	want := syntheticEvents(RowGroupRows + 1000)
	got := schema.NewEvents()
	r := expect.Value(openFile(save(t, encode(t, want)), got))(t)
	defer r.Close()
	from := 0
	for {
		more := expect.Value(r.Next())(t)
		if !more {
			break
		}
		for i := range got.Seq {
			if g, w := eventText(got, i), eventText(want, from+i); g != w {
				t.Fatalf("row %d: %s, want %s", from+i, g, w)
			}
		}
		from += len(got.Seq)
	}
	expect.Equal(t, from, len(want.Seq), "rows")
}

func eventText(e *schema.Events, i int) string {
	n := e.Names
	return fmt.Sprint(e.Seq[i], e.TimeNs[i], n.Components.Name(e.Component[i]), n.Lifelines.Name(e.Lifeline[i]),
		n.Functions.Name(e.Function[i]), e.Kind[i], n.Messages.Name(e.Message[i]), n.Series.Name(e.Series[i]), e.MessageID[i],
		e.Direction[i], n.Components.Name(e.Peer[i]), e.ExecutionType[i], e.Synthetic[i])
}
