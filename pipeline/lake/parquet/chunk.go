package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"
)

const (
	// maxPageRows and maxReadBytes bound the memory that a broken page header can ask for.
	maxPageRows  = 1 << 24
	maxReadBytes = 1 << 30
	// slack is free space behind read buffers, so that unpacking need not copy them.
	slack = 64
)

// decoder holds the memory for decoding column chunks. Decoders are pooled: a scan reads one chunk after the other, and
// several scans run at a time, so a decoder for every reader would keep megabytes that nobody uses.
type decoder struct {
	file io.ReaderAt
	size int64 // of the file, in bytes

	raw    []byte  // the chunk as it is stored
	page   []byte  // the page in hand, decompressed
	levels []uint8 // definition levels of the page: 1 is a value, 0 is null
	index  []int32 // positions in the dictionary
	ints   []int64 // the values of the page before nulls are spread between them; codes and enum likewise
	codes  []uint32
	enum   []uint8
	bits   []int64 // of a page of fractions, nulls included
	zstd   *zstd.Decoder
	delta  deltaReader

	dictInts  []int64  // the dictionary page of a column of integers, or of the bits of fractions
	dictNames []uint32 // the dictionary page of a name column, as codes of the table's dictionary
	plain     bool     // names came without a dictionary; set, and never taken back
}

// The decompressor refuses frames that would unpack to more than maxReadBytes, and starts no goroutines.
var decoders = sync.Pool{New: func() any {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxReadBytes))
	if err != nil {
		panic(err) // the options are constants
	}
	return &decoder{zstd: z}
}}

// dataPage is a data page taken apart (parquet-format, section "Data Pages"). Its slices are valid until the next page.
type dataPage struct {
	rows     int             // nulls included
	encoding format.Encoding // of the values
	levels   []byte          // definition levels, still encoded; empty if every row has a value
	values   []byte          // still encoded, without the nulls
}

// chunk appends the values of a column chunk to the column of s. A dictionary page, if there is one, comes first; the data
// pages follow. Every length is checked against the bytes that are left before it is used, because the file may be broken;
// a page with a checksum is checked against it.
// The column grows page by page; after an error it is in no defined state, and the Reader empties it.
func (d *decoder) chunk(s bound, m *chunkMeta) error {
	// (1) Read the whole chunk at once: one request to the storage, whatever the number of its pages.
	if err := d.load(m); err != nil {
		return err
	}
	// (2) Forget the dictionary of the chunk before. A chunk has at most one.
	d.dictInts, d.dictNames = d.dictInts[:0], d.dictNames[:0]
	// (3) Take the pages in turn until all rows are there. Every turn consumes at least a header, so a broken file
	// cannot keep the loop going.
	rest, rows := d.raw, int64(0)
	for rows < m.values {
		var h format.PageHeader
		n, err := unmarshal(rest, &h)
		if err != nil {
			return fmt.Errorf("page header: %w", err)
		}
		rest = rest[n:]
		if h.CompressedPageSize < 0 || int(h.CompressedPageSize) > len(rest) || h.UncompressedPageSize < 0 {
			return fmt.Errorf("a page of %d bytes, %d are left", h.CompressedPageSize, len(rest))
		}
		body := rest[:h.CompressedPageSize]
		rest = rest[h.CompressedPageSize:]
		if h.CRC != 0 && uint32(h.CRC) != crc32.ChecksumIEEE(body) { // zero where the writer left it out
			return errors.New("a page with a wrong checksum")
		}
		k, err := d.anyPage(s, m.codec, &h, body)
		if err != nil {
			return err
		}
		rows += int64(k)
	}
	return nil
}

// load reads the bytes of a chunk.
// The bounds are written so that no sum can overflow, whatever a broken footer says.
func (d *decoder) load(m *chunkMeta) error {
	from, n := m.from, m.size
	if from < int64(len(magic)) || n < 0 || n > d.size-8 || from > d.size-8-n {
		return fmt.Errorf("a chunk of %d bytes at %d in a file of %d", n, from, d.size)
	}
	d.raw = resize(d.raw, int(n)+slack)[:n]
	_, err := d.file.ReadAt(d.raw, from)
	return err
}

// anyPage decodes a page and returns its number of rows.
func (d *decoder) anyPage(s bound, codec format.CompressionCodec, h *format.PageHeader, body []byte) (int, error) {
	switch {
	case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
		page, err := d.decompress(codec, body, int(h.UncompressedPageSize))
		if err != nil {
			return 0, err
		}
		return 0, d.dictionary(s, int(h.DictionaryPageHeader.V.NumValues), page) // a dictionary has no rows
	case h.Type == format.DataPage && h.DataPageHeader.Valid:
		p, err := d.pageV1(s, codec, h, body)
		if err != nil {
			return 0, err
		}
		return p.rows, d.data(s, p)
	case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
		p, err := d.pageV2(codec, h, body)
		if err != nil {
			return 0, err
		}
		return p.rows, d.data(s, p)
	case h.Type == format.IndexPage: // allowed by the format, and never seen
		return 0, nil
	default:
		return 0, fmt.Errorf("a page of type %s", h.Type)
	}
}

// pageV1 takes apart a page that is compressed as a whole.
// Its values begin with the length of the definition levels in four bytes, where the column is optional.
func (d *decoder) pageV1(s bound, codec format.CompressionCodec, h *format.PageHeader, body []byte) (dataPage, error) {
	v := h.DataPageHeader.V
	p := dataPage{rows: int(v.NumValues), encoding: v.Encoding}
	var err error
	if p.values, err = d.decompress(codec, body, int(h.UncompressedPageSize)); err != nil {
		return p, err
	}
	if !s.leaf.optional {
		return p, nil
	}
	if v.DefinitionLevelEncoding != format.RLE {
		return p, fmt.Errorf("definition levels are %s", v.DefinitionLevelEncoding)
	}
	if len(p.values) < 4 {
		return p, io.ErrUnexpectedEOF
	}
	// The length is compared as an unsigned number before it is used as a position.
	n := binary.LittleEndian.Uint32(p.values)
	if uint64(n) > uint64(len(p.values)-4) {
		return p, io.ErrUnexpectedEOF
	}
	p.levels, p.values = p.values[4:4+n], p.values[4+n:]
	return p, nil
}

// pageV2 takes apart a page whose levels are not compressed.
// The lengths of the levels stand in its header. Repetition levels belong to nested columns, which are not read.
func (d *decoder) pageV2(codec format.CompressionCodec, h *format.PageHeader, body []byte) (dataPage, error) {
	v := h.DataPageHeaderV2.V
	p := dataPage{rows: int(v.NumValues), encoding: v.Encoding}
	levels := int64(v.DefinitionLevelsByteLength)
	if v.RepetitionLevelsByteLength != 0 || levels < 0 || levels > int64(len(body)) || levels > int64(h.UncompressedPageSize) {
		return p, errors.New("a page with impossible levels")
	}
	p.levels, p.values = body[:levels], body[levels:]
	if v.IsCompressed.Valid && !v.IsCompressed.V {
		return p, nil
	}
	var err error
	p.values, err = d.decompress(codec, p.values, int(int64(h.UncompressedPageSize)-levels))
	return p, err
}

// decompress returns size bytes, valid until the next call.
// The length is known from the page header, and a page of another length is broken.
func (d *decoder) decompress(codec format.CompressionCodec, body []byte, size int) ([]byte, error) {
	var err error
	switch codec {
	case format.Zstd:
		// A frame of a few bytes can state gigabytes.
		if err := checkFrame(body, size); err != nil {
			return nil, err
		}
		d.page, err = d.zstd.DecodeAll(body, d.page[:0])
	case format.Snappy:
		if n, _ := snappy.DecodedLen(body); n != size {
			return nil, fmt.Errorf("a page of %d bytes, its header says %d", n, size)
		}
		d.page, err = snappy.Decode(d.page[:cap(d.page)], body)
	default:
		// What is not compressed stays where load put it, with other pages or free space behind it.
		if len(body) != size {
			return nil, fmt.Errorf("a page of %d bytes, its header says %d", len(body), size)
		}
		return body, nil
	}
	if err == nil && len(d.page) != size {
		err = fmt.Errorf("a page of %d bytes, its header says %d", len(d.page), size)
	}
	return d.page, err
}

// checkFrame compares the length in the header of a zstd frame, where it has one, with that of the page
// header before memory is asked for.
// Frames without a length are bounded by the decompressor.
func checkFrame(body []byte, size int) error {
	if size > maxReadBytes {
		return fmt.Errorf("a page of %d bytes is too long", size)
	}
	var h zstd.Header
	if err := h.Decode(body); err != nil {
		return err
	}
	if h.HasFCS && h.FrameContentSize > uint64(size) {
		return fmt.Errorf("a page of %d bytes, its header says %d", h.FrameContentSize, size)
	}
	return nil
}

// validity decodes definition levels. It returns the number of values, and the level of each row, or nil
// if all rows are alike.
// Most pages of nullable columns have one run of levels, for which no level is looked at.
func (d *decoder) validity(p dataPage) (int, []uint8, error) {
	if len(p.levels) == 0 {
		return p.rows, nil, nil
	}
	runs, err := scanRuns(p.levels, 1, p.rows)
	if err != nil {
		return 0, nil, fmt.Errorf("definition levels: %w", err)
	}
	if runs.constant {
		return p.rows * int(runs.value), nil, nil
	}
	d.levels, err = (&rle.Encoding{BitWidth: 1}).DecodeLevels(d.levels, runs.bytes)
	if err != nil {
		return 0, nil, err
	}
	d.levels = d.levels[:p.rows]
	values := 0
	for _, l := range d.levels {
		values += int(l)
	}
	return values, d.levels, nil
}
