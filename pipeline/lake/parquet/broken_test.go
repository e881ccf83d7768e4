package parquet

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// smallFixture has nulls, runs and several names in a file of some kilobytes.
func smallFixture() *fixtureTable {
	for _, f := range fixtures(500) {
		if f.Name == "many row groups" {
			return f.Table
		}
	}
	return nil
}

func TestTruncated(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSharedReaders reads at the same time; one reader or writer is looked at in full tests")
	}
	b := encode(t, smallFixture())
	path := save(t, b)
	// The file loses its last byte again and again: to write it anew as often would take ten times as long.
	for n := len(b) - 1; n >= 0; n-- {
		expect.OK(t, os.Truncate(path, int64(n)))
		_, err := readAll(path)
		expect.Refused(expect.Must(t), err, path, "cut at %d of %d", n, len(b))
		if _, err := readRowsFile[fixtureRow](path); err == nil || !strings.Contains(err.Error(), path) {
			t.Fatalf("ReadRows: cut at %d of %d: %v", n, len(b), err)
		}
	}
	if _, err := readAll(filepath.Join(t.TempDir(), "missing.parquet")); err == nil {
		t.Error("no error for a missing file")
	}
}

// TestFlippedBytes changes one byte at a time. The checksums of the pages and the redundancy of the
// footer must show it, or it does not matter for the rows.
func TestFlippedBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("one reader at a time reads a damaged file")
	}
	table := smallFixture()
	want := table.Rows()
	b := encode(t, table)
	path := save(t, b)
	file := expect.Value(os.OpenFile(path, os.O_WRONLY, 0))(t)
	defer file.Close()
	r := rand.New(rand.NewPCG(5, 6))
	for i := range b {
		if i > 0 { // mend the byte before
			expect.Value(file.WriteAt(b[i-1:i], int64(i-1)))(t)
		}
		x := byte(1 + r.IntN(255))
		expect.Value(file.WriteAt([]byte{b[i] ^ x}, int64(i)))(t)
		before := allocated()
		got, err := readAll(path)
		if used := allocated() - before; used > 256<<20 {
			t.Fatalf("byte %d ^ %#x: %d bytes allocated, %v", i, x, used, err)
		}
		if err != nil {
			if !strings.Contains(err.Error(), path) {
				t.Fatalf("the error does not name the file: %v", err)
			}
			continue
		}
		expect.Equal(t, firstDifference(got.Rows(), want), "", "byte %d of %d ^ %#x", i, len(b), x)
	}
}

// allocated is the number of bytes allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func FuzzReader(f *testing.F) {
	for _, x := range fixtures(300) {
		if len(x.Table.Int) < 6000 {
			f.Add(encode(f, x.Table))
		}
		var rows bytes.Buffer
		if len(x.Table.Int) < 600 {
			expect.OK(f, WriteRows(&rows, Key{}, x.Table.Rows()))
			f.Add(rows.Bytes())
		}
	}
	path := filepath.Join(f.TempDir(), "fuzz.parquet")
	f.Fuzz(func(t *testing.T, b []byte) {
		expect.OK(t, os.WriteFile(path, b, 0o644))
		table := newFixtureTable()
		r, err := openFile(path, table)
		if err != nil {
			return
		}
		defer r.Close()
		for more := true; more; {
			if more, err = r.Next(); err == nil && more {
				checkCodes(t, table)
			}
		}
	})
}

// checkCodes makes sure that whatever is read has as many values in all columns, and names.
func checkCodes(t *testing.T, table *fixtureTable) {
	t.Helper()
	for _, c := range table.Columns() {
		expect.Equal(expect.Must(t), c.Len(), schema.Rows(table), "values of column %s", c.Name)
	}
	for i, c := range table.NullName {
		if c != schema.NoCode && int(c) >= table.Names.Len() || int(table.Name[i]) >= table.Names.Len() {
			t.Fatalf("row %d: codes %d, %d of %d names", i, c, table.Name[i], table.Names.Len())
		}
		if int(table.Enum[i]) >= len(fixtureWords) || int(table.NullEnum[i]) >= len(fixtureWords) {
			t.Fatalf("row %d: positions %d, %d", i, table.Enum[i], table.NullEnum[i])
		}
	}
}

// FuzzPages feeds pages to the decoders past compression and checksums.
func FuzzPages(f *testing.F) {
	f.Add([]byte{2, 3, 0x1b}, uint8(2), uint16(8))
	f.Add([]byte{0x80, 1, 4, 10, 2}, uint8(3), uint16(10))
	f.Add([]byte{6, 1}, uint8(1), uint16(3))
	f.Add([]byte{2, 0, 0, 0, 12, 1, 1, 12, 0}, uint8(8), uint16(6))
	f.Add([]byte("\x000\x031"), uint8(8), uint16(4)) // a run of no values, once a panic
	last := newFixtureTable()
	f.Fuzz(func(t *testing.T, b []byte, encoding uint8, rows uint16) {
		table := newFixtureTable()
		table.Names.Code("a")
		inherit(table, last)
		last = table
		d := decoders.Get().(*decoder)
		defer decoders.Put(d)
		for _, c := range table.Columns() {
			d.dictNames, d.dictInts = append(d.dictNames[:0], 0, 0), append(d.dictInts[:0], 1, 2)
			s := bound{c, leaf{physical: physicalType(kindOf(c)), optional: c.Nullable}}
			if fuzzPage(d, s, b, format.Encoding(encoding), int(rows)) == nil && c.Len() != int(rows) {
				t.Fatalf("column %s has %d values, want %d", c.Name, c.Len(), rows)
			}
			// An error is fine here, a panic is not.
			_ = d.dictionary(s, int(rows), b)
		}
	})
}

// inherit gives the columns of a table the memory of those of another one, as a reader does that reads a table after the other.
func inherit(table, from *fixtureTable) {
	of := from.Columns()
	for i, c := range table.Columns() {
		switch {
		case c.Ints != nil:
			*c.Ints = (*of[i].Ints)[:0]
		case c.Codes != nil:
			*c.Codes = (*of[i].Codes)[:0]
		case c.Enum != nil:
			*c.Enum = (*of[i].Enum)[:0]
		case c.Floats != nil:
			*c.Floats = (*of[i].Floats)[:0]
		case c.Bools != nil:
			*c.Bools = (*of[i].Bools)[:0]
		}
	}
}

func fuzzPage(d *decoder, s bound, b []byte, e format.Encoding, rows int) error {
	h := format.PageHeader{
		UncompressedPageSize: int32(len(b)),
		DataPageHeader: thrift.New(format.DataPageHeader{
			NumValues: int32(rows), Encoding: e, DefinitionLevelEncoding: format.RLE,
		}),
	}
	p, err := d.pageV1(s, format.Uncompressed, &h, b)
	if err != nil {
		return err
	}
	return d.data(s, p)
}

// TestDelta decodes sequences of all lengths around those of parts and blocks, whose differences take from 0 to 64 bits, as the
// library encodes them; each of them cut short anywhere is an error or gives what the whole one does.
func TestDelta(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var d deltaReader
	for _, n := range []int{0, 1, 2, 31, 32, 33, 127, 128, 129, 130, 161, 257, 1000} {
		for bits := range 65 {
			want := make([]int64, n)
			for i := range want {
				if want[i] = int64(r.Uint64() >> (64 - bits)); i%200 < 40 { // parts of no difference, too
					want[i] = 7
				}
			}
			b := expect.Value(new(delta.BinaryPackedEncoding).EncodeInt64(nil, want))(t)
			got := make([]int64, n)
			expect.OK(t, d.decode(got, slices.Clip(b)))
			if !slices.Equal(got, want) {
				t.Fatalf("%d values of %d bits differ", n, bits)
			}
			if err := d.decode(make([]int64, n+1), b); err == nil {
				t.Errorf("%d values are taken for %d", n, n+1)
			}
			for cut := 0; cut < len(b); cut += 1 + r.IntN(40) {
				if err := d.decode(got, slices.Clip(b[:cut])); err == nil && !slices.Equal(got, want) {
					t.Fatalf("%d values of %d bits differ where %d of %d bytes are left", n, bits, cut, len(b))
				}
			}
		}
	}
}

// TestRowsOfTheFooter refuses a file whose footer states other rows than its row groups have.
func TestRowsOfTheFooter(t *testing.T) {
	if testing.Short() {
		t.Skip("TestSharedReaders reads at the same time; one reader or writer is looked at in full tests")
	}
	for _, more := range []int64{0, 1} {
		var out bytes.Buffer
		w := NewWriter(&out, smallFixture())
		w.rows = more
		_, err := w.Close(smallFixture())
		if err != nil {
			t.Fatal(err)
		}
		_, err = NewReader("a file", bytes.NewReader(out.Bytes()), newFixtureTable())
		if (err == nil) != (more == 0) || err != nil && !strings.Contains(err.Error(), "rows in the row groups") {
			t.Errorf("%d rows more in the footer: %v", more, err)
		}
	}
}
