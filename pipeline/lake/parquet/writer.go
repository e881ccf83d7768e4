// Package parquet writes and reads the tables of schema as Parquet, column by column.
//
// A table already is what Parquet wants: slices of integers and of codes that index a dictionary. So no
// row is ever built and no string is hashed. A row group has for every column one chunk of one data page
// (format: github.com/apache/parquet-format, README.md and Encodings.md):
//
//	integers     INT64, DELTA_BINARY_PACKED
//	names        BYTE_ARRAY (STRING), a PLAIN dictionary of the names in use, RLE_DICTIONARY indexes
//	enumerations the same
//	truth values BOOLEAN, PLAIN (bit packed; readers disagree on its RLE form)
//	fractions    DOUBLE, PLAIN; NaN is null
//
// Pages are version 1 and have checksums. They are compressed by zstd level 1, except for those of columns that it would not
// halve, which the first row group shows. Nulls are RLE definition levels.
// Chunks have exact bounds and null counts, and files a page index. The same rows give the same bytes,
// however they were handed over.
//
// Tables of few rows go through WriteRows and ReadRows, which take Go structs. Flat ones are gathered into columns and encoded alike.
package parquet

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
)

// RowGroupRows is the number of rows of every row group but the last.
const RowGroupRows = 1 << 16

// Summary counts the contents of a finished file.
type Summary struct {
	Rows  int64 // in all row groups
	Bytes int64 // of the whole file
}

// Writer writes one file. It keeps no rows, only the footer.
// Errors stay: after one, every further call returns it, and the caller removes the file.
type Writer struct {
	// GroupRows is the number of rows of every row group but the last, where that is not RowGroupRows. It is
	// set before the first rows are written.
	GroupRows int
	// Key is the column that the file has behind those of the table, if it has a name. It is set before the first rows are written.
	Key Key

	out     io.Writer
	columns []schema.Column // names and types, taken once
	groups  []format.RowGroup
	pages   []int32 // bytes of every chunk's only data page, in the order of the file
	offset  int64   // of the next byte in the file
	rows    int64   // written so far
	err     error   // of an earlier call: the file is lost
}

// NewWriter returns a writer of tables with the columns of table. The caller closes w itself.
// The table is looked at for its names and types only.
func NewWriter(w io.Writer, table schema.Columns) *Writer {
	return &Writer{GroupRows: RowGroupRows, out: w, columns: table.Columns()}
}

// WriteFull writes as many full row groups as t has rows for and moves the other rows to the front of
// t's slices, so that row groups do not depend on the batches that rows came in.
// Callers fill a table, call it, and fill up the table again.
func (w *Writer) WriteFull(t schema.Columns) error {
	cols, n, err := w.bind(t)
	if err != nil {
		return err
	}
	return w.writeGroups(cols, n-n%w.GroupRows)
}

// Close writes all rows of t, the last of them as a smaller row group, and the footer. A file without
// rows is valid and has no row group.
func (w *Writer) Close(t schema.Columns) (Summary, error) {
	cols, n, err := w.bind(t)
	if err != nil {
		return Summary{}, err
	}
	if err := w.writeGroups(cols, n); err != nil {
		return Summary{}, err
	}
	if err := w.writeFooter(); err != nil {
		return Summary{}, w.fail(err)
	}
	w.err = errClosed
	return Summary{Rows: w.rows, Bytes: w.offset}, nil
}

var errClosed = errors.New("parquet: the file is already closed")

// writeGroups writes the first n rows and takes them out of the table.
// After an error the rows stay in the table, but the file is lost.
func (w *Writer) writeGroups(cols []schema.Column, n int) error {
	for from := 0; from < n; from += w.GroupRows {
		to := min(from+w.GroupRows, n)
		err := w.writeGroup(to-from, func(e *encoder, i int, codec format.CompressionCodec, first bool) error {
			return e.chunk(cols[i], from, to, codec, first)
		})
		if err != nil {
			return w.fail(err)
		}
	}
	if n > 0 {
		moveToFront(cols, n)
	}
	return nil
}

// bind returns the columns of t, after making sure that they are those of the file and equally long.
// It costs a comparison for each column, once a call.
func (w *Writer) bind(t schema.Columns) ([]schema.Column, int, error) {
	if w.err != nil {
		return nil, 0, w.err
	}
	cols := t.Columns()
	if len(cols) != len(w.columns) || len(cols) == 0 {
		return nil, 0, fmt.Errorf("parquet: the table has %d columns, the file %d", len(cols), len(w.columns))
	}
	n := cols[0].Len()
	for i, c := range cols {
		want := w.columns[i]
		switch {
		// Another column under the same position would be written without any error that a reader could notice.
		case c.Name != want.Name || c.Nullable != want.Nullable || kindOf(c) != kindOf(want):
			return nil, 0, fmt.Errorf("parquet: column %d is %s, the file has %s there", i, c.Name, want.Name)
		case c.Len() != n:
			return nil, 0, fmt.Errorf("parquet: column %s has %d values, column %s has %d", c.Name, c.Len(), cols[0].Name, n)
		}
	}
	return cols, n, nil
}

// fail keeps an error for all later calls: a file with a gap must not be completed.
// It returns the error, so that callers can return it in one line.
func (w *Writer) fail(err error) error {
	w.err = err
	return err
}

// writeGroup writes some rows as one row group: encoded in memory, column by column, then written at once. Encode appends the chunk of a column.
func (w *Writer) writeGroup(rows int, encode func(e *encoder, column int, codec format.CompressionCodec, first bool) error) error {
	if w.offset == 0 {
		if err := w.write([]byte(magic)); err != nil {
			return err
		}
	}
	if len(w.groups) > math.MaxInt16 { // the ordinal of a row group has 16 bits
		return fmt.Errorf("parquet: more than %d row groups in a file", len(w.groups))
	}
	// The row group is encoded in memory first, so that its metadata is complete before a byte is written.
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.begin(w.offset)
	group := format.RowGroup{
		NumRows:    int64(rows),
		FileOffset: w.offset,
		Ordinal:    int16(len(w.groups)),
		Columns:    make([]format.ColumnChunk, 0, w.chunksOfGroup()), // they stay in memory until the file is closed
	}
	for i, c := range w.columns {
		// The codec of a column is the same in all row groups: parquet-go cannot read files in which it changes.
		codec, first := format.Zstd, len(w.groups) == 0
		if !first {
			codec = w.groups[0].Columns[i].MetaData.Codec
		}
		if err := encode(e, i, codec, first); err != nil {
			return fmt.Errorf("parquet: column %s: %w", c.Name, err)
		}
		e.addChunk(&group)
		w.pages = append(w.pages, e.dataPageSize)
	}
	if w.Key.Name != "" {
		if err := e.keyChunk(w.Key, rows); err != nil {
			return fmt.Errorf("parquet: column %s: %w", w.Key.Name, err)
		}
		e.addChunk(&group)
		w.pages = append(w.pages, e.dataPageSize)
	}
	w.groups = append(w.groups, group)
	w.rows += int64(rows)
	return w.write(e.out)
}

// write writes bytes and moves the offset, by which the metadata finds them again.
func (w *Writer) write(b []byte) error {
	n, err := w.out.Write(b)
	w.offset += int64(n)
	return err
}

// moveToFront drops the first n rows.
// The memory of the table is used again.
func moveToFront(cols []schema.Column, n int) {
	for _, c := range cols {
		switch kindOf(c) {
		case intsKind:
			dropFront(c.Ints, n)
		case codesKind:
			dropFront(c.Codes, n)
		case enumKind:
			dropFront(c.Enum, n)
		case boolsKind:
			dropFront(c.Bools, n)
		case floatsKind:
			dropFront(c.Floats, n)
		}
	}
}

// dropFront drops the first n elements of a slice, in place.
func dropFront[T any](s *[]T, n int) {
	*s = (*s)[:copy(*s, (*s)[n:])]
}

// kind says which slice of a schema.Column is set.
type kind uint8

const (
	intsKind kind = iota
	codesKind
	enumKind
	boolsKind
	floatsKind
)

// kindOf returns which slice is set; schema.Column has exactly one.
func kindOf(c schema.Column) kind {
	switch {
	case c.Ints != nil:
		return intsKind
	case c.Floats != nil:
		return floatsKind
	case c.Codes != nil:
		return codesKind
	case c.Enum != nil:
		return enumKind
	default:
		return boolsKind
	}
}
