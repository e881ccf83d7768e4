// Package trace reads the events of a run back as they were: in the order of their sequence numbers, whatever buckets
// their components lie in. Memory is a row group of every bucket.
package trace

import (
	"fmt"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// chunkPieces and chunkRows are how many pieces, and about how many rows, are put together at a time.
const chunkPieces, chunkRows = 1 << 13, 1 << 15

// Read passes on the events of a run in chunks. A chunk lasts until visit returns; all have the same dictionaries, which
// grow. Read stops at the error of visit.
func Read(l *lake.Lake, run string, visit func(*schema.Events) error) error {
	m, err := l.Manifest("events", lake.Run(run))
	if err != nil {
		return err
	}
	if m == nil {
		return fmt.Errorf("the lake has no run %s: see analyze runs", run)
	}
	w := &weft{out: schema.NewEvents(), visit: visit}
	defer w.close()
	keys, err := w.open(l, m.Files)
	if err != nil {
		return err
	}
	return w.merge(extsort.NewTournament(keys))
}

// weft puts the rows of all buckets back into one thread.
type weft struct {
	buckets []*bucket
	pieces  []piece
	rows    int // of the pieces
	out     *schema.Events
	visit   func(*schema.Events) error
}

// piece is some rows of the row group that a bucket has in memory.
type piece struct {
	bucket   int
	from, to int
}

func (w *weft) open(l *lake.Lake, files []lake.File) (keys []int64, err error) {
	for _, f := range files {
		if len(w.buckets) == 0 || w.buckets[len(w.buckets)-1].number != f.Bucket {
			w.buckets = append(w.buckets, newBucket(f.Bucket, w.out.Names))
		}
		b := w.buckets[len(w.buckets)-1]
		b.paths = append(b.paths, l.Path(f))
	}
	for _, b := range w.buckets {
		if err := b.load(); err != nil {
			return nil, err
		}
		keys = append(keys, b.head())
	}
	return keys, nil
}

func (w *weft) close() {
	for _, b := range w.buckets {
		b.close()
	}
}

// merge takes from every bucket as long as it is next. The pieces are put together before a bucket's memory is used
// for its next row group.
func (w *weft) merge(t *extsort.Tournament) error {
	for {
		i, until := t.Min()
		if i < 0 {
			return w.flush()
		}
		b := w.buckets[i]
		from := b.next
		for b.next < len(b.rows.Seq) && b.rows.Seq[b.next] < until {
			b.next++
		}
		w.pieces = append(w.pieces, piece{i, from, b.next})
		w.rows += b.next - from
		ended := b.next == len(b.rows.Seq)
		if ended || len(w.pieces) >= chunkPieces || w.rows >= chunkRows {
			if err := w.flush(); err != nil {
				return err
			}
		}
		if ended {
			if err := b.load(); err != nil {
				return err
			}
		}
		t.Update(b.head())
	}
}

// flush puts the pieces together, a column after the other.
func (w *weft) flush() error {
	if w.rows == 0 {
		return nil
	}
	schema.Reset(w.out)
	for c, column := range w.out.Columns() {
		for _, p := range w.pieces {
			appendColumn(column, w.buckets[p.bucket].columns[c], p.from, p.to)
		}
	}
	w.pieces, w.rows = w.pieces[:0], 0
	return w.visit(w.out)
}

// appendColumn appends rows of a column to one of the same kind.
func appendColumn(to, from schema.Column, lo, hi int) {
	switch {
	case to.Ints != nil:
		*to.Ints = append(*to.Ints, (*from.Ints)[lo:hi]...)
	case to.Codes != nil:
		*to.Codes = append(*to.Codes, (*from.Codes)[lo:hi]...)
	case to.Enum != nil:
		*to.Enum = append(*to.Enum, (*from.Enum)[lo:hi]...)
	default:
		*to.Bools = append(*to.Bools, (*from.Bools)[lo:hi]...)
	}
}
