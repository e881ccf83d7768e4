package parquet

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// numbered is a table whose columns have field ids, as column slices and as rows.
type numbered struct {
	Text   []schema.Code
	Number []int64
	Names  schema.Dictionary
}

// Columns implements schema.Columns.
func (t *numbered) Columns() []schema.Column {
	text, number := schema.Strings("text", &t.Text, &t.Names), schema.Ints("number", &t.Number)
	text.ID, number.ID = 2, 7
	return []schema.Column{text, number}
}

type numberedRow struct {
	Text   string `parquet:"text,id(2),dict"`
	Number int64  `parquet:"number,id(7)"`
}

// numberedFiles are files of a number of rows by each writer, with a key or without.
func numberedFiles(t *testing.T, rows int, key Key) map[string][]byte {
	t.Helper()
	var columns, all, each bytes.Buffer
	table, list := new(numbered), make([]numberedRow, rows)
	for i := range list {
		list[i] = numberedRow{fmt.Sprint("t", i%3), int64(i)}
		table.Text, table.Number = append(table.Text, table.Names.Code(list[i].Text)), append(table.Number, list[i].Number)
	}
	w := NewWriter(&columns, table)
	w.Key = key
	expect.Value(w.Close(table))(t)
	expect.OK(t, WriteRows(&all, key, list))
	n := expect.Value(WriteEach(&each, key, slices.Values(list)))(t)
	expect.Equal(t, n, int64(rows), "rows")
	if !bytes.Equal(all.Bytes(), each.Bytes()) {
		t.Errorf("%d rows: WriteEach gives other bytes than WriteRows", rows)
	}
	return map[string][]byte{"columns": columns.Bytes(), "rows": all.Bytes()}
}

// TestKey writes files of no, few and many row groups with a key. Another library finds the key in every row, in the page index and in
// the bounds, and the rows as they were; ours read the table as if there was none.
func TestKey(t *testing.T) {
	for _, rows := range []int{0, 1, 1000, RowGroupRows + 77} {
		for name, file := range numberedFiles(t, rows, Key{Name: "run", Value: "night-7"}) {
			t.Run(fmt.Sprint(name, rows), func(t *testing.T) {
				read := expect.Value(parquet.Read[struct {
					Run    string `parquet:"run"`
					Number int64  `parquet:"number"`
				}](bytes.NewReader(file), int64(len(file))))(t)
				expect.Equal(t, len(read), rows, "rows")
				for i, r := range read {
					if r.Run != "night-7" || r.Number != int64(i) {
						t.Fatalf("row %d is %v", i, r)
					}
				}
				f := expect.Value(parquet.OpenFile(bytes.NewReader(file), int64(len(file))))(t)
				for _, g := range f.RowGroups() {
					chunk := g.ColumnChunks()[2].(*parquet.FileColumnChunk)
					index := expect.Value(chunk.ColumnIndex())(t)
					expect.Equal(t, fmt.Sprint(index.MinValue(0), index.MaxValue(0), index.NullCount(0)), "night-7 night-7 0", "page index")
					expect.Equal(t, expect.Value(chunk.OffsetIndex())(t).NumPages(), 1, "pages of the key")
					lo, hi, ok := chunk.Bounds()
					expect.Equal(t, fmt.Sprint(lo, hi, ok), "night-7 night-7 true", "bounds")
				}
				expect.Equal(t, len(expect.Value(ReadRows[numberedRow]("rows", bytes.NewReader(file)))(t)), rows, "rows that we read")
				n := 0
				expect.OK(t, ReadEach("rows", bytes.NewReader(file), func(r *numberedRow) {
					if r.Number != int64(n) || r.Text != fmt.Sprint("t", n%3) {
						t.Fatalf("row %d is read as %v", n, *r)
					}
					n++
				}))
				expect.Equal(t, n, rows, "rows that we read one by one")
			})
		}
	}
}

// TestFieldIDs finds the field ids of both writers in the schema of the file, that of the key included.
func TestFieldIDs(t *testing.T) {
	for name, file := range numberedFiles(t, 3, Key{Name: "run", Value: "a"}) {
		f := expect.Value(parquet.OpenFile(bytes.NewReader(file), int64(len(file))))(t)
		ids := map[string]int32{}
		for _, e := range f.Metadata().Schema[1:] {
			ids[e.Name] = e.FieldID
		}
		expect.Deep(t, ids, map[string]int32{"text": 2, "number": 7, "run": schema.KeyID}, "field ids of %s", name)
	}
}

// BenchmarkReadEach reads rows one by one beside a column that they do not have.
func BenchmarkReadEach(b *testing.B) {
	for _, key := range []Key{{}, {Name: "run", Value: "a"}} {
		var file bytes.Buffer
		rows := make([]numberedRow, 50_000)
		for i := range rows {
			rows[i] = numberedRow{fmt.Sprint("t", i%1000), int64(i)}
		}
		if err := WriteRows(&file, key, rows); err != nil {
			b.Fatal(err)
		}
		b.Run("key "+key.Name, func(b *testing.B) {
			for b.Loop() {
				if err := ReadEach("rows", bytes.NewReader(file.Bytes()), func(*numberedRow) {}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
