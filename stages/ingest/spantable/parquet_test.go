package spantable

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
	reading "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// encoded are the ways of a writer to write a file of Parquet.
type encoded struct {
	codec      compress.Compression
	version    parquet.DataPageVersion
	dictionary bool
	rows       int64 // of a row group
	start      *arrow.TimestampType
	int96      bool
}

// written writes n spans by another program, and returns the file and the same table as CSV.
func written(t testing.TB, e encoded, n int) (file, text string) {
	t.Helper()
	fields := []arrow.Field{
		{Name: "Timestamp", Type: e.start}, {Name: "TraceId", Type: arrow.BinaryTypes.String}, {Name: "SpanId", Type: &arrow.FixedSizeBinaryType{ByteWidth: 8}},
		{Name: "ParentSpanId", Type: arrow.BinaryTypes.Binary, Nullable: true}, {Name: "SpanName", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "ServiceName", Type: arrow.BinaryTypes.String}, {Name: "Duration", Type: arrow.PrimitiveTypes.Uint64},
		{Name: "Failed", Type: arrow.FixedWidthTypes.Boolean}, {Name: "Load", Type: arrow.PrimitiveTypes.Float64},
		{Name: "Tags", Type: arrow.ListOf(arrow.BinaryTypes.String)},
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	csv := []string{"Timestamp,TraceId,SpanId,ParentSpanId,SpanName,ServiceName,Duration"}
	names := []string{"GET /cart", "a \"b\", c", "", "é"}
	for i := range n {
		ns := 1_661_273_974_735_000_000 + int64(i)*3_000_000
		trace, id, name := fmt.Sprintf("%032x", i/3+1), []byte{1, 2, 3, 4, 5, 6, byte(i >> 8), byte(i)}, names[i%len(names)]
		b.Field(0).(*array.TimestampBuilder).Append(arrow.Timestamp(ns / int64(e.start.Unit.Multiplier())))
		b.Field(1).(*array.StringBuilder).Append(trace)
		b.Field(2).(*array.FixedSizeBinaryBuilder).Append(id)
		parent := ""
		if i%3 == 0 {
			b.Field(3).(*array.BinaryBuilder).AppendNull()
		} else {
			parent = fmt.Sprintf("010203040506%04x", i-1)
			b.Field(3).(*array.BinaryBuilder).Append([]byte(parent))
		}
		if name == "" {
			b.Field(4).(*array.StringBuilder).AppendNull()
		} else {
			b.Field(4).(*array.StringBuilder).Append(name)
		}
		b.Field(5).(*array.StringBuilder).Append([]string{"web", "shop", "db"}[i%3])
		took := uint64(20_000_000 - i%3*7_000_000)
		b.Field(6).(*array.Uint64Builder).Append(took)
		b.Field(7).(*array.BooleanBuilder).Append(i%2 == 0)
		b.Field(8).(*array.Float64Builder).Append(float64(i) / 7)
		list := b.Field(9).(*array.ListBuilder)
		list.Append(true)
		for range i % 3 {
			list.ValueBuilder().(*array.StringBuilder).Append("x")
		}
		csv = append(csv, fmt.Sprintf("%s,%s,%x,%s,\"%s\",%s,%d", time.Unix(0, ns).UTC().Format(instantLayout), trace, id, parent,
			strings.ReplaceAll(name, "\"", "\"\""), []string{"web", "shop", "db"}[i%3], took))
	}
	record := b.NewRecord()
	defer record.Release()
	table := array.NewTableFromRecords(record.Schema(), []arrow.Record{record})
	defer table.Release()
	var out bytes.Buffer
	expect.OK(t, pqarrow.WriteTable(table, &out, e.rows,
		parquet.NewWriterProperties(parquet.WithCompression(e.codec), parquet.WithDataPageVersion(e.version), parquet.WithDictionaryDefault(e.dictionary), parquet.WithDataPageSize(512)),
		pqarrow.NewArrowWriterProperties(pqarrow.WithDeprecatedInt96Timestamps(e.int96))))
	return out.String(), strings.Join(csv, "\n") + "\n"
}

// encodings are all ways that are tried.
func encodings() (all []encoded) {
	starts := []*arrow.TimestampType{
		{Unit: arrow.Nanosecond, TimeZone: "UTC"}, {Unit: arrow.Microsecond}, {Unit: arrow.Millisecond, TimeZone: "UTC"},
	}
	for i, codec := range []compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Zstd, compress.Codecs.Gzip} {
		for j, version := range []parquet.DataPageVersion{parquet.DataPageV1, parquet.DataPageV2} {
			all = append(all, encoded{codec, version, (i+j)%2 == 0, 100, starts[(i+j)%len(starts)], i == 3})
		}
	}
	return all
}

// inMemory is a reading whose scratch files lie in memory.
func inMemory() schema.Reading {
	return schema.Reading{Scratch: func() (schema.Scratch, error) { return new(readertest.Memory), nil }}
}

// TestParquet reads what another program writes in every codec, version of pages and unit of time, and gets what comes of the same table as CSV.
func TestParquet(t *testing.T) {
	for _, e := range encodings() {
		file, text := written(t, e, 250)
		want := expect.Value(read(map[string]string{"t.csv": text}, inMemory()))(t)
		got := expect.Value(read(map[string]string{"t.parquet": file}, inMemory()))(t)
		expect.Slice(t, got.Events, want.Events, "%+v", e)
		expect.Equal(t, fmt.Sprint(got.Enters, got.Losses), "250 map[]", "%+v", e)
	}
}

// TestParquetWithout says which columns are missing, and reads nothing of a file that has no footer.
func TestParquetWithout(t *testing.T) {
	file, _ := written(t, encodings()[0], 9)
	for _, c := range []struct{ file, want string }{
		{strings.ReplaceAll(file, "TraceId", "Request"), `no column for "trace"`},
		{file[:len(file)-5], "expected the footer of Parquet at the end of the file"},
	} {
		reading := inMemory()
		reading.Strict = true
		_, err := read(map[string]string{"t.parquet": c.file}, reading)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestBrokenParquet changes bytes of files and cuts them off: what is read ends, is balanced, and takes little memory.
func TestBrokenParquet(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 2))
	tries := 300
	if testing.Short() {
		tries = 40
	}
	for _, e := range encodings() {
		file, _ := written(t, e, 60)
		for range tries {
			broken := []byte(file)
			for range 1 + rng.IntN(4) {
				at := rng.IntN(len(broken))
				if rng.IntN(2) == 0 { // the footer is most of so small a file, and its numbers say how much to reserve
					at = len(broken) - 1 - rng.IntN(len(broken)/2)
				}
				broken[at] = byte(rng.UintN(256))
			}
			if rng.IntN(8) == 0 {
				broken = broken[:rng.IntN(len(broken))]
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got, err := read(map[string]string{"t.parquet": string(broken)}, inMemory())
			runtime.ReadMemStats(&after)
			if reserved := after.TotalAlloc - before.TotalAlloc; reserved > 64<<20 {
				t.Errorf("%d bytes were reserved for a file of %d", reserved, len(broken))
			}
			if err == nil {
				err = got.CheckBalance()
			}
			expect.OK(t, err)
		}
	}
}

// pagesOf returns where the pages of a column of a row group begin and end in a file.
func pagesOf(t *testing.T, file, column string, group int) (begin, end int64) {
	t.Helper()
	f := expect.Value(reading.OpenFile(strings.NewReader(file), int64(len(file))))(t)
	for _, c := range f.Metadata().RowGroups[group].Columns {
		if c.MetaData.PathInSchema[0] == column {
			begin = c.MetaData.DataPageOffset
			if c.MetaData.DictionaryPageOffset > 0 {
				begin = min(begin, c.MetaData.DictionaryPageOffset)
			}
			return begin, begin + c.MetaData.TotalCompressedSize
		}
	}
	t.Fatalf("there is no column %s", column)
	return 0, 0
}

// TestDamagedColumns damages the second row group's column of an attribute, in its first header or within, and one of spans: of the one
// the attribute is lost and counted, and of the other the spans from there on.
func TestDamagedColumns(t *testing.T) {
	all := inMemory()
	all.Options.Attributes = []string{"all"}
	for _, e := range encodings() {
		file, _ := written(t, e, 250)
		whole := expect.Value(read(map[string]string{"t.parquet": file}, all))(t)
		damage := func(column string, at func(begin, end int64) int64) (with, without *readertest.Summary) {
			begin, end := pagesOf(t, file, column, 1)
			broken := []byte(file)
			for i := at(begin, end); i < end; i++ {
				broken[i] = 0xff
			}
			files := map[string]string{"t.parquet": string(broken)}
			strict := all
			strict.Strict = true
			if _, err := read(files, strict); err == nil && e.codec != compress.Codecs.Uncompressed {
				t.Errorf("%+v: a strict reading takes a damaged column", e)
			}
			return expect.Value(read(files, all))(t), expect.Value(read(files, inMemory()))(t)
		}
		first := func(begin, _ int64) int64 { return begin }
		middle := func(begin, end int64) int64 { return (begin + end) / 2 }
		got, _ := damage("Load", first)
		expect.Slice(t, got.Events, whole.Events, "%+v", e)
		expect.Equal(t, fmt.Sprint(got.Losses), "map[damaged_attribute:100]", "%+v", e)
		got, _ = damage("Load", middle)
		expect.Slice(t, got.Events, whole.Events, "%+v", e)
		got, without := damage("SpanId", middle)
		expect.Slice(t, got.Events, without.Events, "%+v", e)
		if got.Enters < 100 || got.Enters >= 250 && e.codec != compress.Codecs.Uncompressed {
			t.Errorf("%+v: %d spans are read where 100 to 200 of 250 stand before the damage", e, got.Enters)
		}
	}
}

// TestDamageWithin damages the last page of a row group: all 3,072 spans before it are read.
func TestDamageWithin(t *testing.T) {
	e := encodings()[4]
	e.rows, e.dictionary = 4000, false
	file, _ := written(t, e, 4000)
	begin, end := pagesOf(t, file, "TraceId", 0)
	broken := []byte(file)
	for i := end - (end-begin)/16; i < end; i++ {
		broken[i] = 0xff
	}
	got := expect.Value(read(map[string]string{"t.parquet": string(broken)}, inMemory()))(t)
	if got.Enters != 3072 || got.Losses["bad_record"] != 1 {
		t.Errorf("%d of 4,000 spans are read, losses %v", got.Enters, got.Losses)
	}
}

// TestLongAttribute has a value that is longer than a record may be: its span is read, and the attribute counted as too long.
func TestLongAttribute(t *testing.T) {
	type row struct {
		Trace, Span, Start, End, Statement string
	}
	var out bytes.Buffer
	w := reading.NewGenericWriter[row](&out)
	expect.Value(w.Write([]row{{"1", "2", "5", "7", strings.Repeat("y", maxRecord+1)}, {"1", "3", "5", "7", "z"}}))(t)
	expect.OK(t, w.Close())
	all := inMemory()
	all.Options.Attributes = []string{"all"}
	got := expect.Value(read(map[string]string{"t.parquet": out.String()}, all))(t)
	expect.Equal(t, fmt.Sprint(got.Enters, got.Losses), "2 map[attribute_budget:1 crossing_call:1]", "spans and losses")
}

// TestLZ4 refuses a codec that the library reads wrongly, with what to do.
func TestLZ4(t *testing.T) {
	type row struct{ Trace, Span, Start, End string }
	var out bytes.Buffer
	w := reading.NewGenericWriter[row](&out, reading.Compression(&reading.Lz4Raw))
	expect.Value(w.Write([]row{{"1", "2", "5", "7"}}))(t)
	expect.OK(t, w.Close())
	got := expect.Value(read(map[string]string{"t.parquet": out.String()}, inMemory()))(t)
	expect.Equal(t, fmt.Sprint(got.Enters, got.Losses), "0 map[bad_record:1]", "spans and losses")
	file := expect.Value(reading.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len())))(t)
	expect.Refused(t, checkChunk(bytes.NewReader(out.Bytes()), int64(out.Len()), &file.Metadata().RowGroups[0].Columns[0].MetaData, 1), "write the file with zstd", "a column")
}

// TestHostileSizes has footers and pages that say that they hold far more than the file does.
func TestHostileSizes(t *testing.T) {
	ignored := func([2]int16, int64) {}
	for _, c := range []struct {
		text string
		want error
	}{
		{"\x15\x02\x00", nil}, {"\x19\x2c\x15\x02\x00\x15\x04\x00\x00", nil}, {"\x11\x12\x00", nil},
		{"\x19\xfc\x80\x80\x80\x80\x04\x00", errThrift}, // a list of 2^30 structures
		{"\x18\xff\xff\xff\xff\x0f", errThrift}, {"\x15", errThrift}, {"\x1b\x00\x00", errThrift}, {strings.Repeat("\x1c", 99), errThrift},
	} {
		_, err := walk([]byte(c.text), ignored)
		expect.Equal(t, err, c.want, "%q", c.text)
	}
	file := strings.NewReader(strings.Repeat("\xff", 9) + "\x01")
	for _, c := range []struct {
		has   map[[2]int16]int64
		codec format.CompressionCodec
		ok    bool
	}{
		{map[[2]int16]int64{pageCompressed: 10, pageUncompressed: 50, pageValues: 7}, format.Zstd, true},
		{map[[2]int16]int64{pageCompressed: 11, pageUncompressed: 50}, format.Zstd, false},
		{map[[2]int16]int64{pageCompressed: 10, pageUncompressed: maxPage + 1}, format.Zstd, false},
		{map[[2]int16]int64{pageCompressed: 10, pageUncompressed: 50}, format.Snappy, false}, // which would unpack to 2^63 bytes
		{map[[2]int16]int64{pageCompressed: 10, pageUncompressed: 50, pageValues: -1}, format.Zstd, false},
		{map[[2]int16]int64{pageCompressed: 10, pageUncompressed: 50, pageDefinitions: 11}, format.Zstd, false},
	} {
		_, err := checkPage(file, 0, 10, c.has, c.codec)
		expect.Equal(t, err == nil, c.ok, "%v %v", c.has, c.codec)
	}
}
