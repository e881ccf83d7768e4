package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
	"unsafe"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

// WriteRows writes a file of a few rows. The fields of T and their tags are those of parquet-go. Flat rows are written by columns; others by
// that library, which works by reflection and row by row: that suits tables of thousands of rows, not of millions.
// The key, if it has a name, becomes one more column. Panics of the library, as over types that it does not know, become errors.
func WriteRows[T any](w io.Writer, key Key, rows []T) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("parquet: %T: %v", rows, p)
		}
	}()
	pw := newRowWriter[T](w, key)
	if err = pw.write(rows); err == nil {
		err = pw.close()
	}
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	return nil
}

// batchRows is the number of rows that are written or read at a time. It is a multiple of the rows after which the library looks
// whether a page is full, so that the bytes of a file do not depend on it.
const batchRows = 256

// WriteEach writes what WriteRows writes of the same rows, which need not be in memory together, and returns their number.
func WriteEach[T any](w io.Writer, key Key, rows iter.Seq[T]) (n int64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("parquet: %T: %v", rows, p)
		}
	}()
	pw := newRowWriter[T](w, key)
	batch := make([]T, 0, batchRows)
	write := func() bool {
		err = pw.write(batch)
		n, batch = n+int64(len(batch)), batch[:0]
		return err == nil
	}
	for row := range rows {
		if batch = append(batch, row); len(batch) == batchRows && !write() {
			break
		}
	}
	if err == nil && write() {
		err = pw.close()
	}
	if err != nil {
		return n, fmt.Errorf("parquet: %w", err)
	}
	return n, nil
}

// rowWriter writes a file of rows: by columns, where these are flat.
type rowWriter[T any] struct {
	flat  *flatWriter
	all   *parquet.GenericWriter[T] // of rows that are not flat
	keyed *keyedOutput              // nil for a file without a key
}

// newRowWriter starts a file of rows.
func newRowWriter[T any](w io.Writer, key Key) rowWriter[T] {
	if flat := newFlatWriter(w, key, reflect.TypeFor[T]()); flat != nil {
		return rowWriter[T]{flat: flat}
	}
	var keyed *keyedOutput
	if key.Name != "" {
		keyed = &keyedOutput{out: w, key: key}
		w = keyed
	}
	// Its output is not buffered, so that all row groups have passed when Flush returns.
	writer := parquet.NewGenericWriter[T](w, parquet.CreatedBy(createdBy+"-rows", "1", ""),
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}), parquet.WriteBufferSize(0))
	return rowWriter[T]{all: writer, keyed: keyed}
}

// write takes some rows.
func (w rowWriter[T]) write(rows []T) error {
	if w.flat != nil {
		for len(rows) > 0 {
			n := min(len(rows), batchRows, w.flat.room())
			if err := w.flat.write(unsafe.Pointer(unsafe.SliceData(rows)), n); err != nil {
				return err
			}
			rows = rows[n:]
		}
		return nil
	}
	_, err := w.all.Write(rows)
	return err
}

// close writes what is left of the rows, and the footer.
func (w rowWriter[T]) close() error {
	if w.flat != nil {
		return w.flat.close()
	}
	if w.keyed == nil {
		return w.all.Close()
	}
	if err := w.all.Flush(); err != nil {
		return err
	}
	w.keyed.tail = new(bytes.Buffer)
	if err := w.all.Close(); err != nil {
		return err
	}
	return w.keyed.finish()
}

// ReadRows reads all rows of a file that WriteRows or another program wrote. The name of the file stands in errors.
// Columns are found by their names; a field without a column stays zero.
func ReadRows[T any](name string, file Source) (rows []T, err error) {
	r := &Reader{name: name, file: file}
	rows, flat, err := readAllFlat[T](r)
	if flat || err != nil {
		return rows, err
	}
	// Batches lie one behind the other in memory that was not used before: the reader reuses slices that it finds in rows.
	next := func() []T {
		rows = slices.Grow(rows, batchRows)
		return rows[len(rows) : len(rows)+batchRows]
	}
	err = readBatches(name, file, next, func(batch []T) { rows = rows[:len(rows)+len(batch)] })
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows, nil
}

// readAllFlat is readFlat of a file whose footer is not read yet.
func readAllFlat[T any](r *Reader) (rows []T, flat bool, err error) {
	defer r.guard(&err)
	if err := r.readFooter(); err != nil {
		return nil, false, err
	}
	return readFlat[T](r)
}

// ReadEach hands out the rows of such a file one by one. A row and its slices hold for the call only.
func ReadEach[T any](name string, file Source, each func(*T)) error {
	batch := make([]T, batchRows)
	return readBatches(name, file, func() []T { return batch }, func(read []T) {
		for i := range read {
			each(&read[i])
		}
	})
}

// readBatches reads the rows of a file into batches that next makes.
func readBatches[T any](name string, file Source, next func() []T, each func([]T)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("broken file or other columns: %v", p)
		}
		if err != nil {
			err = fmt.Errorf("parquet: %s: %w", name, err)
		}
	}()
	// The own reader checks the footer first, because the library asks for memory before it looks.
	check := &Reader{file: file}
	whole, offset, err := check.wholeFooter()
	if err != nil {
		return err
	}
	if check.meta, err = compactMetadata(whole); err != nil {
		return err
	}
	for _, g := range check.meta.groups {
		if slices.ContainsFunc(g.chunks, func(m chunkMeta) bool { return m.codec == format.Lz4Raw }) {
			return errLZ4
		}
	}
	if file, err = withoutKey[T](file, whole, offset); err != nil {
		return err
	}
	pf, err := parquet.OpenFile(file, file.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	pr := parquet.NewGenericReader[T](pf)
	defer pr.Close()
	// It is asked for no more rows than there are: it would look for them in every column, which takes longer than to read a row.
	for left := check.meta.rows; left > 0; {
		batch := next()
		n, err := pr.Read(batch[:min(int64(len(batch)), left)])
		each(batch[:n])
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case n == 0:
			return io.ErrNoProgress
		}
		left -= int64(n)
	}
	return nil
}
