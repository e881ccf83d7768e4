package lake

import (
	"context"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// chunkPieces and chunkRows bound a chunk of events: it has at most this many pieces, and about this many rows.
const chunkPieces, chunkRows = 1 << 13, 1 << 15

// ScanEvents reads the events of a run in the order of the trace, which is that of their sequence numbers, although they lie
// in a bucket for each of several components. It reads them chunk by chunk: into holds each in turn while f runs. All chunks
// have the dictionaries of into, which grow.
//
// It merges the row groups that the buckets have in hand, so its memory is one row group of every bucket and a chunk. An
// event costs a copy of its columns and, at the ends of its bucket's turn, a match of a tournament of the buckets.
// Row groups are not pruned: ScanOptions.Skip is not used.
func (l *Lake) ScanEvents(ctx context.Context, run string, into *schema.Events, o ScanOptions, f func() error) error {
	m, err := l.Table("events", Run(run))
	if err != nil {
		return err
	}
	return l.ScanMerged(ctx, m.Files, into, "seq", o, f)
}

// ScanMerged reads the rows of several buckets in the order of a column of integers, by which the rows of each bucket ascend:
// the sequence numbers of events, or of the events at which executions finish. The files of a bucket stand together. The rest is
// as for ScanEvents. Tables are of events or of executions.
func (l *Lake) ScanMerged(ctx context.Context, files []File, into schema.Columns, by string, o ScanOptions, f func() error) error {
	columns := o.Columns
	if len(columns) > 0 && !slices.Contains(columns, by) {
		columns = append(slices.Clone(columns), by)
	}
	merger := &bucketMerger{out: into, by: by, visit: func() error {
		if err := f(); err != nil {
			return err
		}
		if o.Meter != nil {
			o.Meter.Advance(int64(schema.Rows(into)))
		}
		return ctx.Err()
	}}
	defer merger.close()
	return merger.scan(l, files, columns)
}

// bucketMerger brings the rows of several buckets into one order.
type bucketMerger struct {
	by      string // the column that says the order
	buckets []*bucketRows
	pieces  []rowPiece // of the chunk that is being put together
	rows    int        // of the pieces
	columns []int      // positions of the columns that are read, among those of the table
	out     schema.Columns
	visit   func() error
	chooser *chooser // nil: all rows are wanted
}

// scan opens the buckets and merges them.
func (g *bucketMerger) scan(l *Lake, files []File, columns []string) error {
	keys, err := g.open(l, files, columns)
	if err != nil {
		return err
	}
	return g.merge(extsort.NewTournament(keys))
}

// rowPiece is the rows from to to-1 of the row group that a bucket has in hand.
type rowPiece struct {
	bucket   int
	from, to int
}

// open opens the buckets, whose files stand together in a manifest, and returns the key of the first row of each.
// The tables of all buckets share the dictionaries of the output, so pieces are copied as codes. An empty bucket
// has the key extsort.Done and never wins.
func (g *bucketMerger) open(l *Lake, files []File, columns []string) (keys []int64, err error) {
	for i, c := range g.out.Columns() {
		if len(columns) == 0 || slices.Contains(columns, c.Name) {
			g.columns = append(g.columns, i)
		}
	}
	for i, f := range files {
		// A bucket has several files where an ingest wrote leading or amended events; they continue one another.
		if i == 0 || f.Bucket != files[i-1].Bucket {
			b := &bucketRows{lake: l, number: f.Bucket, names: columns, rows: beside(g.out), chooser: g.chooser}
			b.columns = b.rows.Columns()
			b.keys = b.columns[slices.IndexFunc(b.columns, func(c schema.Column) bool { return c.Name == g.by })].Ints
			g.buckets = append(g.buckets, b)
		}
		b := g.buckets[len(g.buckets)-1]
		b.files = append(b.files, f)
	}
	for _, b := range g.buckets {
		if err := b.load(); err != nil {
			return nil, err
		}
		keys = append(keys, b.nextKey())
	}
	return keys, nil
}

// close closes the files that are still open, after errors or an early end.
func (g *bucketMerger) close() {
	for _, b := range g.buckets {
		b.close()
	}
}

// merge takes rows from a bucket as long as they precede those of all others. The pieces are put together before a
// bucket's memory is used for its next row group.
func (g *bucketMerger) merge(t *extsort.Tournament) error {
	for {
		// Bucket i comes next, until the row that the second best bucket has. Rows of one bucket often come in
		// long stretches, which are then one piece.
		i, until := t.Min()
		if i < 0 {
			return g.flush()
		}
		b := g.buckets[i]
		from, keys := b.next, *b.keys
		for b.next < len(keys) && keys[b.next] < until {
			b.next++
		}
		g.pieces = append(g.pieces, rowPiece{i, from, b.next})
		g.rows += b.next - from
		ended := b.next == len(keys)
		// The pieces point into the row groups of the buckets, so they are copied before any row group is
		// replaced.
		if ended || len(g.pieces) >= chunkPieces || g.rows >= chunkRows {
			if err := g.flush(); err != nil {
				return err
			}
		}
		if ended {
			if err := b.load(); err != nil {
				return err
			}
		}
		t.Update(b.nextKey())
	}
}

// flush puts the pieces together, one column after the other, and hands out the chunk.
// To go column by column keeps one column in the cache at a time.
func (g *bucketMerger) flush() error {
	if g.rows == 0 {
		return nil
	}
	schema.Reset(g.out)
	columns := g.out.Columns()
	for _, c := range g.columns {
		switch to := columns[c]; {
		case to.Ints != nil:
			*to.Ints = gather(g, *to.Ints, func(b *bucketRows) []int64 { return *b.columns[c].Ints })
		case to.Codes != nil:
			*to.Codes = gather(g, *to.Codes, func(b *bucketRows) []schema.Code { return *b.columns[c].Codes })
		case to.Enum != nil:
			*to.Enum = gather(g, *to.Enum, func(b *bucketRows) []uint8 { return *b.columns[c].Enum })
		default: // neither events nor executions have fractions
			*to.Bools = gather(g, *to.Bools, func(b *bucketRows) []bool { return *b.columns[c].Bools })
		}
	}
	g.pieces, g.rows = g.pieces[:0], 0
	return g.visit()
}

// gather appends the pieces of a column. Where lifelines take turns most pieces are a single row.
func gather[T any](g *bucketMerger, to []T, column func(*bucketRows) []T) []T {
	from := make([][]T, len(g.buckets))
	for i, b := range g.buckets {
		from[i] = column(b)
	}
	for _, p := range g.pieces {
		if p.to == p.from+1 {
			to = append(to, from[p.bucket][p.from])
		} else {
			to = append(to, from[p.bucket][p.from:p.to]...)
		}
	}
	return to
}

// beside is an empty table of the same type and names.
func beside(t schema.Columns) schema.Columns {
	if x, is := t.(*schema.Executions); is {
		return &schema.Executions{Names: x.Names}
	}
	return &schema.Events{Names: t.(*schema.Events).Names}
}

// bucketRows is the rows of one bucket: those of its files, one file after the other.
// It keeps one row group.
type bucketRows struct {
	lake    *Lake
	number  int      // of the bucket
	files   []File   // not opened yet
	names   []string // of the columns to read; none: all
	reader  *Reader
	rows    schema.Columns // the row group in hand
	columns []schema.Column
	keys    *[]int64 // of these rows
	next    int      // the row of it that comes next

	chooser  *chooser // nil: all rows are wanted
	choosing *Reader  // the columns by which rows are chosen
	group    int      // that choosing reads next
}

// load reads the next row group that has rows, of this file or of the next one. At the end there are no rows.
func (b *bucketRows) load() error {
	b.next = 0
	for {
		if b.reader == nil { // the file before has ended
			if len(b.files) == 0 {
				return nil
			}
			if err := b.open(b.files[0]); err != nil {
				return err
			}
			b.files = b.files[1:]
		}
		more, err := b.read()
		if err != nil || more && len(*b.keys) > 0 { // an empty row group is passed over
			return err
		}
		if !more {
			b.close()
		}
	}
}

// open opens a file of the bucket.
func (b *bucketRows) open(f File) (err error) {
	if b.chooser != nil {
		return b.openChosen(f)
	}
	b.reader, err = b.lake.Reader(f, b.rows, b.names...)
	return err
}

// read reads the next row group of the file that is open, or says that there is none.
func (b *bucketRows) read() (more bool, err error) {
	if b.chooser != nil {
		return b.readChosen()
	}
	return b.reader.Next()
}

// nextKey is the key of the row that comes next, or extsort.Done at the end.
func (b *bucketRows) nextKey() int64 {
	if b.next == len(*b.keys) {
		return extsort.Done
	}
	return (*b.keys)[b.next]
}

// close closes the file that is open, if one is.
func (b *bucketRows) close() {
	if b.reader != nil {
		b.reader.Close()
		b.reader = nil
	}
}
