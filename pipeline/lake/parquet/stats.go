package parquet

import "github.com/parquet-go/parquet-go/format"

// Stats holds what the footer states about a row group. It decides whether the row group must be read at all: a scan that
// wants a range of times or sequence numbers passes over those whose bounds lie outside.
type Stats struct {
	Rows int64 // of the row group

	chunks []chunkMeta
	leaves map[string]leaf
}

// Ints returns the minimum and the maximum of an integer column, nulls left out. It is not ok where the file states none:
// the column is missing or of another type, all its values are null, or another program wrote the file without statistics.
// The bounds that this package writes are exact, those of other programs only enclose the values.
func (s Stats) Ints(name string) (lo, hi int64, ok bool) {
	l, found := s.leaves[name]
	if !found || l.physical != format.Int64 || l.number >= len(s.chunks) {
		return 0, 0, false
	}
	c := &s.chunks[l.number]
	return c.lo, c.hi, c.bounded
}
