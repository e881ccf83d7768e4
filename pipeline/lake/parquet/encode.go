package parquet

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
)

// maxPageBytes bounds a page; its length must fit the signed 32 bits of the page header.
const maxPageBytes = math.MaxInt32 / 2

// encoder holds the memory for encoding one row group. It is pooled, since a program writes many files
// at the same time but encodes few row groups at the same time.
type encoder struct {
	out          []byte                // the row group so far
	base         int64                 // offset of out in the file
	meta         format.ColumnMetaData // of the chunk written last
	dataPageSize int32                 // of the chunk written last, with its header, in bytes

	levels    []uint8  // definition levels: 1 is a value, 0 is null
	ints      []int64  // the values that are not null
	index     []int32  // positions in the chunk's dictionary
	local     []int32  // by name: 1 + its position in the chunk's dictionary, 0 unseen
	used      []uint32 // the names of the chunk's dictionary
	encoded   []byte   // output of the encodings
	positions []byte   // in the dictionary, encoded
	page      []byte   // the page before compression
	squeezed  []byte   // the page after compression
	zstd      *zstd.Encoder
	judge     bool   // whether the bytes of the chunk say if it is compressed
	twins     []twin // name chunks of the row group
}

// Frames have no checksum of their own, as pages have one.
var encoders = sync.Pool{New: func() any {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true))
	if err != nil {
		panic(err) // the options are constants
	}
	return &encoder{zstd: z}
}}

// begin starts a row group at an offset of the file.
func (e *encoder) begin(base int64) {
	e.base = base
	// Memory is kept, but the twins point into tables of the caller, and must not keep these alive.
	e.out = e.out[:0]
	clear(e.twins)
	e.twins = e.twins[:0]
}

// chunk appends the column chunk of rows from to to, and leaves its metadata in e.meta.
// The bytes follow from the values alone: neither the pool nor the other columns show in them.
// The codec is that of the column's chunk in the first row group. There it is zstd, unless the values show that this does not pay.
func (e *encoder) chunk(c schema.Column, from, to int, codec format.CompressionCodec, first bool) error {
	e.beginChunk(c, to-from, codec, first)
	// Everything from here on is this chunk: an optional dictionary page and one data page.
	start := len(e.out)
	var err error
	switch kindOf(c) {
	case intsKind:
		err = e.intChunk((*c.Ints)[from:to], c.Nullable)
	case codesKind:
		codes, n := (*c.Codes)[from:to], names{dict: c.Dict, shift: 1, nullable: c.Nullable}
		// A copy has all metadata already, its size included.
		if e.copyTwin(codes, n) {
			return nil
		}
		err = nameChunk(e, codes, n)
		e.meta.TotalCompressedSize = int64(len(e.out) - start)
		e.remember(codes, n, start)
	case enumKind:
		n := names{words: c.Words, shift: 1}
		// The word 0 of a nullable enumeration is null, so it is no name.
		if c.Nullable {
			n.shift, n.nullable = 0, true
		}
		err = nameChunk(e, (*c.Enum)[from:to], n)
	case boolsKind:
		err = e.boolChunk((*c.Bools)[from:to])
	case floatsKind:
		err = e.floatChunk((*c.Floats)[from:to], c.Nullable)
	}
	e.meta.TotalCompressedSize = int64(len(e.out) - start)
	return err
}

// beginChunk begins the metadata of the chunk of n rows of a column.
func (e *encoder) beginChunk(c schema.Column, n int, codec format.CompressionCodec, first bool) {
	e.meta = format.ColumnMetaData{
		Type:         physicalType(kindOf(c)),
		PathInSchema: []string{c.Name},
		Codec:        codec,
		NumValues:    int64(n),
	}
	e.judge = first
}

// intChunk writes integers as differences, which suit times and sequence numbers: they mostly ascend by
// little, and every 32 differences are stored in the bits that the largest of them needs.
// The sum of the bits is close to the entropy of such columns, and zstd finds little more, but where numbers repeat.
func (e *encoder) intChunk(s []int64, nullable bool) error {
	n := len(s)
	if nullable {
		s = e.dropNulls(s)
	}
	if err := e.intPage(n, s, nullable); err != nil {
		return err
	}
	// What stands for null is the least of all integers, so the minimum shows it.
	if lo := e.meta.Statistics.MinValue; lo != nil && int64(binary.LittleEndian.Uint64(lo)) == schema.NoValue {
		return errNull
	}
	return nil
}

// intPage writes the integers of n rows, of which the levels say where they are missing.
func (e *encoder) intPage(n int, s []int64, nullable bool) error {
	if len(s) > 0 {
		lo, hi := bounds(s)
		e.meta.Statistics.MinValue = binary.LittleEndian.AppendUint64(nil, uint64(lo))
		e.meta.Statistics.MaxValue = binary.LittleEndian.AppendUint64(nil, uint64(hi))
	}
	e.beginPage(n, len(s), nullable)
	var err error
	if e.encoded, err = new(delta.BinaryPackedEncoding).EncodeInt64(e.encoded, s); err != nil {
		return err
	}
	if len(e.page) == 0 { // without levels the encoded values are all of the page
		e.page, e.encoded = e.encoded, e.page
	} else {
		e.page = append(e.page, e.encoded...)
	}
	e.choose(e.page)
	return e.endPage(n, n-len(s), format.DeltaBinaryPacked)
}

// dropNulls returns the values of s and sets the levels. It copies nothing where there are no nulls.
// The second loop has no branch that depends on the data: a null is written and then overwritten by the next
// value.
func (e *encoder) dropNulls(s []int64) []int64 {
	nulls := 0
	for _, v := range s {
		if v == schema.NoValue {
			nulls++
		}
	}
	// All values or none: beginPage writes the levels as one run and needs none of ours.
	if nulls == 0 || nulls == len(s) {
		return s[nulls:]
	}
	e.levels = resize(e.levels, len(s))
	e.ints = resize(e.ints, len(s)+1) // one more for a null at the end
	levels, ints, k := e.levels[:len(s)], e.ints, 0
	for i, v := range s {
		ints[k] = v
		var level uint8
		if v != schema.NoValue {
			level = 1
		}
		levels[i] = level
		k += int(level)
	}
	return ints[:k]
}

// bounds returns the minimum and the maximum of values. Four neighbours go to four minima and maxima, since each of these has to
// wait for the value before: that takes six tenths of the time.
func bounds(s []int64) (lo, hi int64) {
	lo, hi = s[0], s[0]
	lo2, hi2, lo3, hi3, lo4, hi4 := lo, hi, lo, hi, lo, hi
	for ; len(s) >= 4; s = s[4:] {
		a, b, c, d := s[0], s[1], s[2], s[3]
		lo, hi, lo2, hi2 = min(lo, a), max(hi, a), min(lo2, b), max(hi2, b)
		lo3, hi3, lo4, hi4 = min(lo3, c), max(hi3, c), min(lo4, d), max(hi4, d)
	}
	for _, v := range s {
		lo, hi = min(lo, v), max(hi, v)
	}
	return min(lo, lo2, lo3, lo4), max(hi, hi2, hi3, hi4)
}

// boolChunk writes truth values eight to a byte. The bounds are false and true, or equal where all values are.
func (e *encoder) boolChunk(s []bool) error {
	e.beginPage(len(s), len(s), false)
	// all stays 1 while every value is true; none becomes more than 0 with the first true one.
	var all, none byte = 1, 0
	for len(s) >= 8 {
		var b byte
		for i, v := range s[:8:8] {
			b |= bit(v) << i
		}
		if b != 0xff {
			all = 0
		}
		none |= b
		e.page = append(e.page, b)
		s = s[8:]
	}
	if len(s) > 0 {
		var b byte
		for i, v := range s {
			b |= bit(v) << i
			all &= bit(v)
		}
		none |= b
		e.page = append(e.page, b)
	}
	e.meta.Statistics.MinValue = []byte{all}
	e.meta.Statistics.MaxValue = []byte{min(none, 1)}
	e.choose(e.page)
	return e.endPage(int(e.meta.NumValues), 0, format.Plain)
}

// bit returns 1 for true. The compiler makes no branch of it.
func bit(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// beginPage starts a data page of n rows with its definition levels. Where all rows or none have a value, the levels are one
// run; otherwise those in e.levels.
func (e *encoder) beginPage(n, values int, nullable bool) {
	e.page = e.page[:0]
	if !nullable {
		return
	}
	e.page = append(e.page, 0, 0, 0, 0) // the length of the levels
	switch values {
	case n:
		e.page = append(binary.AppendUvarint(e.page, uint64(n)<<1), 1)
	case 0:
		e.page = append(binary.AppendUvarint(e.page, uint64(n)<<1), 0)
	default:
		// EncodeLevels fails only for levels wider than a byte.
		e.encoded, _ = (&rle.Encoding{BitWidth: 1}).EncodeLevels(e.encoded, e.levels[:n])
		e.page = append(e.page, e.encoded...)
	}
	binary.LittleEndian.PutUint32(e.page, uint32(len(e.page)-4))
}

// endPage writes the data page in e.page and completes the metadata of the chunk, which has no further page.
// The level encoding is listed even without levels, as all writers do.
func (e *encoder) endPage(n, nulls int, enc format.Encoding) error {
	e.meta.Statistics.NullCount = int64(nulls)
	e.meta.DataPageOffset = e.base + int64(len(e.out))
	e.meta.Encoding = append(e.meta.Encoding, enc)
	if enc != format.RLE {
		e.meta.Encoding = append(e.meta.Encoding, format.RLE)
	}
	before := len(e.out)
	err := e.writePage(e.page, enc, format.PageHeader{
		Type: format.DataPage,
		DataPageHeader: thrift.New(format.DataPageHeader{
			NumValues:               int32(n),
			Encoding:                enc,
			DefinitionLevelEncoding: format.RLE,
			RepetitionLevelEncoding: format.RLE,
			Statistics:              format.Statistics{NullCount: int64(nulls)},
		}),
	})
	e.dataPageSize = int32(len(e.out) - before)
	return err
}

// writePage appends a page to the row group: its header, then the compressed body with a checksum (CRC-32 of the bytes as they
// are stored, as the format demands).
// What compression hardly makes smaller is stored as it is, so that neither writing nor reading spends time on it.
func (e *encoder) writePage(body []byte, enc format.Encoding, h format.PageHeader) error {
	if len(body) > maxPageBytes {
		return fmt.Errorf("a page of %d bytes is too long", len(body))
	}
	stored := body
	if e.meta.Codec != format.Uncompressed {
		e.squeezed = e.zstd.EncodeAll(body, e.squeezed[:0])
		stored = e.squeezed
	}
	h.UncompressedPageSize = int32(len(body))
	h.CompressedPageSize = int32(len(stored))
	h.CRC = int32(crc32.ChecksumIEEE(stored))
	header, err := thrift.Marshal(&compact, &h)
	if err != nil {
		return err
	}
	e.out = append(append(e.out, header...), stored...)
	e.meta.TotalUncompressedSize += int64(len(header) + len(body))
	e.meta.EncodingStats = append(e.meta.EncodingStats,
		format.PageEncodingStats{PageType: h.Type, Encoding: enc, Count: 1})
	return nil
}

// A page up to shortPage is compressed unseen, one longer than longPage is judged by two probes of it, and one between by all of it.
const (
	shortPage = 1 << 11
	longPage  = 1 << 13
	probe     = 1 << 11 // bytes
)

// choose decides whether the chunk of the first row group is compressed: where that leaves out a half of its bytes at least. It
// compresses a piece of a long page behind its first and one behind its second third, so that the answer follows from the bytes of the
// page alone.
//
// Differences of times do not become smaller, and they are most of all bytes; numbers that repeat do. To compress a byte takes as much
// time as to write three, so what is left out must be much: pages of names and of numbers that lose a third are stored as they are.
func (e *encoder) choose(page []byte) {
	if !e.judge || len(page) <= shortPage {
		return
	}
	before, after := 0, 0
	try := func(piece []byte) {
		e.squeezed = e.zstd.EncodeAll(piece, e.squeezed[:0])
		before, after = before+len(piece), after+len(e.squeezed)
	}
	if len(page) <= longPage {
		try(page)
	} else {
		for _, from := range []int{len(page) / 3, len(page) / 3 * 2} {
			try(page[from : from+probe])
		}
	}
	if after > before/2 {
		e.meta.Codec = format.Uncompressed
	}
}

// resize returns a slice of n elements in the memory of s if it is enough; their values are arbitrary.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
