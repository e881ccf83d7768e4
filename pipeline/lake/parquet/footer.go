package parquet

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/parquet-go/parquet-go/deprecated"
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

// index notes bounds and place of a chunk's only data page for the page index.
// Chunks with one page need an index only because readers expect one where others have it.
func (w *Writer) index(m format.ColumnMetaData, pageSize int32, rows int) {
	s := m.Statistics
	w.indexes = append(w.indexes, format.ColumnIndex{
		NullPages:     []bool{s.NullCount == int64(rows)},
		MinValues:     [][]byte{s.MinValue},
		MaxValues:     [][]byte{s.MaxValue},
		BoundaryOrder: format.Ascending,
		NullCounts:    []int64{s.NullCount},
	})
	w.pages = append(w.pages, format.OffsetIndex{PageLocations: []format.PageLocation{
		{Offset: m.DataPageOffset, CompressedPageSize: pageSize},
	}})
}

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
		Schema:    schemaElements(w.columns),
		NumRows:   w.rows,
		RowGroups: append([]format.RowGroup{}, w.groups...),
		CreatedBy: createdBy,
	}
	// The order of the bounds must be stated, or readers ignore bounds of strings.
	for range w.columns {
		meta.ColumnOrders = append(meta.ColumnOrders, format.ColumnOrder{Value: new(format.TypeDefinedOrder)})
	}
	b, err := thrift.Marshal(&compact, &meta)
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
// The metadata is written behind the indexes, so their places are known by then.
func (w *Writer) writePageIndex() error {
	for i := range w.indexes {
		chunk := w.chunk(i)
		if err := w.writeStruct(&w.indexes[i], &chunk.ColumnIndexOffset, &chunk.ColumnIndexLength); err != nil {
			return err
		}
	}
	for i := range w.pages {
		chunk := w.chunk(i)
		if err := w.writeStruct(&w.pages[i], &chunk.OffsetIndexOffset, &chunk.OffsetIndexLength); err != nil {
			return err
		}
	}
	return nil
}

// chunk is the i-th column chunk of the file.
// Chunks are counted through all row groups, column by column.
func (w *Writer) chunk(i int) *format.ColumnChunk {
	return &w.groups[i/len(w.columns)].Columns[i%len(w.columns)]
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

// schemaElements is the tree of the columns: a root and its leaves. Names have the old converted type
// beside the logical one because DuckDB shows them as BLOB without it.
// All columns are leaves right below the root: no column is nested or repeated.
func schemaElements(cols []schema.Column) []format.SchemaElement {
	elements := []format.SchemaElement{{Name: "table", NumChildren: thrift.New(int32(len(cols)))}}
	for _, c := range cols {
		e := format.SchemaElement{
			Name:           c.Name,
			Type:           thrift.New(physicalType(kindOf(c))),
			RepetitionType: thrift.New(format.Required),
		}
		if c.Nullable {
			e.RepetitionType = thrift.New(format.Optional)
		}
		if e.Type.V == format.ByteArray {
			e.ConvertedType = thrift.New(deprecated.UTF8)
			e.LogicalType = format.LogicalType{Value: new(format.StringType)}
		}
		elements = append(elements, e)
	}
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
