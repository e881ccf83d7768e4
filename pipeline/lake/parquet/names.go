package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
)

// names are the strings behind the codes of a column. Code c is name number c+shift, so that number 0 is
// null: NoCode overflows to it, and a nullable enumeration, whose null is 0, has no shift.
// Tables keep names once, in dictionaries; a file has for every chunk a dictionary of the names that the chunk
// uses.
type names struct {
	dict     *schema.Dictionary // of a column of codes; nil for an enumeration
	words    []string           // of an enumeration
	shift    uint32             // 0 or 1, see above
	nullable bool
}

// len is the number of numbers, the one of null included.
func (n names) len() int {
	if n.dict != nil {
		return n.dict.Len() + int(n.shift)
	}
	return len(n.words) + int(n.shift)
}

// at is the name of a number. Parquet strings are UTF-8, and some readers refuse whole files that have
// other bytes; such bytes are replaced.
// It is called once for every name of a chunk, not for every row.
func (n names) at(number uint32) string {
	s := ""
	if n.dict != nil {
		s = n.dict.Name(number - n.shift)
	} else {
		s = n.words[number-n.shift]
	}
	if utf8.ValidString(s) { // eight bytes at a time where they are ASCII
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// nameChunk writes a dictionary of the names that s uses, in order of first appearance, and s as
// positions in it.
// The order of first appearance makes the bytes depend on the rows only, and not on the codes of the table.
func nameChunk[T uint8 | uint32](e *encoder, s []T, n names) error {
	values, err := indexNames(e, s, n)
	if err != nil {
		return err
	}
	return e.namePages(len(s), values, n)
}

// namePages writes the pages of some rows, of which so many have a name: that of e.used at the position in e.index.
func (e *encoder) namePages(rows, values int, n names) error {
	if values == 0 { // without values there is no dictionary, and PLAIN needs none
		e.beginPage(rows, 0, n.nullable)
		return e.endPage(rows, rows, format.Plain)
	}
	// Encode the positions, in as few bits as their number needs, since they say whether the chunk is compressed. One name
	// needs none: the positions are one run of zeros.
	width := bits.Len32(uint32(len(e.used) - 1))
	e.positions = append(e.positions[:0], byte(width))
	if width == 0 {
		e.positions = binary.AppendUvarint(e.positions, uint64(values)<<1)
	} else {
		var err error
		if e.encoded, err = (&rle.Encoding{BitWidth: width}).EncodeInt32(e.encoded, e.index[:values]); err != nil {
			return err
		}
		e.positions = append(e.positions, e.encoded...)
	}
	e.choose(e.positions)
	// Write the names, as many as there are in use, then the positions.
	if err := e.writeDictionary(n); err != nil {
		return err
	}
	e.beginPage(rows, values, n.nullable)
	e.page = append(e.page, e.positions...)
	return e.endPage(rows, rows-values, format.RLEDictionary)
}

// indexNames sets e.used, e.index and, where there are nulls, e.levels, and returns the number of values.
// Its table local has an entry for every name of the column's dictionary, so a row costs one look-up and no
// hashing. Only the entries in use are cleared afterwards.
func indexNames[T uint8 | uint32](e *encoder, s []T, n names) (int, error) {
	size := n.len()
	if cap(e.local) < size { // always all zero between chunks
		e.local = make([]int32, size+size/4)
	}
	e.local = e.local[:size]
	local := e.local
	e.used = e.used[:0]
	// Columns with one value all through are common: the component of a bucket, nulls of a trace without messages.
	if constant(s) {
		return e.indexConstant(uint32(s[0])+n.shift, len(s), n)
	}
	// Position -1 marks null: see translate.
	if n.nullable && size > 0 {
		local[0] = -1
	}
	values, err := translate(e, s, n.shift, local)
	for _, number := range e.used {
		local[number] = 0
	}
	if size > 0 {
		local[0] = 0
	}
	return values, err
}

// translate is the loop over all rows. Null has the position -1 in local, so it needs no branch: what is
// written for it is overwritten by the next value.
// Codes are checked as they are used, since a table with a wrong code must not become a file.
func translate[T uint8 | uint32](e *encoder, s []T, shift uint32, local []int32) (int, error) {
	e.index = resize(e.index, len(s)+1)
	e.levels = resize(e.levels, len(s))
	index, levels, k := e.index, e.levels[:len(s)], 0
	for i, c := range s {
		number := uint32(c) + shift // NoCode becomes 0
		if uint64(number) >= uint64(len(local)) {
			return 0, errCode(c, local, shift)
		}
		p := local[number]
		if p == 0 {
			if number == 0 && shift == 1 {
				return 0, errNull
			}
			p = e.use(number)
		}
		index[k] = p - 1
		level := uint8(1 - uint32(p)>>31) // 0 for the negative position of null
		levels[i] = level
		k += int(level)
	}
	return k, nil
}

// use gives a name the next position. It stays out of the loop, which is faster without it.
//
//go:noinline
func (e *encoder) use(number uint32) int32 {
	e.used = append(e.used, number)
	p := int32(len(e.used))
	e.local[number] = p
	return p
}

var errNull = errors.New("a null in a required column")

// errCode names a code without a name, which is a fault of the table's maker.
func errCode[T uint8 | uint32](c T, local []int32, shift uint32) error {
	return fmt.Errorf("code %d where there are %d names", c, len(local)-int(shift))
}

// indexConstant is indexNames for n equal numbers, which need neither index nor levels.
// The checks are those of translate.
func (e *encoder) indexConstant(number uint32, rows int, n names) (int, error) {
	switch {
	case number == 0 && n.nullable:
		return 0, nil
	case number == 0 && n.shift == 1:
		return 0, errNull
	case int64(number) >= int64(n.len()):
		return 0, fmt.Errorf("code %d where there are %d names", number-n.shift, n.len()-int(n.shift))
	}
	e.used = append(e.used, number)
	return rows, nil
}

// constant reports whether all elements of a slice that is not empty are equal. For most columns it stops after a few.
// A slice without elements is not constant.
func constant[T uint8 | uint32](s []T) bool {
	for _, c := range s {
		if c != s[0] {
			return false
		}
	}
	return len(s) > 0
}

// writeDictionary writes the names of e.used and takes the bounds from them.
// The bounds of strings are those of their bytes, as the format demands.
func (e *encoder) writeDictionary(n names) error {
	lo, hi := n.at(e.used[0]), n.at(e.used[0])
	e.page = e.page[:0]
	for _, number := range e.used {
		s := n.at(number)
		lo, hi = min(lo, s), max(hi, s)
		e.page = append(binary.LittleEndian.AppendUint32(e.page, uint32(len(s))), s...)
	}
	e.meta.Statistics.MinValue = []byte(lo)
	e.meta.Statistics.MaxValue = []byte(hi)
	e.meta.DictionaryPageOffset = e.base + int64(len(e.out))
	e.meta.Encoding = append(e.meta.Encoding, format.Plain)
	return e.writePage(e.page, format.Plain, format.PageHeader{
		Type: format.DictionaryPage,
		DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{
			NumValues: int32(len(e.used)),
			Encoding:  format.Plain,
		}),
	})
}
