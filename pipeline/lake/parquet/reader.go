package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
)

// Source is a stored file: its bytes and how many there are. It may lie on a disk, in memory, or in an object store that
// answers requests for ranges of bytes.
type Source interface {
	io.ReaderAt
	Size() int64 // in bytes
}

// Reader reads a file row group by row group. It holds the footer, not the rows; it is not for concurrent use.
// Decoding needs a decoder of the pool only during a call, so hundreds of open files cost little memory.
type Reader struct {
	name    string // of the file, for errors
	file    Source
	meta    metadata
	table   schema.Columns // receives the rows
	columns []bound        // those of the table that are read
	next    int            // the row group that Next reads
	skip    func(Stats) bool
	foreign *parquet.File // opened for chunks that decoder cannot read

	shared   *Decoded // nil: what is decoded is the reader's own
	lent     []lent   // by column that is read
	mostRows int      // of a row group of the file
}

// bound is a column of the table and the column of the file that its values come from.
type bound struct {
	column schema.Column
	leaf   leaf
}

// NewReader prepares to read a file into t: only the named columns of t, or all of them if none is named. The name of the
// file stands in errors. The file may have more columns than t, and may be written by other programs as long as the
// columns that t wants are flat. The caller closes the file itself, after the last call.
// Only the footer is read, in two requests. Columns of the file may stand in any order.
func NewReader(name string, file Source, t schema.Columns, names ...string) (r *Reader, err error) {
	r = &Reader{name: name, file: file, table: t}
	defer func() {
		if err != nil {
			r = nil
		}
	}()
	// Deferred calls run from the last to the first: guard makes an error of a panic before r is taken back.
	defer r.guard(&err)
	schema.Reset(t)
	if err := r.readFooter(); err != nil {
		return r, err
	}
	return r, r.bind(names)
}

// Beside returns a second reader of the same file into another table, as NewReader does, without reading the footer again. The
// two may be used by different goroutines.
func (r *Reader) Beside(t schema.Columns, names ...string) (*Reader, error) {
	other := &Reader{name: r.name, file: r.file, meta: r.meta, table: t}
	schema.Reset(t)
	return other, other.bind(names)
}

// Footer is what a file states about its columns and row groups, for those who read its row groups one by one and keep it meanwhile.
type Footer struct{ meta metadata }

// Footer returns the footer of the file.
func (r *Reader) Footer() *Footer { return &Footer{r.meta} }

// Bytes is about how much memory the footer takes.
func (f *Footer) Bytes() (bytes int64) {
	for _, g := range f.meta.groups {
		bytes += 32 + 64*int64(len(g.chunks))
	}
	return bytes + 96*int64(len(f.meta.leaves))
}

// NewReaderOf returns a reader as NewReader does, of a file whose footer was read before.
func NewReaderOf(name string, file Source, f *Footer, t schema.Columns, names ...string) (*Reader, error) {
	r := &Reader{name: name, file: file, meta: f.meta, table: t}
	schema.Reset(t)
	return r, r.bind(names)
}

// CountRows returns the number of rows that the footer of a file states. It reads only the footer.
func CountRows(name string, file Source) (rows int64, err error) {
	r := &Reader{name: name, file: file}
	defer r.guard(&err)
	err = r.readFooter()
	return r.meta.rows, err
}

// Skip makes Next pass over the row groups for which skip returns true.
// It is asked with the statistics of each row group, in order, and replaces an earlier one.
func (r *Reader) Skip(skip func(Stats) bool) { r.skip = skip }

// Next replaces the contents of the table by the next row group. It returns false, and empties the table,
// at the end of the file. Codes are those of the table's dictionaries, to which new names are added, so
// they mean the same in all row groups and files that are read with these dictionaries.
func (r *Reader) Next() (more bool, err error) {
	for ; r.next < len(r.meta.groups); r.next++ {
		if r.skip == nil || !r.skip(r.Stats(r.next)) {
			err := r.Read(r.next) // moves r.next on
			return err == nil, err
		}
	}
	r.empty()
	return false, nil
}

// Rows is the number of rows of the row group that was read last.
// It is to be called after a successful read.
func (r *Reader) Rows() int64 { return r.meta.groups[r.next-1].rows }

// Groups is the number of row groups of the file.
func (r *Reader) Groups() int { return len(r.meta.groups) }

// Stats returns what the footer states about a row group, from 0 to Groups()-1.
func (r *Reader) Stats(group int) Stats {
	g := &r.meta.groups[group]
	return Stats{Rows: g.rows, chunks: g.chunks, leaves: r.meta.leaves}
}

// Read replaces the contents of the table by a row group. Next continues behind it.
// Row groups may be read in any order and more than once.
func (r *Reader) Read(group int) (err error) {
	defer func() {
		if err != nil {
			r.empty()
		}
	}()
	defer r.guard(&err)
	r.empty()
	r.next = group + 1
	return r.readGroup(&r.meta.groups[group])
}

// guard names the file in errors. It turns panics into errors, because the libraries below panic at some broken files.
// It is deferred by every method that reads. A panic of the runtime, such as an index out of range, is caught as
// well, which is meant: no file may end the program.
func (r *Reader) guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("broken file: %v", p)
	}
	if *err != nil {
		*err = fmt.Errorf("parquet: %s: %w", r.name, *err)
	}
}

// readGroup appends the columns that are wanted from a row group to the empty table. Every column must come out with the
// number of rows that the footer states, so that a broken file cannot shift the rows of one column against another.
// A row group costs one request for each column.
func (r *Reader) readGroup(g *rowGroup) error {
	d := decoders.Get().(*decoder)
	d.file, d.size = r.file, r.file.Size()
	for i, s := range r.columns {
		if s.leaf.number >= len(g.chunks) {
			return fmt.Errorf("a row group without column %s", s.column.Name)
		}
		meta := &g.chunks[s.leaf.number]
		var err error
		done := false
		// Files of ours and nearly all of others are decoded here, without a value per row in between.
		known := meta.native(s.leaf)
		if known && r.shared != nil {
			done, err = r.sharedChunk(d, i, meta, g.rows)
		}
		switch {
		case done || err != nil:
		case known:
			err = d.chunk(s, meta)
		default:
			err = r.foreignChunk(s, r.next-1)
		}
		if err == nil && int64(s.column.Len()) != g.rows {
			err = fmt.Errorf("%d values in a row group of %d rows", s.column.Len(), g.rows)
		}
		if err != nil {
			return fmt.Errorf("column %s, row group %d: %w", s.column.Name, r.next-1, err)
		}
	}
	d.file = nil
	decoders.Put(d) // not after errors, of which the decompressor may be part
	return nil
}

// readFooter reads the metadata at the end of the file: its last eight bytes are the length of the metadata and a magic number.
// All lengths are checked against the size of the file before memory is asked for.
func (r *Reader) readFooter() error {
	whole, _, err := r.wholeFooter()
	if err == nil {
		r.meta, err = compactMetadata(whole)
	}
	return err
}

// wholeFooter reads the metadata and returns it with its offset in the file.
func (r *Reader) wholeFooter() (whole *format.FileMetaData, offset int64, err error) {
	size := r.file.Size()
	if size < int64(len(magic)+8) {
		return nil, 0, fmt.Errorf("%d bytes are no Parquet file: truncated", size)
	}
	var tail [8]byte
	if _, err := r.file.ReadAt(tail[:], size-8); err != nil {
		return nil, 0, err
	}
	if string(tail[4:]) != magic {
		return nil, 0, fmt.Errorf("no %s at the end: truncated or no Parquet file", magic)
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n > size-8-int64(len(magic)) {
		return nil, 0, fmt.Errorf("a footer of %d bytes in a file of %d: truncated", n, size)
	}
	b := make([]byte, n)
	if _, err := r.file.ReadAt(b, size-8-n); err != nil {
		return nil, 0, err
	}
	whole = new(format.FileMetaData)
	if _, err := unmarshal(b, whole); err != nil {
		return nil, 0, fmt.Errorf("footer: %w", err)
	}
	return whole, size - 8 - n, nil
}

// bind finds the wanted columns in the file.
func (r *Reader) bind(wanted []string) error {
	cols := r.table.Columns()
	// A name that the table does not have is a mistake of the caller, and would otherwise read nothing in silence.
	for _, name := range wanted {
		if !slices.ContainsFunc(cols, func(c schema.Column) bool { return c.Name == name }) {
			return fmt.Errorf("the table has no column %q", name)
		}
	}
	for _, c := range cols {
		if len(wanted) > 0 && !slices.Contains(wanted, c.Name) {
			continue
		}
		l, ok := r.meta.leaves[c.Name]
		if !ok {
			return fmt.Errorf("the file has no flat column %q", c.Name)
		}
		want := physicalType(kindOf(c))
		if l.physical != want && !(want == format.Int64 && l.physical == format.Int32) {
			return fmt.Errorf("column %s is %s, want %s", c.Name, l.physical, want)
		}
		r.columns = append(r.columns, bound{c, l})
	}
	return nil
}

// boundedReader refuses lists that are longer than the bytes they would be read from, for which the
// library would ask for memory first.
type boundedReader struct {
	thrift.BytesReader
	size int
}

// ReadList implements thrift.Reader.
func (b *boundedReader) ReadList() (thrift.List, error) {
	l, err := b.BytesReader.ReadList()
	if err == nil && (l.Size < 0 || int(l.Size) > b.size-b.BytesRead()) {
		err = fmt.Errorf("a list of %d elements in %d bytes", l.Size, b.size-b.BytesRead())
	}
	return l, err
}

// unmarshal decodes a structure at the start of b and returns its length.
// It is for footers and page headers, both in Thrift's compact protocol.
func unmarshal(b []byte, v any) (int, error) {
	r := &boundedReader{compact.NewReaderFromBytes(b), len(b)}
	err := thrift.NewDecoder(r).Decode(v)
	return r.BytesRead(), err
}
