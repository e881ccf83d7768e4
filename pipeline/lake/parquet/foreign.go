package parquet

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
)

// foreignChunk appends a chunk that has an encoding or codec which this package never writes: parquet-go
// decodes it value by value.
// It is much slower than the decoder, and only for files of other programs. The whole file is opened
// once more, without its indexes.
func (r *Reader) foreignChunk(s bound, group int) error {
	// A file of ours with a foreign encoding is broken, and the library below may panic on it.
	if r.meta.ours {
		return fmt.Errorf("an encoding that %s does not write", createdBy)
	}
	if r.meta.groups[group].chunks[s.leaf.number].codec == format.Lz4Raw {
		return errLZ4
	}
	if r.foreign == nil {
		f, err := parquet.OpenFile(r.file, r.file.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
		if err != nil {
			return err
		}
		r.foreign = f
	}
	pages := r.foreign.RowGroups()[group].ColumnChunks()[s.leaf.number].Pages()
	defer pages.Close()
	for {
		p, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		// The page's memory is released also after an error.
		err = appendValues(s, p.Values())
		parquet.Release(p)
		if err != nil {
			return err
		}
	}
}

// errLZ4 refuses what parquet-go unpacks to something else: it takes what does not fit for a buffer that is too short, asks for twice as much until there is no memory, and
// leaves the page empty where it had to ask once.
var errLZ4 = errors.New("a column that is packed with LZ4, which cannot be read: write the file with zstd")

// appendValues appends the values of a page, in batches that need no memory of their own.
// The values point into the page; appendValue copies what it keeps.
func appendValues(s bound, values parquet.ValueReader) error {
	var buf [512]parquet.Value
	for {
		n, err := values.ReadValues(buf[:])
		for _, v := range buf[:n] {
			if err := appendValue(s, v); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// appendValue appends one value to the column, converted to what the column holds.
// The column's type fits, as NewReader has checked, but a 32-bit integer is widened.
func appendValue(s bound, v parquet.Value) error {
	c := s.column
	if v.IsNull() {
		return appendNull(s)
	}
	switch kindOf(c) {
	case intsKind:
		if v.Kind() == parquet.Int32 {
			*c.Ints = append(*c.Ints, int64(v.Int32()))
		} else {
			*c.Ints = append(*c.Ints, v.Int64())
		}
	case codesKind:
		*c.Codes = append(*c.Codes, c.Dict.CodeBytes(v.ByteArray()))
	case enumKind:
		code, err := codeOf(c, v.ByteArray())
		if err != nil {
			return err
		}
		*c.Enum = append(*c.Enum, uint8(code))
	case floatsKind:
		*c.Floats = append(*c.Floats, v.Double())
	case boolsKind:
		*c.Bools = append(*c.Bools, v.Boolean())
	}
	return nil
}

// appendNull appends the value that stands for null in the kind of the column.
// Truth values have no null in our tables.
func appendNull(s bound) error {
	c := s.column
	if !c.Nullable {
		return errNoValue
	}
	switch kindOf(c) {
	case intsKind:
		*c.Ints = append(*c.Ints, schema.NoValue)
	case codesKind:
		*c.Codes = append(*c.Codes, schema.NoCode)
	case floatsKind:
		*c.Floats = append(*c.Floats, math.NaN())
	case enumKind:
		*c.Enum = append(*c.Enum, 0)
	case boolsKind:
		return errNoValue
	}
	return nil
}
