package lake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"

	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
)

// RowGroupRows is the number of rows of a full row group: Scan hands out tables of at most this size, unless the file's
// writer had another GroupRows.
const RowGroupRows = parquet.RowGroupRows

// GroupRows is the number of rows of a full row group of a table that lies in so many buckets. Whoever goes through the
// buckets side by side holds a row group of each: up to 64 buckets as many rows as 16 full ones. Row groups do not become
// smaller beyond: every chunk of theirs takes two thirds of a kilobyte of metadata while a file is written or read.
func GroupRows(buckets int) int {
	rows := RowGroupRows
	for b := 32; b <= buckets && rows > 1<<14; b *= 2 {
		rows /= 2
	}
	return rows
}

// Stats is what the footer of a file states about a row group, such as the bounds of its integer columns.
type Stats = parquet.Stats

// NotAnalyzedError is the error of a table that a run does not have, because it is not analyzed, or not wholly.
type NotAnalyzedError struct {
	Run   string // the name of the run
	Table string // the first table that was missed
}

// Error implements error, and says which command helps.
func (e *NotAnalyzedError) Error() string {
	return fmt.Sprintf("run %s has no table %s: analyze it first, with analyze run %s", e.Run, e.Table, e.Run)
}

// UnknownRunError is the error of a run that the lake does not have. It is the run's name.
type UnknownRunError string

// Error implements error.
func (e UnknownRunError) Error() string {
	return fmt.Sprintf("the lake has no run %s: see analyze runs", string(e))
}

// NotMadeError is the error of a table that a comparison does not have, as one that an earlier version made, though it has others.
type NotMadeError struct {
	Partition Partition
	Table     string
	Stage     string // that made the other tables
}

// Error implements error, and says which command helps.
func (e *NotMadeError) Error() string {
	return fmt.Sprintf("the %s %s has no table %s: make it again with analyze %s", e.Partition.Key, e.Partition.Name, e.Table, e.Stage)
}

// Table reads the manifest of a table that must exist. For a run's table that does not, the error is an UnknownRunError
// where the table is one with which every run begins, and a *NotAnalyzedError where an analysis makes it.
func (l *Lake) Table(table string, p Partition) (*Manifest, error) {
	v, err := l.Inventory(p)
	if err != nil {
		return nil, err
	}
	m := v.Table(table)
	switch {
	case m != nil:
		return m, nil
	case p.Key != "run" && len(v.Tables) > 0:
		return nil, &NotMadeError{Partition: p, Table: table, Stage: v.Tables[0].Stage}
	case p.Key != "run":
		return nil, fmt.Errorf("the %s %s has no table %s", p.Key, p.Name, table)
	case table == "runs" || table == "events":
		return nil, UnknownRunError(p.Name)
	}
	return nil, &NotAnalyzedError{Run: p.Name, Table: table}
}

// Meter counts the rows that are done, for those who show progress.
// Several scans may share a meter, so it must be safe for concurrent use.
type Meter interface{ Advance(rows int64) }

// ScanOptions says which parts of the files a scan reads.
type ScanOptions struct {
	Columns []string         // names of the columns to read; none: all
	Skip    func(Stats) bool // reports whether no row of a row group is wanted; nil: all row groups are read
	Meter   Meter            // counts rows, those of skipped row groups included; nil: nobody counts
	Decoded *Decoded         // shares columns with other scans, which must not be changed then; nil: this scan decodes all itself
}

// Scan reads files of a table row group by row group: into holds each in turn while f runs. It stops at the first error,
// and when ctx ends. Memory is one row group. The files are those of a manifest, or some of them: see Manifest.InBuckets.
// f may keep nothing of the table, whose memory the next row group takes.
func (l *Lake) Scan(ctx context.Context, files []File, into schema.Columns, o ScanOptions, f func() error) error {
	for _, file := range files {
		if err := l.scanFile(ctx, file, into, o, f); err != nil {
			return err
		}
	}
	return nil
}

// scanFile scans one file. Rows of skipped row groups are counted at the end, so that a meter reaches the rows of
// the file.
func (l *Lake) scanFile(ctx context.Context, file File, into schema.Columns, o ScanOptions, f func() error) error {
	r, err := l.sharing(o.Decoded, file, into, o.Columns...)
	if err != nil {
		return err
	}
	defer r.Close()
	if o.Skip != nil {
		r.Skip(o.Skip)
	}
	left := file.Rows // not counted yet
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		more, err := r.Next()
		if err != nil {
			return err
		}
		rows := left // at the end: those of row groups that were skipped
		if more {
			if err := f(); err != nil {
				return err
			}
			rows = r.Rows()
		}
		left -= rows
		if o.Meter != nil {
			o.Meter.Advance(rows)
		}
		if !more {
			return nil
		}
	}
}

// ScanTable is Scan over all files of a table of a run, which must exist.
// A table that is missing is the error of Table.
func (l *Lake) ScanTable(ctx context.Context, table, run string, into schema.Columns, o ScanOptions, f func() error) error {
	m, err := l.Table(table, Run(run))
	if err != nil {
		return err
	}
	return l.Scan(ctx, m.Files, into, o, f)
}

// Reader reads one file of a table, for those who choose the row groups themselves. Closing it closes the file.
type Reader struct {
	*parquet.Reader
	object Object // nil for a reader that was opened beside another one
}

// Close closes the file. Closing a reader that was opened beside another one does nothing.
func (r *Reader) Close() error {
	r.Return()
	if r.object == nil {
		return nil
	}
	return r.object.Close()
}

// Beside returns a second reader of the same file into another table: the named columns, or all. It reads no footer, and is
// good until the first reader is closed.
func (r *Reader) Beside(into schema.Columns, columns ...string) (*Reader, error) {
	other, err := r.Reader.Beside(into, columns...)
	return &Reader{Reader: other}, err
}

// Reader opens a file of a table for reading into a table of columns: the named ones, or all.
// The caller closes it. Columns that are not named stay empty.
func (l *Lake) Reader(f File, into schema.Columns, columns ...string) (*Reader, error) {
	if err := l.checkOnce(f); err != nil {
		return nil, err
	}
	return l.reader(f.Path, into, columns...)
}

// Footer is what a file of a table states about its row groups: see Reader.Footer.
type Footer = parquet.Footer

// ReaderOf opens a file as Reader does, without reading its footer again. The footer must be that of the file, which never changes.
func (l *Lake) ReaderOf(f File, footer *Footer, into schema.Columns, columns ...string) (*Reader, error) {
	object, err := l.storage.Open(f.Path)
	if err != nil {
		return nil, err
	}
	r, err := parquet.NewReaderOf(l.storage.Path(f.Path), object, footer, into, columns...)
	if err != nil {
		object.Close()
		return nil, err
	}
	return &Reader{r, object}, nil
}

// Reader opens a staged file, as Lake.Reader opens one that exists.
func (s *Staging) Reader(f File, into schema.Columns, columns ...string) (*Reader, error) {
	return s.lake.reader(s.stagedPath(f), into, columns...)
}

// Scan reads a staged file row group by row group: into holds each in turn while f runs.
func (s *Staging) Scan(file File, into schema.Columns, f func()) error {
	r, err := s.Reader(file, into)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		more, err := r.Next()
		if err != nil || !more {
			return err
		}
		f()
	}
}

// reader opens a file by its name in the storage.
func (l *Lake) reader(name string, into schema.Columns, columns ...string) (*Reader, error) {
	object, err := l.storage.Open(name)
	if err != nil {
		return nil, err
	}
	r, err := parquet.NewReader(l.storage.Path(name), object, into, columns...)
	if err != nil {
		object.Close()
		return nil, err
	}
	return &Reader{r, object}, nil
}

// Read reads all rows of a table of few rows, which must exist: see Lake.Table.
// All rows are in memory, in the order of the files.
//
// Another process may replace the table between the look at its manifest and the look at its files, which are gone then: the
// new ones are read instead. It ends, since every further round needs another commit of the same table.
func Read[T any](l *Lake, table string, p Partition) ([]T, error) {
	for {
		m, err := l.Table(table, p)
		if err != nil {
			return nil, err
		}
		var all []T
		for _, file := range m.Files {
			var rows []T
			if rows, err = ReadFile[T](context.Background(), l, file); err != nil {
				break
			}
			if all == nil {
				all = rows // of nearly all tables there is one file
			} else {
				all = append(all, rows...)
			}
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return all, err
		}
		if now, again := l.Table(table, p); again != nil || now.Fingerprint == m.Fingerprint {
			return nil, cmp.Or(again, err)
		}
	}
}

// ReadInto is Read for callers that keep the rows of several tables, each in its place.
func ReadInto[T any](rows *[]T, l *Lake, table string, p Partition) (err error) {
	*rows, err = Read[T](l, table, p)
	return err
}

// ReadEach hands out the rows of a table one by one. A row holds for the call only.
func ReadEach[T any](l *Lake, table string, p Partition, each func(*T)) error {
	m, err := l.Table(table, p)
	if err != nil {
		return err
	}
	for _, file := range m.Files {
		if err := l.checkOnce(file); err != nil {
			return err
		}
		object, err := l.storage.Open(file.Path)
		if err != nil {
			return err
		}
		if err := errors.Join(parquet.ReadEach(l.Path(file), object, each), object.Close()); err != nil {
			return err
		}
	}
	return nil
}

// ReadBuckets hands out the rows of a table of few rows, file by file, with the bucket of each.
// The rows of one file are in memory at a time, unless f keeps them.
func ReadBuckets[T any](l *Lake, table string, p Partition, f func(bucket int, rows []T)) error {
	m, err := l.Table(table, p)
	if err != nil {
		return err
	}
	for _, file := range m.Files {
		rows, err := ReadFile[T](context.Background(), l, file)
		if err != nil {
			return err
		}
		f(file.Bucket, rows)
	}
	return nil
}

// ReadFile reads all rows of a file of a table of few rows. The fields of T name the columns: see package schema. It ends between two columns
// when ctx does, whose error it returns.
func ReadFile[T any](ctx context.Context, l *Lake, f File) ([]T, error) {
	if err := l.checkOnce(f); err != nil {
		return nil, err
	}
	return readRows[T](ctx, l.storage, f.Path)
}

// ReadStaged reads all rows of a staged file, as ReadFile reads those of one that exists.
func ReadStaged[T any](ctx context.Context, s *Staging, f File) ([]T, error) {
	return readRows[T](ctx, s.lake.storage, s.stagedPath(f))
}

// readRows reads a file by its name in the storage.
func readRows[T any](ctx context.Context, s Storage, name string) ([]T, error) {
	object, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	rows, err := parquet.ReadRows[T](s.Path(name), heedful{object, ctx})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return rows, err
}

// heedful is an object of which nothing more is read once a context has ended.
type heedful struct {
	Object
	ctx context.Context
}

// ReadAt implements io.ReaderAt.
func (h heedful) ReadAt(p []byte, off int64) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	return h.Object.ReadAt(p, off)
}

// Write stages a table of few rows, or its part in a bucket, as one file.
// No rows give a file without rows, so that the table exists.
func Write[T any](s *Staging, table string, bucket int, rows []T) (File, error) {
	w, err := s.Create(table, bucket, 0)
	if err != nil {
		return File{}, err
	}
	if err := parquet.WriteRows(w, s.key(table), rows); err != nil {
		w.Abandon()
		return File{}, err
	}
	return w.Finish(int64(len(rows)))
}

// WriteEach is Write for rows that come one by one. The file has the same bytes.
func WriteEach[T any](s *Staging, table string, bucket int, rows iter.Seq[T]) (File, error) {
	w, err := s.Create(table, bucket, 0)
	if err != nil {
		return File{}, err
	}
	n, err := parquet.WriteEach(w, s.key(table), rows)
	if err != nil {
		w.Abandon()
		return File{}, err
	}
	return w.Finish(n)
}

// TableWriter stages one file of a table of many rows, row group by row group.
type TableWriter struct {
	File File // the file's entry in the manifest, once Finish has returned without an error

	staged  *Writer         // the file
	columns *parquet.Writer // turns rows into its bytes
	closed  bool            // after Finish or Abandon
}

// CreateTable starts a file of a table with the columns of like: part number part of a bucket, or of NoBucket.
// Only the names and types of the columns are taken from like, and the rows that it may have are not written.
func (s *Staging) CreateTable(table string, bucket, part int, like schema.Columns) (*TableWriter, error) {
	staged, err := s.Create(table, bucket, part)
	if err != nil {
		return nil, err
	}
	columns := parquet.NewWriter(staged, like)
	columns.Key = s.key(table)
	return &TableWriter{staged: staged, columns: columns}, nil
}

// key is the column that says of which partition the rows of a file are. What a stage keeps for itself while it works has none.
func (s *Staging) key(table string) (k parquet.Key) {
	if _, described := schema.Table(table); described {
		k = parquet.Key{Name: s.partition.Key, Value: s.partition.Name}
	}
	return k
}

// SetGroupRows sets the number of rows of a full row group where that is not RowGroupRows. It comes before the first rows.
func (w *TableWriter) SetGroupRows(rows int) { w.columns.GroupRows = rows }

// WriteFull writes as many full row groups as there are rows for and leaves the other rows at the front of the table.
func (w *TableWriter) WriteFull(rows schema.Columns) error { return w.columns.WriteFull(rows) }

// Finish writes the last rows and closes the file. A file that is closed already, and a nil one that was never started,
// are left alone, so that those who fill files in turn need not know which are done.
func (w *TableWriter) Finish(last schema.Columns) error {
	if w == nil || w.closed {
		return nil
	}
	w.closed = true
	summary, err := w.columns.Close(last)
	if err != nil {
		w.staged.Abandon()
		return err
	}
	w.File, err = w.staged.Finish(summary.Rows)
	return err
}

// Abandon removes the file unless it is closed or was never started.
func (w *TableWriter) Abandon() {
	if w != nil && !w.closed {
		w.closed = true
		w.staged.Abandon()
	}
}
