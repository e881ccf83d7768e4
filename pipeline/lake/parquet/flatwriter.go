package parquet

import (
	"encoding/binary"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
)

// flatGroupRows is the number of rows of every row group but the last of a file of flat rows. The values of one row group are in memory.
const flatGroupRows = 1 << 14

// fewBytes is what a column of the first row group must have for it to be compressed: less is not worth a frame.
const fewBytes = 256

// flatWriter writes flat rows column by column: it takes a third of the time that the library takes, which goes from row to row by reflection.
type flatWriter struct {
	*Writer
	size    uintptr // of a row, in bytes
	columns []*rowColumn
	waiting int // rows of the next row group
}

// newFlatWriter starts a file of rows of a type, or returns nil where some field is none that it writes: a list, a structure in a structure, an integer
// of 32 bits, or a field whose encoding is asked for.
func newFlatWriter(w io.Writer, key Key, row reflect.Type) *flatWriter {
	if row.Kind() != reflect.Struct || row.NumField() == 0 {
		return nil
	}
	f := &flatWriter{Writer: &Writer{GroupRows: flatGroupRows, Key: key, out: w}, size: row.Size()}
	for i := range row.NumField() {
		c, column := newRowColumn(row.Field(i))
		if c == nil {
			return nil
		}
		f.columns, f.Writer.columns = append(f.columns, c), append(f.Writer.columns, column)
	}
	return f
}

// room is how many rows the next row group has room for.
func (f *flatWriter) room() int { return flatGroupRows - f.waiting }

// write takes some rows, of which the first one begins at an address. There must be room for them.
func (f *flatWriter) write(rows unsafe.Pointer, n int) error {
	for _, c := range f.columns {
		c.gather(unsafe.Add(rows, c.offset), n, f.size)
	}
	if f.waiting += n; f.room() > 0 {
		return nil
	}
	return f.flush()
}

// flush writes the rows that wait as a row group.
func (f *flatWriter) flush() error {
	err := f.writeGroup(f.waiting, func(e *encoder, i int, codec format.CompressionCodec, first bool) error {
		if first && f.columns[i].bytes() <= fewBytes {
			codec = format.Uncompressed
		}
		e.beginChunk(f.Writer.columns[i], f.waiting, codec, first)
		start := len(e.out)
		err := f.columns[i].encode(e, f.waiting)
		e.meta.TotalCompressedSize = int64(len(e.out) - start)
		return err
	})
	for _, c := range f.columns {
		c.reset()
	}
	f.waiting = 0
	return err
}

// close writes what is left of the rows, and the footer.
func (f *flatWriter) close() error {
	if f.waiting > 0 {
		if err := f.flush(); err != nil {
			return err
		}
	}
	return f.writeFooter()
}

// rowColumn gathers the values of a field of rows. One of its slices has the values that are not missing.
type rowColumn struct {
	offset   uintptr // of the field in a row
	kind     reflect.Kind
	pointer  bool // the field is a pointer, and nil is null
	nullable bool // the column has nulls: those of pointers, or empty texts

	levels []uint8 // by row, where the column has nulls: 1 is a value, 0 is null
	ints   []int64
	floats []float64
	bools  []bool
	index  []int32          // of texts: positions in words
	words  []string         // by first appearance
	known  map[string]int32 // positions in words
	recent *[recentTexts]placed
}

// recentTexts is how many texts are found by where they lie in memory. Rows of a table share the texts of few names.
const recentTexts = 256

// placed is a text, by where it lies, and its position in words.
type placed struct {
	text     string
	position int32
}

// newRowColumn returns the column of a field, or nil where it is none that is written so.
func newRowColumn(field reflect.StructField) (*rowColumn, schema.Column) {
	name, options, _ := strings.Cut(field.Tag.Get("parquet"), ",")
	c := &rowColumn{offset: field.Offset, kind: field.Type.Kind()}
	if c.kind == reflect.Pointer {
		c.kind, c.pointer, c.nullable = field.Type.Elem().Kind(), true, true
	}
	out := schema.Column{Name: name}
	for option := range strings.SplitSeq(options, ",") {
		id, isID := strings.CutPrefix(option, "id(")
		switch {
		case isID:
			n, err := strconv.ParseInt(strings.TrimSuffix(id, ")"), 10, 32)
			if err != nil {
				return nil, out
			}
			out.ID = int32(n)
		case option == "optional" && (c.pointer || c.kind == reflect.String):
			c.nullable = true
		case option == "dict" || option == "":
		default:
			return nil, out
		}
	}
	switch {
	case name == "" || name == "-" || !field.IsExported():
		return nil, out
	case c.kind == reflect.Int64:
		out.Ints = &c.ints
	case c.kind == reflect.Float64:
		out.Floats = &c.floats
	case c.kind == reflect.Bool && !c.pointer:
		out.Bools = &c.bools
	case c.kind == reflect.String && !c.pointer:
		out.Codes, c.known, c.recent = new([]schema.Code), make(map[string]int32), new([recentTexts]placed)
	default:
		return nil, out
	}
	out.Nullable = c.nullable
	return c, out
}

// reset drops the values of a row group that was written.
func (c *rowColumn) reset() {
	c.levels, c.ints, c.floats, c.bools, c.index = c.levels[:0], c.ints[:0], c.floats[:0], c.bools[:0], c.index[:0]
	clear(c.words)
	c.words = c.words[:0]
	clear(c.known)
	if c.recent != nil {
		clear(c.recent[:])
	}
}

// bytes is about what the values take that were gathered.
func (c *rowColumn) bytes() (n int) {
	for _, word := range c.words {
		n += len(word)
	}
	return n + 8*len(c.ints) + 8*len(c.floats) + len(c.bools)/8 + 4*len(c.index)
}

// gather takes the values of the field of n rows of a size. That of the first row is at an address.
func (c *rowColumn) gather(at unsafe.Pointer, n int, size uintptr) {
	switch {
	case c.kind == reflect.String:
		c.gatherTexts(at, n, size)
	case c.kind == reflect.Int64 && c.pointer:
		c.ints = gatherPointers(c, c.ints, at, n, size)
	case c.kind == reflect.Int64:
		c.ints = gatherValues(c.ints, at, n, size)
	case c.kind == reflect.Float64 && c.pointer:
		c.floats = gatherPointers(c, c.floats, at, n, size)
	case c.kind == reflect.Float64:
		c.floats = gatherValues(c.floats, at, n, size)
	default:
		c.bools = gatherValues(c.bools, at, n, size)
	}
}

// gatherValues appends the values of a field of n rows.
func gatherValues[T any](to []T, at unsafe.Pointer, n int, size uintptr) []T {
	to = slices.Grow(to, n)
	for i := range n {
		to = append(to, *field[T](at, i, size))
	}
	return to
}

// gatherPointers appends the values behind a field of n rows, and which of them are missing.
func gatherPointers[T any](c *rowColumn, to []T, at unsafe.Pointer, n int, size uintptr) []T {
	c.levels = slices.Grow(c.levels, n)
	for i := range n {
		p := *field[*T](at, i, size)
		if p == nil {
			c.levels = append(c.levels, 0)
			continue
		}
		c.levels, to = append(c.levels, 1), append(to, *p)
	}
	return to
}

// gatherTexts takes the texts of a field. A text at a place where one was found not long ago needs no look-up: as it is kept, it is the same.
func (c *rowColumn) gatherTexts(at unsafe.Pointer, n int, size uintptr) {
	for i := range n {
		s := *field[string](at, i, size)
		if c.nullable {
			if s == "" {
				c.levels = append(c.levels, 0)
				continue
			}
			c.levels = append(c.levels, 1)
		}
		place := unsafe.StringData(s)
		r := &c.recent[(uintptr(unsafe.Pointer(place))>>3^uintptr(len(s)))%recentTexts]
		if unsafe.StringData(r.text) != place || len(r.text) != len(s) || place == nil {
			*r = placed{s, c.position(s)}
		}
		c.index = append(c.index, r.position)
	}
}

// position returns the position of a text among the words.
func (c *rowColumn) position(s string) int32 {
	p, is := c.known[s]
	if !is {
		p = int32(len(c.words))
		c.words, c.known[s] = append(c.words, s), p
	}
	return p
}

// encode appends the chunk of n rows.
func (c *rowColumn) encode(e *encoder, n int) error {
	e.levels = append(e.levels[:0], c.levels...)
	switch c.kind {
	case reflect.String:
		return c.encodeTexts(e, n)
	case reflect.Int64:
		return e.intPage(n, c.ints, c.nullable)
	case reflect.Float64:
		return c.encodeFloats(e, n)
	}
	return e.boolChunk(c.bools)
}

// encodeTexts appends a chunk of texts.
func (c *rowColumn) encodeTexts(e *encoder, n int) error {
	e.used = e.used[:0]
	for i := range c.words {
		e.used = append(e.used, uint32(i))
	}
	e.index = append(e.index[:0], c.index...)
	return e.namePages(n, len(c.index), names{words: c.words, nullable: c.nullable})
}

// encodeFloats appends a chunk of fractions. One of them may be NaN, which is a value here; bounds could not enclose it, so that there are none.
func (c *rowColumn) encodeFloats(e *encoder, n int) error {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range c.floats {
		lo, hi = min(lo, v), max(hi, v) // NaN stays
	}
	if len(c.floats) > 0 && lo == lo {
		e.boundFloats(lo, hi)
	}
	e.beginPage(n, len(c.floats), c.nullable)
	for _, v := range c.floats {
		e.page = binary.LittleEndian.AppendUint64(e.page, math.Float64bits(v))
	}
	e.choose(e.page)
	return e.endPage(n, n-len(c.floats), format.Plain)
}
