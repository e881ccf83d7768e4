package sql

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"os"
)

// writeParquet has DuckDB write a file, which is then copied, so that the output may be a pipe.
func (d *DB) writeParquet(ctx context.Context, conn *sql.Conn, out io.Writer, s statement) error {
	f, err := os.CreateTemp(d.tempDir, "result-*.parquet")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	// DuckDB takes the results of DESCRIBE and its like only as a table of FROM.
	before, after := "COPY (", "\n) TO "
	switch s.keyword() {
	case "DESCRIBE", "DESC", "SHOW", "SUMMARIZE":
		before, after = "COPY (FROM (", "\n)) TO "
	}
	after += literal(f.Name()) + " (FORMAT parquet, COMPRESSION zstd)"
	if _, err := conn.ExecContext(ctx, s.padded(before, after)); err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(copyFile(ctx, out, f.Name()), f.Close())
}

// copyFile opens the name again: DuckDB may have replaced the file behind it.
func copyFile(ctx context.Context, out io.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	for ctx.Err() == nil {
		if _, err := io.CopyN(out, f, 8<<20); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
	return ctx.Err()
}
