package spantable

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/tags"
)

// parquetMagic begins and ends files of Parquet.
const parquetMagic = "PAR1"

// isParquet reports whether a file is one of Parquet.
func isParquet(head []byte) bool { return bytes.HasPrefix(head, []byte(parquetMagic)) }

// parquetRows reads a table of Parquet as the CSV that it would be: a header, and a line for each row. So all that is said of tables of spans
// holds for it. Only the columns that spans have are read, a page of each at a time; the fields of others are empty. Times that the file
// knows as such are dates in nanoseconds; bytes that are no text are hexadecimal.
//
// Nothing of an attribute changes what is read of the spans: a column of them that is damaged is empty from there to the end of its row group,
// and its rows are counted; of a value that is too long for an attribute, only so much is written as shows that.
type parquetRows struct {
	file    *parquet.File
	at      io.ReaderAt
	size    int64
	leaves  []*parquet.Column // fields of the header
	wanted  []use             // by leaf
	last    int               // of the leaves that are wanted
	damaged []damage          // of columns of attributes
	group   int               // that is read next
	columns []*parquetColumn  // of the row group in hand, by leaf; nil where it is not wanted
	rows    int64             // of it that are left
	text    []byte            // lines that were made and not yet read
	read    int               // bytes of text that were read
	broken  error             // why the file cannot be read any further
}

// use says what a column of a file is read for.
type use int

const (
	unused use = iota
	asAttribute
	asSpan // something of a span is in it, whatever else it is
)

// damage is what could not be read of a column of attributes.
type damage struct {
	column string
	rows   int64
	err    error
}

// parquetColumn is a column of the row group in hand.
type parquetColumn struct {
	pages   parquet.Pages
	values  parquet.ValueReader // of the page in hand
	buffer  [256]parquet.Value
	at, end int // values in buffer
	digits  func(v parquet.Value, to []byte) []byte
}

// openParquet copies a file, which can be read at any place then, and finds its columns. Whoever calls it closes the copy.
func openParquet(in io.Reader, scratch schema.Scratch, o schema.ReadingOptions) (r *parquetRows, err error) {
	defer recovered(&err)
	size, err := io.Copy(io.NewOffsetWriter(scratch, 0), in)
	if err != nil {
		return nil, &copyError{err}
	}
	if err := checkFooter(scratch, size); err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(scratch, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	if rows := f.NumRows(); rows < 0 || (rows-fewRows)/rowsOfByte > size {
		return nil, fmt.Errorf("expected no more than %d rows in %d bytes, found %d", size*rowsOfByte+fewRows, size, rows)
	}
	r = &parquetRows{file: f, at: scratch, size: size}
	r.addLeaves(f.Root())
	var names []string
	for _, leaf := range r.leaves {
		names = append(names, strings.Join(leaf.Path(), "."))
	}
	r.choose(names, o)
	for i, name := range names {
		if i > 0 {
			r.text = append(r.text, ',')
		}
		r.text = appendField(r.text, []byte(name))
	}
	r.text = append(r.text, '\n')
	return r, nil
}

// addLeaves adds the columns within a column that have one value in a row.
func (r *parquetRows) addLeaves(of *parquet.Column) {
	for _, c := range of.Columns() {
		switch {
		case c.Repeated():
		case c.Leaf():
			r.leaves = append(r.leaves, c)
		default:
			r.addLeaves(c)
		}
	}
}

// copyError is an error of the input or of scratch files, and none of the table.
type copyError struct{ error }

func (e *copyError) Unwrap() error { return e.error }

// choose finds the columns that spans have.
func (r *parquetRows) choose(names []string, o schema.ReadingOptions) {
	r.wanted = make([]use, len(r.leaves))
	l, _ := resolve(names, o)
	for _, at := range l.attributes(o) {
		r.wanted[at] = asAttribute
		r.last = max(r.last, at)
	}
	for _, at := range l.at {
		if at != none {
			r.wanted[at] = asSpan
			r.last = max(r.last, at)
		}
	}
}

// recovered makes an error of what a library does not expect of a file that is broken.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("expected a file of Parquet that is whole: %v", p)
	}
}

// Read implements io.Reader. The rows before the place where the file is broken are read.
func (r *parquetRows) Read(to []byte) (n int, err error) {
	for r.read == len(r.text) {
		if r.broken != nil {
			return 0, r.broken
		}
		r.text, r.read = r.text[:0], 0
		if r.broken = r.fill(); errors.Is(r.broken, io.EOF) {
			r.broken = nil
			return 0, io.EOF
		}
	}
	n = copy(to, r.text[r.read:])
	r.read += n
	return n, nil
}

// textBytes is how much text is made at a time.
const textBytes = 64 << 10

// fill makes lines of the next rows.
func (r *parquetRows) fill() error {
	for r.rows == 0 {
		if r.group == len(r.file.RowGroups()) {
			return io.EOF
		}
		if err := r.openGroup(r.group); err != nil {
			return err
		}
		r.group++
	}
	for ; r.rows > 0 && len(r.text) < textBytes; r.rows-- {
		whole := len(r.text)
		if err := r.addRow(); err != nil {
			r.text = r.text[:whole]
			return err
		}
	}
	return nil
}

// addRow adds the line of a row.
func (r *parquetRows) addRow() error {
	for i := range min(r.last+1, len(r.columns)) {
		if i > 0 {
			r.text = append(r.text, ',')
		}
		c := r.columns[i]
		if c == nil {
			continue
		}
		v, err := c.next()
		switch {
		case err != nil && r.wanted[i] == asSpan:
			return err
		case err != nil:
			r.leave(i, err)
		case !v.IsNull():
			r.text = c.digits(v, r.text)
		}
	}
	r.text = append(r.text, '\n')
	return nil
}

// leave leaves a column of attributes out of the rows that are left of a row group.
func (r *parquetRows) leave(leaf int, err error) {
	if c := r.columns[leaf]; c != nil {
		c.close() // whose error says no more of what is damaged
		r.columns[leaf] = nil
	}
	r.damaged = append(r.damaged, damage{strings.Join(r.leaves[leaf].Path(), "."), r.rows, err})
}

// openGroup opens the columns of a row group.
func (r *parquetRows) openGroup(group int) (err error) {
	defer recovered(&err)
	for i, c := range r.columns {
		if c == nil {
			continue
		}
		if err := c.close(); err != nil && r.wanted[i] == asSpan {
			return err
		}
	}
	of := r.file.RowGroups()[group]
	r.rows, r.columns = of.NumRows(), make([]*parquetColumn, len(r.leaves))
	if r.rows < 0 || r.rows > r.file.NumRows() {
		return errors.New("expected row groups with no more rows than the file has")
	}
	for i := range r.leaves {
		if r.wanted[i] == unused {
			continue
		}
		err := r.openColumn(i, of.ColumnChunks(), group)
		switch {
		case err != nil && r.wanted[i] == asSpan:
			return err
		case err != nil:
			r.leave(i, err)
		}
	}
	return nil
}

// openColumn opens a column of a row group.
func (r *parquetRows) openColumn(at int, chunks []parquet.ColumnChunk, group int) (err error) {
	defer recovered(&err)
	leaf, meta := r.leaves[at], &r.file.Metadata().RowGroups[group]
	if err := checkChunk(r.at, r.size, &meta.Columns[leaf.Index()].MetaData, r.rows); err != nil {
		return fmt.Errorf("column %s of row group %d: %w", strings.Join(leaf.Path(), "."), group, err)
	}
	c := &parquetColumn{pages: chunks[leaf.Index()].Pages(), digits: textOf(leaf.Type())}
	if r.wanted[at] == asAttribute {
		c.digits = shortened(c.digits)
	}
	r.columns[at] = c
	return nil
}

// close closes the column.
func (c *parquetColumn) close() (err error) {
	defer recovered(&err)
	return c.pages.Close()
}

// next returns the next value.
func (c *parquetColumn) next() (parquet.Value, error) {
	for c.at == c.end {
		if err := c.fill(); err != nil {
			return parquet.Value{}, err
		}
	}
	c.at++
	return c.buffer[c.at-1], nil
}

// fill reads the next values, or none at the end of a page.
func (c *parquetColumn) fill() (err error) {
	defer recovered(&err)
	if c.values == nil {
		page, err := c.pages.ReadPage()
		if err != nil {
			return errShortColumn(err)
		}
		c.values = page.Values()
	}
	n, err := c.values.ReadValues(c.buffer[:])
	if c.at, c.end = 0, n; err != nil || n == 0 {
		c.values = nil
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	return nil
}

// errShortColumn is the error of a column that ends before the rows do.
func errShortColumn(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// textOf returns how values of a type are written.
func textOf(t parquet.Type) func(v parquet.Value, to []byte) []byte {
	var logical format.LogicalTypeValue
	if l := t.LogicalType(); l != nil {
		logical = l.Value
	}
	switch l := logical.(type) {
	case *format.TimestampType:
		unit := unitOfTimestamp(l)
		return func(v parquet.Value, to []byte) []byte { return appendInstant(to, v.Int64(), unit) }
	case *format.IntType:
		if !l.IsSigned {
			return appendUnsigned
		}
	}
	switch t.Kind() {
	case parquet.Boolean:
		return func(v parquet.Value, to []byte) []byte { return strconv.AppendBool(to, v.Boolean()) }
	case parquet.Int32:
		return func(v parquet.Value, to []byte) []byte { return strconv.AppendInt(to, int64(v.Int32()), 10) }
	case parquet.Int64:
		return func(v parquet.Value, to []byte) []byte { return strconv.AppendInt(to, v.Int64(), 10) }
	case parquet.Float:
		return func(v parquet.Value, to []byte) []byte { return appendFloat(to, float64(v.Float())) }
	case parquet.Double:
		return func(v parquet.Value, to []byte) []byte { return appendFloat(to, v.Double()) }
	case parquet.Int96:
		return func(v parquet.Value, to []byte) []byte { return appendJulian(to, v.Int96()) }
	case parquet.FixedLenByteArray:
		return func(v parquet.Value, to []byte) []byte { return hex.AppendEncode(to, v.ByteArray()) }
	}
	return func(v parquet.Value, to []byte) []byte { return appendBytes(to, v.ByteArray()) }
}

// shortened writes no more of a text than shows that it is too long for an attribute.
func shortened(digits func(v parquet.Value, to []byte) []byte) func(v parquet.Value, to []byte) []byte {
	return func(v parquet.Value, to []byte) []byte {
		if kind := v.Kind(); kind == parquet.ByteArray || kind == parquet.FixedLenByteArray {
			if b := v.ByteArray(); len(b) > tags.MostBytes {
				return appendField(to, bytes.Repeat([]byte{'x'}, tags.MostBytes+1))
			}
		}
		return digits(v, to)
	}
}

// unitOfTimestamp returns the nanoseconds of one of a timestamp.
func unitOfTimestamp(t *format.TimestampType) int64 {
	switch t.Unit.Value.(type) {
	case *format.MilliSeconds:
		return millisecond
	case *format.MicroSeconds:
		return microsecond
	}
	return nanosecond
}

// instantLayout is how times are written that the file knows as such.
const instantLayout = "2006-01-02T15:04:05.999999999Z07:00"

// appendInstant writes a time since 1970.
func appendInstant(to []byte, n, unit int64) []byte {
	per := second / unit
	return time.Unix(n/per, n%per*unit).UTC().AppendFormat(to, instantLayout)
}

// appendJulian writes a time as older programs keep it: the nanoseconds of a day, and the day.
func appendJulian(to []byte, v deprecated.Int96) []byte {
	const epoch, day = 2_440_588, 86_400
	return time.Unix((int64(v[2])-epoch)*day, int64(v[1])<<32|int64(v[0])).UTC().AppendFormat(to, instantLayout)
}

// appendUnsigned writes a number without a sign.
func appendUnsigned(v parquet.Value, to []byte) []byte {
	if v.Kind() == parquet.Int32 {
		return strconv.AppendUint(to, uint64(v.Uint32()), 10)
	}
	return strconv.AppendUint(to, v.Uint64(), 10)
}

// appendFloat writes a number without an exponent; what is none is left out.
func appendFloat(to []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return to
	}
	return strconv.AppendFloat(to, v, 'f', -1, 64)
}

// appendBytes writes a text, or bytes that are none in hexadecimal digits.
func appendBytes(to, b []byte) []byte {
	if !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 {
		return hex.AppendEncode(to, b)
	}
	return appendField(to, b)
}

// appendField writes a field, in quotation marks where it needs them.
func appendField(to, field []byte) []byte {
	if !bytes.ContainsAny(field, ",\"\r\n") && !bytes.HasPrefix(field, []byte{' '}) && !bytes.HasSuffix(field, []byte{' '}) {
		return append(to, field...)
	}
	to = append(to, '"')
	for _, b := range field {
		if to = append(to, b); b == '"' {
			to = append(to, '"')
		}
	}
	return append(to, '"')
}
