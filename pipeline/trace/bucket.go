package trace

import (
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// bucket is the events of one bucket: its files, one after the other.
type bucket struct {
	number  int
	paths   []string
	reader  *parquet.Reader
	rows    *schema.Events // the row group in hand
	columns []schema.Column
	next    int // row of it that comes next
}

func newBucket(number int, names *schema.Names) *bucket {
	rows := &schema.Events{Names: names}
	return &bucket{number: number, rows: rows, columns: rows.Columns()}
}

// load brings the next row group that has rows, of this file or the next one; none at the end.
func (b *bucket) load() error {
	b.next = 0
	for {
		if b.reader == nil {
			if len(b.paths) == 0 {
				return nil
			}
			r, err := parquet.Open(b.paths[0], b.rows)
			if err != nil {
				return err
			}
			b.reader, b.paths = r, b.paths[1:]
		}
		more, err := b.reader.Next()
		if err != nil || more && len(b.rows.Seq) > 0 {
			return err
		}
		if !more {
			b.close()
		}
	}
}

// head is the sequence number that comes next.
func (b *bucket) head() int64 {
	if b.next == len(b.rows.Seq) {
		return extsort.Done
	}
	return b.rows.Seq[b.next]
}

func (b *bucket) close() {
	if b.reader != nil {
		b.reader.Close()
		b.reader = nil
	}
}
