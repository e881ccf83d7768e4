package parquet

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
)

// Key is the column that says which run, comparison or baseline the rows of a file are of. It has one value all through, and stands
// behind the columns of the table. The folders above a file say the same; the column is for readers that do not look at them.
type Key struct {
	Name  string // of the column: "run", "comparison" or "baseline"; "" for a file without the column
	Value string // in every row
}

// keyChunk appends the column chunk of the key for a number of rows, and leaves its metadata in e.meta: a dictionary of one name, and
// one run of its position. No row is looked at.
func (e *encoder) keyChunk(k Key, rows int) error {
	e.meta = format.ColumnMetaData{
		Type:         format.ByteArray,
		PathInSchema: []string{k.Name},
		Codec:        format.Uncompressed,
		NumValues:    int64(rows),
	}
	start := len(e.out)
	e.used = append(e.used[:0], 0)
	if err := e.writeDictionary(names{words: []string{k.Value}}); err != nil {
		return err
	}
	e.beginPage(rows, rows, false)
	e.page = binary.AppendUvarint(append(e.page, 0), uint64(rows)<<1) // positions of no bits
	err := e.endPage(rows, 0, format.RLEDictionary)
	e.meta.TotalCompressedSize = int64(len(e.out) - start)
	return err
}

// addChunk adds the chunk that was encoded last to a row group.
func (e *encoder) addChunk(group *format.RowGroup) {
	group.TotalByteSize += e.meta.TotalUncompressedSize
	group.TotalCompressedSize += e.meta.TotalCompressedSize
	group.Columns = append(group.Columns, format.ColumnChunk{MetaData: e.meta})
}

// element is the leaf of the key in the schema of a file.
func (k Key) element() format.SchemaElement {
	return asText(format.SchemaElement{
		Name: k.Name, Type: thrift.New(format.ByteArray), RepetitionType: thrift.New(format.Required), FieldID: schema.KeyID,
	})
}

// asText is a leaf of texts. Names have the old converted type beside the logical one because DuckDB shows them as BLOB without it.
func asText(e format.SchemaElement) format.SchemaElement {
	e.ConvertedType = thrift.New(deprecated.UTF8)
	e.LogicalType = format.LogicalType{Value: new(format.StringType)}
	return e
}
