package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
)

var errNoValue = errors.New("a null in a column that has none")

// data appends the rows of a data page to the column, nulls included: as NoValue, NoCode or the word 0.
// Nulls are not stored: the levels say where they are, and the values stand without gaps.
func (d *decoder) data(s bound, p dataPage) error {
	if p.rows < 0 || p.rows > maxPageRows {
		return fmt.Errorf("a page of %d rows", p.rows)
	}
	// (1) How many rows have a value, and which?
	values, levels, err := d.validity(p)
	if err != nil {
		return err
	}
	if values < p.rows && !s.column.Nullable {
		return errNoValue
	}
	// (2) Decode the values into the column's own memory, and spread them where there are nulls between them.
	c := s.column
	switch kindOf(c) {
	case intsKind:
		return appendPage(c.Ints, &d.ints, p, values, levels, schema.NoValue, d.intValues)
	case codesKind:
		return appendPage(c.Codes, &d.codes, p, values, levels, schema.NoCode, func(dst []uint32, p dataPage) error {
			return nameValues(d, s, dst, p)
		})
	case enumKind:
		return appendPage(c.Enum, &d.enum, p, values, levels, 0, func(dst []uint8, p dataPage) error {
			return nameValues(d, s, dst, p)
		})
	case floatsKind:
		return d.appendFloats(c.Floats, p, values, levels)
	default:
		return d.appendBools(c.Bools, p)
	}
}

// appendFloats appends a page of fractions. Their bits are decoded as integers, which are stored alike.
func (d *decoder) appendFloats(column *[]float64, p dataPage, values int, levels []uint8) error {
	d.bits = d.bits[:0]
	null := int64(math.Float64bits(math.NaN()))
	if err := appendPage(&d.bits, &d.ints, p, values, levels, null, d.intValues); err != nil {
		return err
	}
	n := len(*column)
	*column = slices.Grow(*column, p.rows)[:n+p.rows]
	for i, b := range d.bits {
		(*column)[n+i] = math.Float64frombits(uint64(b))
	}
	return nil
}

// appendPage appends a page to a column. Where no row or every row is null the values need not be spread.
// The column is grown once a page. Decoders fill a slice of the right length and never append.
func appendPage[T int64 | uint32 | uint8](column, scratch *[]T, p dataPage, values int, levels []uint8, null T, decode func([]T, dataPage) error) error {
	n := len(*column)
	*column = slices.Grow(*column, p.rows)[:n+p.rows]
	dst := (*column)[n:]
	switch {
	case values == p.rows:
		return decode(dst, p)
	case values == 0:
		fill(dst, null)
		return nil
	}
	*scratch = resize(*scratch, values+1) // one more, since trailing nulls look at a next value
	src := *scratch
	if err := decode(src[:values], p); err != nil {
		return err
	}
	src[values] = null
	spread(dst, src, levels, null)
	return nil
}

// spread puts the values in src where levels has a 1, and null elsewhere. It has no branch on the levels, which processors
// cannot predict: it computes both outcomes and selects by a mask. So src must have one element more than values.
// Its time does not depend on the share of nulls.
func spread[T int64 | uint32 | uint8](dst, src []T, levels []uint8, null T) {
	k := 0
	levels = levels[:len(dst)]
	for i := range dst {
		mask := -T(levels[i]) // all ones for a value
		dst[i] = src[k]&mask | null&^mask
		k += int(levels[i])
	}
}

// fill sets all elements of a slice.
func fill[T any](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}

// intValues decodes the integers of a page that are not null.
func (d *decoder) intValues(dst []int64, p dataPage) error {
	switch p.encoding {
	case format.DeltaBinaryPacked:
		return d.delta.decode(dst, p.values)
	case format.Plain:
		if len(p.values) < 8*len(dst) {
			return io.ErrUnexpectedEOF
		}
		for i := range dst {
			dst[i] = int64(binary.LittleEndian.Uint64(p.values[8*i:]))
		}
		return nil
	default:
		return lookUp(d, dst, d.dictInts, p)
	}
}

// nameValues decodes names, as codes of a dictionary or positions in the words of an enumeration.
// PLAIN names are looked up in the dictionary one by one; our own files do not have them.
func nameValues[T uint8 | uint32](d *decoder, s bound, dst []T, p dataPage) error {
	if p.encoding != format.Plain {
		return lookUp(d, dst, d.dictNames, p)
	}
	d.plain = d.plain || len(dst) > 0
	b := p.values
	for i := range dst {
		name, rest, err := plainString(b)
		if err != nil {
			return err
		}
		c, err := codeOf(s.column, name)
		if err != nil {
			return err
		}
		dst[i], b = T(c), rest
	}
	return nil
}

// lookUp decodes positions in a dictionary and replaces them by its entries.
// The first byte is the width of a position in bits; runs follow.
func lookUp[T, E int64 | uint32 | uint8](d *decoder, dst []T, dict []E, p dataPage) error {
	//lint:ignore SA1019 files of other writers still have the old encoding
	if p.encoding != format.RLEDictionary && p.encoding != format.PlainDictionary {
		return fmt.Errorf("encoding %s", p.encoding)
	}
	if len(dst) == 0 {
		return nil
	}
	if len(p.values) == 0 {
		return io.ErrUnexpectedEOF
	}
	width := int(p.values[0])
	runs, err := scanRuns(p.values[1:], width, len(dst))
	if err != nil {
		return err
	}
	// One name for the whole page: no position is decoded.
	if runs.constant {
		if int64(runs.value) >= int64(len(dict)) {
			return fmt.Errorf("position %d in a dictionary of %d", runs.value, len(dict))
		}
		fill(dst, T(dict[runs.value]))
		return nil
	}
	// The library writes whole groups of eight, so there is room for seven positions behind the last.
	d.index = resize(d.index, len(dst)+8)
	d.index, err = (&rle.Encoding{BitWidth: width}).DecodeInt32(d.index, runs.bytes)
	if err != nil {
		return err
	}
	for i, x := range d.index[:len(dst)] {
		if uint64(uint32(x)) >= uint64(len(dict)) { // negative positions are too large as well
			return fmt.Errorf("position %d in a dictionary of %d", uint32(x), len(dict))
		}
		dst[i] = T(dict[x])
	}
	return nil
}

// dictionary decodes a dictionary page of n entries. Names become codes of the table's dictionary here, once for each entry,
// so that rows are copied as numbers and no string is looked up for a row.
// The entries of integer dictionaries are kept as they are.
func (d *decoder) dictionary(s bound, n int, b []byte) error {
	if n < 0 || n > len(b) {
		return fmt.Errorf("a dictionary of %d entries in %d bytes", n, len(b))
	}
	for range n {
		switch s.leaf.physical {
		case format.Int64, format.Double:
			if len(b) < 8 {
				return io.ErrUnexpectedEOF
			}
			d.dictInts = append(d.dictInts, int64(binary.LittleEndian.Uint64(b)))
			b = b[8:]
		case format.ByteArray:
			name, rest, err := plainString(b)
			if err != nil {
				return err
			}
			c, err := codeOf(s.column, name)
			if err != nil {
				return err
			}
			d.dictNames = append(d.dictNames, c)
			b = rest
		default:
			return fmt.Errorf("a dictionary of %s", s.leaf.physical)
		}
	}
	return nil
}

// plainString takes a string in PLAIN encoding, four bytes of length and its bytes, from the front of b.
func plainString(b []byte) (name, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, io.ErrUnexpectedEOF
	}
	n := binary.LittleEndian.Uint32(b)
	if uint64(n) > uint64(len(b)-4) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	return b[4 : 4+n], b[4+n:], nil
}

// codeOf is the code of a name in the column's dictionary, or its position among the words.
func codeOf(c schema.Column, name []byte) (uint32, error) {
	if c.Dict != nil {
		return c.Dict.CodeBytes(name), nil
	}
	if i := slices.IndexFunc(c.Words, func(w string) bool { return w == string(name) }); i >= 0 {
		return uint32(i), nil
	}
	return 0, fmt.Errorf("%.40q is none of %q", name, c.Words)
}

// appendBools appends the truth values of a page without nulls: bit-packed, the lowest bit first, or as runs.
func (d *decoder) appendBools(column *[]bool, p dataPage) error {
	switch p.encoding {
	case format.Plain:
		if len(p.values) < (p.rows+7)/8 {
			return io.ErrUnexpectedEOF
		}
		n := len(*column)
		*column = slices.Grow(*column, p.rows)[:n+p.rows]
		for i := range (*column)[n:] {
			(*column)[n+i] = p.values[i/8]>>(i%8)&1 == 1
		}
		return nil
	case format.RLE:
		return d.appendRLEBools(column, p)
	default:
		return fmt.Errorf("encoding %s", p.encoding)
	}
}

// appendRLEBools appends truth values in the run-length encoding, which other programs write. The length of the runs comes
// first, in four bytes; scanRuns finds the end by itself.
func (d *decoder) appendRLEBools(column *[]bool, p dataPage) error {
	if len(p.values) < 4 {
		return io.ErrUnexpectedEOF
	}
	runs, err := scanRuns(p.values[4:], 1, p.rows)
	if err != nil {
		return err
	}
	n := len(*column)
	*column = slices.Grow(*column, p.rows)[:n+p.rows]
	dst := (*column)[n:]
	if runs.constant {
		fill(dst, runs.value == 1)
		return nil
	}
	d.levels, err = (&rle.Encoding{BitWidth: 1}).DecodeLevels(d.levels, runs.bytes)
	if err != nil {
		return err
	}
	for i := range dst {
		dst[i] = d.levels[i] == 1
	}
	return nil
}
