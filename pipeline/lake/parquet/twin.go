package parquet

import (
	"slices"

	"github.com/parquet-go/parquet-go/format"
	"github.com/tracelake/tracelake/schema"
)

// twin is a name chunk of the row group that is being written. Columns often have the same contents: where a trace has no
// threads a lifeline is its component, where messages have no labels of their own a label is the series of its identifier.
// The chunk of the second column is then that of the first, byte for byte, at another offset. Comparing two slices of codes
// costs far less than encoding and compressing one.
type twin struct {
	codes        []schema.Code // of the column; valid as long as the row group is written
	names        names
	used         []uint32 // numbers of the names in the chunk's dictionary
	meta         format.ColumnMetaData
	dataPageSize int32
	start, end   int // in encoder.out
}

// remember keeps a chunk for columns to come. Chunks of few bytes are quicker to make than to find.
// It is called when the chunk is written whole, with its dictionary and data page.
func (e *encoder) remember(codes []schema.Code, n names, start int) {
	if len(e.used) > 1 {
		e.twins = append(e.twins, twin{
			codes: codes, names: n, used: slices.Clone(e.used), meta: e.meta, dataPageSize: e.dataPageSize, start: start, end: len(e.out),
		})
	}
}

// copyTwin writes a chunk as a copy of one with the same codes and names, if there is one, and reports whether it did. Only
// the path and the offsets in the metadata differ.
// Comparing stops at the first code that differs, so columns that have nothing in common cost nearly nothing.
func (e *encoder) copyTwin(codes []schema.Code, n names) bool {
	for i := range e.twins {
		t := &e.twins[i]
		if !e.judge && t.meta.Codec != e.meta.Codec { // the two were no twins in the first row group
			continue
		}
		if t.names.nullable != n.nullable || !slices.Equal(t.codes, codes) || !sameNames(t.used, t.names, n) {
			continue
		}
		// Offsets in the metadata count from the beginning of the file, so they move by the distance of the
		// copies.
		moved := int64(len(e.out) - t.start)
		path := e.meta.PathInSchema
		e.out = append(e.out, e.out[t.start:t.end]...)
		// The slices of the metadata are shared by both; nobody changes them any more.
		e.meta, e.dataPageSize = t.meta, t.dataPageSize
		e.meta.PathInSchema = path
		e.meta.DictionaryPageOffset += moved
		e.meta.DataPageOffset += moved
		return true
	}
	return false
}

// sameNames reports whether two columns have the same names for the numbers in use. Equal codes alone do not prove equal
// contents, because the columns may have different dictionaries.
// Only names in use are compared.
func sameNames(used []uint32, a, b names) bool {
	for _, number := range used {
		if int(number) >= b.len() || a.at(number) != b.at(number) {
			return false
		}
	}
	return true
}
