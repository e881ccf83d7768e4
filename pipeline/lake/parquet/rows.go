package parquet

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// WriteRows writes a file of a few rows. The fields of T and their tags are those of parquet-go, which works by reflection
// and row by row: that suits tables of thousands of rows, not of millions.
// Panics of the library, as over types that it does not know, become errors.
func WriteRows[T any](w io.Writer, rows []T) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("parquet: %T: %v", rows, p)
		}
	}()
	pw := parquet.NewGenericWriter[T](w, parquet.CreatedBy(createdBy+"-rows", "1", ""),
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}))
	if _, err := pw.Write(rows); err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	return pw.Close()
}

// ReadRows reads all rows of a file that WriteRows or another program wrote. The name of the file stands in errors.
// Columns are found by their names; a field without a column stays zero.
func ReadRows[T any](name string, file Source) (rows []T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("broken file or other columns: %v", p)
		}
		if err != nil {
			rows, err = nil, fmt.Errorf("parquet: %s: %w", name, err)
		}
	}()
	// The own reader checks the footer first, because the library asks for memory before it looks.
	check := &Reader{file: file}
	if err := check.readFooter(); err != nil {
		return nil, err
	}
	pf, err := parquet.OpenFile(file, file.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	pr := parquet.NewGenericReader[T](pf)
	defer pr.Close()
	for {
		// New memory a batch: the reader reuses slices that it finds in rows.
		batch := make([]T, 256)
		n, err := pr.Read(batch)
		rows = append(rows, batch[:n]...)
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
