package spantable

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"
)

// Limits of what a file of Parquet may make a reader reserve.
const (
	maxFooter  = 64 << 20 // bytes
	maxPage    = 1 << 28  // bytes of a page; writers cut theirs at a mebibyte or so
	rowsOfByte = 64       // rows of a file for each of its bytes: spans have ids, which differ
	fewRows    = 1 << 16  // of any file
	headerRoom = 64 << 10 // bytes in which most headers of pages fit, with the least and greatest value of the page
)

// Fields of the header of a page, as Parquet numbers them.
var (
	pageType         = [2]int16{1}
	pageUncompressed = [2]int16{2}
	pageCompressed   = [2]int16{3}
	pageValues       = [2]int16{5, 1} // of a page of data
	pageDictionary   = [2]int16{7, 1} // values of a dictionary
	pageValues2      = [2]int16{8, 1} // of a page of data, version 2
	pageDefinitions  = [2]int16{8, 5} // bytes of levels before the values, version 2
	pageRepetitions  = [2]int16{8, 6}
)

// checkFooter checks what stands behind the row groups: that its lists are no longer than it is.
func checkFooter(file io.ReaderAt, size int64) error {
	var tail [8]byte
	if size < int64(len(parquetMagic)+len(tail)) {
		return errTornParquet
	}
	if _, err := file.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return err
	}
	n := int64(binary.LittleEndian.Uint32(tail[:4]))
	if string(tail[4:]) != parquetMagic || n+int64(len(tail)) > size || n > maxFooter {
		return errTornParquet
	}
	footer := make([]byte, n)
	if _, err := file.ReadAt(footer, size-int64(len(tail))-n); err != nil {
		return err
	}
	_, err := walk(footer, func([2]int16, int64) {})
	return err
}

var errTornParquet = errors.New("expected the footer of Parquet at the end of the file, which may have been cut off")

// errLZ4 refuses what parquet-go unpacks to something else: it takes what does not fit for a buffer that is too short, asks for twice as much until there is no memory, and
// leaves the page empty where it had to ask once.
var errLZ4 = errors.New("expected columns that are not packed with LZ4, which cannot be read: write the file with zstd")

// checkChunk checks the pages of a column in a row group: that they lie in the file, hold as many values as there are rows, and say how
// large they are without the compression. What a library reserves for them is bounded then.
func checkChunk(file io.ReaderAt, size int64, c *format.ColumnMetaData, rows int64) error {
	if c.Codec == format.Lz4Raw {
		return errLZ4
	}
	at := c.DataPageOffset
	if c.DictionaryPageOffset > 0 {
		at = min(at, c.DictionaryPageOffset)
	}
	end := at + c.TotalCompressedSize
	if at < 0 || c.TotalCompressedSize < 0 || end < at || end > size || c.NumValues != rows {
		return errors.New("expected a column that lies in the file and has a value for each row")
	}
	room := make([]byte, headerRoom)
	values := int64(0)
	for at < end {
		has := make(map[[2]int16]int64)
		n, err := headerOf(file, at, end, &room, has)
		if err != nil {
			return err
		}
		at += int64(n)
		count, err := checkPage(file, at, end, has, c.Codec)
		if err != nil {
			return fmt.Errorf("%w at %d", err, at)
		}
		values += count
		at += has[pageCompressed]
	}
	if values != rows {
		return fmt.Errorf("expected %d values in the pages of a column, found %d", rows, values)
	}
	return nil
}

// headerOf reads the header of a page, and returns its length. There is more room where the values in it are long.
func headerOf(file io.ReaderAt, at, end int64, room *[]byte, has map[[2]int16]int64) (n int, err error) {
	for {
		head := (*room)[:min(int64(len(*room)), end-at)]
		if _, err := file.ReadAt(head, at); err != nil {
			return 0, err
		}
		clear(has)
		n, err = walk(head, func(path [2]int16, number int64) { has[path] = number })
		if err == nil || int64(len(*room)) >= min(end-at, maxPage) {
			return n, err
		}
		*room = make([]byte, 4*len(*room))
	}
}

var errPage = errors.New("expected a page of a possible size")

// checkPage checks a page of which the header was read, and returns how many values of rows it has.
func checkPage(file io.ReaderAt, at, end int64, has map[[2]int16]int64, codec format.CompressionCodec) (values int64, err error) {
	packed, unpacked := has[pageCompressed], has[pageUncompressed]
	levels := has[pageDefinitions] + has[pageRepetitions]
	if packed < 0 || unpacked < 0 || packed > end-at || unpacked > maxPage || levels < 0 || levels > packed || has[pageDictionary] > unpacked {
		return 0, errPage
	}
	if codec == format.Snappy && packed > levels {
		var begin [binary.MaxVarintLen64]byte
		n, err := file.ReadAt(begin[:min(int64(len(begin)), packed-levels)], at+levels)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if says, _ := binary.Uvarint(begin[:n]); says > uint64(unpacked) {
			return 0, errPage
		}
	}
	switch has[pageType] {
	case int64(format.DataPage):
		values = has[pageValues]
	case int64(format.DataPageV2):
		values = has[pageValues2]
	}
	if values < 0 {
		return 0, errPage
	}
	return values, nil
}
