package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/parquet-go/parquet-go/format"
)

// metadata is what a Reader keeps of a footer: 56 bytes a column chunk, where the structures of the format take two thirds of a
// kilobyte. Walks over all buckets of a run keep a hundred files of some tens of row groups open.
type metadata struct {
	rows   int64
	ours   bool            // this package wrote the file
	leaves map[string]leaf // the flat columns of the file by name
	groups []rowGroup
}

// rowGroup is the number of rows of a row group, and its chunks in the order of the leaves of the schema tree.
type rowGroup struct {
	rows   int64
	chunks []chunkMeta
}

// leaf is a column of the file.
type leaf struct {
	number   int         // among the leaves of the schema tree
	physical format.Type // how the file stores its values
	optional bool        // the file has definition levels for it
}

// chunkMeta says where a column chunk lies and how it is stored.
type chunkMeta struct {
	from, size int64 // of its pages in the file, in bytes, the dictionary included
	values     int64 // nulls included
	lo, hi     int64 // the bounds of a column of integers
	physical   format.Type
	codec      format.CompressionCodec
	bounded    bool // lo and hi are stated
	known      bool // decoder knows the codec and all encodings
}

// compactMetadata takes what is needed out of a footer. It checks that the numbers of rows agree, since memory is asked for by
// them: after that, the rows of a row group can be trusted to be the same number in all columns.
func compactMetadata(whole *format.FileMetaData) (metadata, error) {
	m := metadata{rows: whole.NumRows, ours: whole.CreatedBy == createdBy, leaves: leavesOf(whole.Schema)}
	rows, chunks := int64(0), 0
	for i := range whole.RowGroups {
		n := whole.RowGroups[i].NumRows
		if n < 0 || n > math.MaxInt64-rows {
			return m, fmt.Errorf("footer: a row group of %d rows", n)
		}
		rows, chunks = rows+n, chunks+len(whole.RowGroups[i].Columns)
	}
	if rows != m.rows {
		return m, fmt.Errorf("footer: %d rows in the row groups of a file of %d rows", rows, m.rows)
	}
	m.groups = make([]rowGroup, len(whole.RowGroups))
	all := make([]chunkMeta, chunks) // one piece of memory for those of all row groups
	for i := range whole.RowGroups {
		g := &whole.RowGroups[i]
		n := len(g.Columns)
		m.groups[i] = rowGroup{g.NumRows, all[:n:n]}
		for j := range g.Columns {
			all[j] = compactChunk(&g.Columns[j].MetaData)
		}
		all = all[n:]
	}
	return m, nil
}

// compactChunk takes what is needed out of the metadata of a chunk. Integers are stored as eight bytes, the lowest first. Old
// writers state bounds in other fields, which are not trusted.
func compactChunk(m *format.ColumnMetaData) chunkMeta {
	c := chunkMeta{
		from: m.DataPageOffset, size: m.TotalCompressedSize, values: m.NumValues,
		physical: m.Type, codec: m.Codec, known: knows(m),
	}
	if m.DictionaryPageOffset > 0 { // the dictionary stands before the data
		c.from = min(c.from, m.DictionaryPageOffset)
	}
	if b := &m.Statistics; m.Type == format.Int64 && len(b.MinValue) == 8 && len(b.MaxValue) == 8 {
		c.lo, c.hi = int64(binary.LittleEndian.Uint64(b.MinValue)), int64(binary.LittleEndian.Uint64(b.MaxValue))
		c.bounded = true
	}
	return c
}

// knows reports whether decoder knows the codec and all encodings of a chunk. The others are rare, such as gzip of other
// programs, and left to parquet-go, which reads value by value.
func knows(m *format.ColumnMetaData) bool {
	switch m.Codec {
	case format.Uncompressed, format.Snappy, format.Zstd:
	default:
		return false
	}
	for _, e := range m.Encoding {
		switch e {
		//lint:ignore SA1019 files of other writers still have the old encoding
		case format.Plain, format.RLE, format.RLEDictionary, format.PlainDictionary, format.BitPacked, format.DeltaBinaryPacked:
		default:
			return false
		}
	}
	return true
}

// native reports whether decoder reads a chunk of a column. INT32 columns, of other programs, it leaves to parquet-go.
func (m *chunkMeta) native(l leaf) bool {
	return m.known && m.physical == l.physical && l.physical != format.Int32
}

// leavesOf numbers the leaves of a schema tree, which is stored depth first, and returns those right
// below the root that hold one value a row.
// Nested columns are counted, since chunks are numbered through all leaves, but cannot be read.
func leavesOf(tree []format.SchemaElement) map[string]leaf {
	leaves := make(map[string]leaf)
	inner, number := 0, 0 // elements left below a child of the root, leaves so far
	for i, e := range tree {
		if i == 0 {
			continue
		}
		children := max(int(e.NumChildren.V), 0)
		if children == 0 {
			if inner == 0 && e.RepetitionType.V != format.Repeated {
				leaves[strings.Clone(e.Name)] = leaf{number, e.Type.V, e.RepetitionType.V == format.Optional}
			}
			number++
		}
		// An element below a child of the root uses one place up and opens as many as it has children.
		inner = max(inner-1, 0) + children
	}
	return leaves
}
