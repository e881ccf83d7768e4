package parquet

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

const largeRows = 2*RowGroupRows + 17

func encode(t testing.TB, table schema.Columns) []byte {
	t.Helper()
	var b bytes.Buffer
	v := viewOf(table)
	s := expect.Value(NewWriter(&b, v).Close(v))(t)
	expect.Equal(expect.Must(t), s.Bytes, int64(b.Len()), "bytes written")
	return b.Bytes()
}

func save(t testing.TB, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table.parquet")
	expect.OK(t, os.WriteFile(path, b, 0o644))
	return path
}

// readAll reads a whole file into a new table.
func readAll(path string, names ...string) (*fixtureTable, error) {
	all, part := newFixtureTable(), newFixtureTable()
	part.Names = all.Names
	r, err := openFile(path, part, names...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		more, err := r.Next()
		if err != nil || !more {
			return all, err
		}
		for i, column := range all.Columns() {
			read := part.Columns()[i] // empty where only others are read
			column.Append(read, 0, read.Len())
		}
	}
}

func TestRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSharedReaders reads at the same time; one reader or writer is looked at in full tests")
	}
	for _, f := range fixtures(largeRows) {
		t.Run(f.Name, func(t *testing.T) {
			path := save(t, encode(t, f.Table))
			want := f.Table.Rows()
			got := expect.Value(readAll(path))(t)
			expect.Equal(t, firstDifference(got.Rows(), want), "", "our reader")
			rows := expect.Value(readRowsFile[fixtureRow](path))(t)
			expect.Equal(t, firstDifference(rows, want), "", "parquet-go")
			expect.Equal(t, firstDifference(arrowRows(t, path), want), "", "arrow")
		})
	}
}

// arrowRows reads a file with Apache Arrow.
func arrowRows(t *testing.T, path string) []fixtureRow {
	t.Helper()
	f, err := file.OpenParquetFile(path, false)
	if err != nil {
		t.Fatal("arrow:", err)
	}
	defer f.Close()
	r, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{BatchSize: 1 << 16}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal("arrow:", err)
	}
	table, err := r.ReadTable(context.Background())
	if err != nil {
		t.Fatal("arrow:", err)
	}
	defer table.Release()
	rows := make([]fixtureRow, table.NumRows())
	eachValue(table, 0, func(i int, a arrow.Array, k int) { rows[i].Int = a.(*array.Int64).Value(k) })
	eachValue(table, 1, func(i int, a arrow.Array, k int) { v := a.(*array.Int64).Value(k); rows[i].NullInt = &v })
	eachValue(table, 2, func(i int, a arrow.Array, k int) { rows[i].Name = a.(*array.String).Value(k) })
	eachValue(table, 3, func(i int, a arrow.Array, k int) { v := a.(*array.String).Value(k); rows[i].NullName = &v })
	eachValue(table, 4, func(i int, a arrow.Array, k int) { rows[i].Enum = a.(*array.String).Value(k) })
	eachValue(table, 5, func(i int, a arrow.Array, k int) { v := a.(*array.String).Value(k); rows[i].NullEnum = &v })
	eachValue(table, 6, func(i int, a arrow.Array, k int) { rows[i].Bool = a.(*array.Boolean).Value(k) })
	return rows
}

// eachValue calls do for every value that is not null, with its row, chunk and place in the chunk.
func eachValue(t arrow.Table, column int, do func(row int, a arrow.Array, k int)) {
	row := 0
	for _, a := range t.Column(column).Data().Chunks() {
		for k := range a.Len() {
			if a.IsValid(k) {
				do(row, a, k)
			}
			row++
		}
	}
}

// TestArrowStatistics compares the footer as Arrow reads it with the table.
func TestArrowStatistics(t *testing.T) {
	for _, f := range fixtures(largeRows) {
		b := encode(t, f.Table)
		r := expect.Value(file.NewParquetReader(bytes.NewReader(b)))(t)
		for g := range r.NumRowGroups() {
			for c := range 7 {
				chunk := expect.Value(r.MetaData().RowGroup(g).ColumnChunk(c))(t)
				if err := checkEncodings(chunk.Encodings()); err != "" {
					t.Errorf("%s, column %d: %s", f.Name, c, err)
				}
				s := expect.Value(chunk.Statistics())(t)
				want := nullsOf(f.Table, c, g)
				expect.Equal(t, s.NullCount(), want, "%s, column %d, group %d: nulls", f.Name, c, g)
			}
		}
	}
}

func checkEncodings(all []parquet.Encoding) string {
	for _, e := range all {
		if e.String() == "UNKNOWN" {
			return "unknown encoding"
		}
	}
	return ""
}

func nullsOf(t *fixtureTable, column, group int) int64 {
	from := group * RowGroupRows
	to := min(from+RowGroupRows, len(t.Int))
	n := int64(0)
	for i := from; i < to; i++ {
		switch {
		case column == 1 && t.NullInt[i] == schema.NoValue,
			column == 3 && t.NullName[i] == schema.NoCode,
			column == 5 && t.NullEnum[i] == 0:
			n++
		}
	}
	return n
}

// TestPageIndex compares the page index as parquet-go reads it with the footer.
func TestPageIndex(t *testing.T) {
	for _, f := range fixtures(largeRows) {
		b := encode(t, f.Table)
		pf := expect.Value(parquetgo.OpenFile(bytes.NewReader(b), int64(len(b))))(t)
		bounds, places, i := pf.ColumnIndexes(), pf.OffsetIndexes(), 0
		for _, g := range pf.Metadata().RowGroups {
			for _, c := range g.Columns {
				s := c.MetaData.Statistics
				if !bytes.Equal(bounds[i].MinValues[0], s.MinValue) || !bytes.Equal(bounds[i].MaxValues[0], s.MaxValue) ||
					bounds[i].NullCounts[0] != s.NullCount || bounds[i].NullPages[0] != (s.NullCount == g.NumRows) ||
					places[i].PageLocations[0].Offset != c.MetaData.DataPageOffset {
					t.Errorf("%s: %s: %+v, %+v, want %+v", f.Name, c.MetaData.PathInSchema, bounds[i], places[i], s)
				}
				i++
			}
		}
		if i != len(bounds) || i != len(places) {
			t.Errorf("%s: %d chunks, %d column and %d offset indexes", f.Name, i, len(bounds), len(places))
		}
	}
}

// TestBatches hands the same rows over in batches of any size and expects the same bytes.
func TestBatches(t *testing.T) {
	all := fixtures(largeRows)
	table := all[len(all)-1].Table
	want := encode(t, table)
	r := rand.New(rand.NewPCG(3, 4))
	for range 4 {
		var b bytes.Buffer
		part := &fixtureTable{Names: table.Names}
		w := NewWriter(&b, part)
		for from := 0; from < len(table.Int); {
			to := min(from+1+r.IntN(RowGroupRows+RowGroupRows/2), len(table.Int))
			part.Append(table, from, to)
			expect.OK(t, w.WriteFull(part))
			from = to
		}
		s := expect.Value(w.Close(part))(t)
		if s.Rows != largeRows || !bytes.Equal(b.Bytes(), want) {
			t.Fatalf("%d rows, %d bytes differ from %d rows, %d bytes", s.Rows, b.Len(), largeRows, len(want))
		}
	}
}

// TestSmallTables writes rows and reads them as rows and as columns.
func TestSmallTables(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSharedReaders reads at the same time; one reader or writer is looked at in full tests")
	}
	for _, f := range fixtures(1000) {
		want := f.Table.Rows()
		var b bytes.Buffer
		expect.OK(t, WriteRows(&b, Key{}, want))
		path := save(t, b.Bytes())
		rows := expect.Value(readRowsFile[fixtureRow](path))(t)
		expect.Equal(t, firstDifference(rows, want), "", "%s: ReadRows", f.Name)
		table := expect.Value(readAll(path))(t)
		expect.Equal(t, firstDifference(table.Rows(), want), "", "%s: Reader", f.Name)
	}
}
