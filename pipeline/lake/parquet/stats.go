package parquet

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/format"
)

// Stats tells what the footer knows of a row group.
type Stats struct {
	Rows int64

	group  *format.RowGroup
	leaves map[string]leaf
}

// Ints returns the bounds of an integer column, null left out; not ok if the file does not have them.
func (s Stats) Ints(name string) (lo, hi int64, ok bool) {
	l, found := s.leaves[name]
	if !found || l.physical != format.Int64 || l.number >= len(s.group.Columns) {
		return 0, 0, false
	}
	b := &s.group.Columns[l.number].MetaData.Statistics
	if len(b.MinValue) != 8 || len(b.MaxValue) != 8 {
		return 0, 0, false
	}
	return int64(binary.LittleEndian.Uint64(b.MinValue)), int64(binary.LittleEndian.Uint64(b.MaxValue)), true
}
