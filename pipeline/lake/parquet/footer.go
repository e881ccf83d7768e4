package parquet

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
)

const (
	magic     = "PAR1"      // the first and the last four bytes of a file
	createdBy = "tracelake" // by which Reader knows our files
)

// compact is the encoding of all structures of Parquet.
var compact thrift.CompactProtocol

// writeFooter writes the page index, first all column indexes and then all offset indexes as readers
// expect, and behind it the metadata.
// The last eight bytes are the length of the metadata and the magic number, by which a reader begins.
func (w *Writer) writeFooter() error {
	if w.offset == 0 { // a file without rows
		if err := w.write([]byte(magic)); err != nil {
			return err
		}
	}
	if err := w.writePageIndex(); err != nil {
		return err
	}
	meta := format.FileMetaData{
		Version:   2,
		Schema:    schemaElements(w.columns, w.Key),
		NumRows:   w.rows,
		RowGroups: append([]format.RowGroup{}, w.groups...),
		CreatedBy: createdBy,
	}
	for range w.chunksOfGroup() {
		meta.ColumnOrders = append(meta.ColumnOrders, typeOrder)
	}
	return w.writeMetadata(&meta)
}

// typeOrder is the order of the bounds of a column. It must be stated, or readers ignore bounds of strings.
var typeOrder = format.ColumnOrder{Value: new(format.TypeDefinedOrder)}

// writeMetadata ends the file.
func (w *Writer) writeMetadata(meta *format.FileMetaData) error {
	b, err := thrift.Marshal(&compact, meta)
	if err != nil {
		return err
	}
	// The format has 32 bits for the length, and readers take it as a signed number.
	if len(b) > math.MaxInt32 {
		return fmt.Errorf("parquet: a footer of %d bytes is too long", len(b))
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(b)))
	return w.write(append(b, magic...))
}

// writePageIndex writes the indexes and notes in the metadata of every chunk where its indexes are.
// The metadata is written behind the indexes, so their places are known by then. Chunks with one page need an index only
// because readers expect one where others have it, so that the indexes are made of the metadata here, and not kept in memory
// while the file is written.
func (w *Writer) writePageIndex() error {
	for i := range w.pages {
		chunk, rows := w.chunk(i)
		if err := w.writeColumnIndex(chunk, rows); err != nil {
			return err
		}
	}
	for i, bytes := range w.pages {
		chunk, _ := w.chunk(i)
		if err := w.writeOffsetIndex(chunk, bytes); err != nil {
			return err
		}
	}
	return nil
}

// writeColumnIndex writes the bounds of the only data page of a chunk.
func (w *Writer) writeColumnIndex(chunk *format.ColumnChunk, rows int64) error {
	s := chunk.MetaData.Statistics
	index := format.ColumnIndex{
		NullPages:     []bool{s.NullCount == rows},
		MinValues:     [][]byte{s.MinValue},
		MaxValues:     [][]byte{s.MaxValue},
		BoundaryOrder: format.Ascending,
		NullCounts:    []int64{s.NullCount},
	}
	return w.writeStruct(&index, &chunk.ColumnIndexOffset, &chunk.ColumnIndexLength)
}

// writeOffsetIndex writes where the only data page of a chunk is, which has a number of bytes.
func (w *Writer) writeOffsetIndex(chunk *format.ColumnChunk, bytes int32) error {
	page := format.PageLocation{Offset: chunk.MetaData.DataPageOffset, CompressedPageSize: bytes}
	index := format.OffsetIndex{PageLocations: []format.PageLocation{page}}
	return w.writeStruct(&index, &chunk.OffsetIndexOffset, &chunk.OffsetIndexLength)
}

// chunksOfGroup is the number of column chunks in every row group.
func (w *Writer) chunksOfGroup() int {
	if w.Key.Name == "" {
		return len(w.columns)
	}
	return len(w.columns) + 1
}

// chunk is the i-th column chunk of the file, and the number of its rows.
// Chunks are counted through all row groups, column by column.
func (w *Writer) chunk(i int) (*format.ColumnChunk, int64) {
	n := w.chunksOfGroup()
	group := &w.groups[i/n]
	return &group.Columns[i%n], group.NumRows
}

// writeStruct writes a structure, and notes its offset in the file and its length in bytes.
func (w *Writer) writeStruct(v any, offset *int64, length *int32) error {
	b, err := thrift.Marshal(&compact, v)
	if err != nil {
		return err
	}
	*offset, *length = w.offset, int32(len(b))
	return w.write(b)
}

// schemaElements is the tree of the columns: a root and its leaves, with the key, where there is one, behind the others.
// All columns are leaves right below the root: no column is nested or repeated.
func schemaElements(cols []schema.Column, key Key) []format.SchemaElement {
	elements := []format.SchemaElement{{Name: "table"}}
	for _, c := range cols {
		e := format.SchemaElement{
			Name:           c.Name,
			Type:           thrift.New(physicalType(kindOf(c))),
			RepetitionType: thrift.New(format.Required),
			FieldID:        c.ID,
		}
		if c.Nullable {
			e.RepetitionType = thrift.New(format.Optional)
		}
		if e.Type.V == format.ByteArray {
			e = asText(e)
		}
		elements = append(elements, e)
	}
	if key.Name != "" {
		elements = append(elements, key.element())
	}
	elements[0].NumChildren = thrift.New(int32(len(elements) - 1))
	return elements
}

// physicalType returns how Parquet stores the values of a kind of column.
// Names and enumerations are both strings to readers.
func physicalType(k kind) format.Type {
	switch k {
	case intsKind:
		return format.Int64
	case floatsKind:
		return format.Double
	case boolsKind:
		return format.Boolean
	default:
		return format.ByteArray
	}
}
