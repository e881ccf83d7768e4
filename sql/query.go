package sql

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Format is how a result is written.
type Format string

// The formats.
const (
	Table   Format = "table"   // aligned columns for people, then the number of rows
	CSV     Format = "csv"     // RFC 4180 with a header; NULL is empty
	JSON    Format = "json"    // an array of objects, one a line
	Parquet Format = "parquet" // one Parquet file
	Arrow   Format = "arrow"   // an Arrow IPC stream
)

// Formats lists the formats.
var Formats = []Format{Table, CSV, JSON, Parquet, Arrow}

// ParseFormat checks the name of a format.
func ParseFormat(name string) (Format, error) {
	if !slices.Contains(Formats, Format(name)) {
		return "", fmt.Errorf("no format %q: one of %v", name, Formats)
	}
	return Format(name), nil
}

var errNoStatement = errors.New("no statement")

// Query executes statements separated by semicolons. The table format shows the result of each that
// asks something; the others, being one file, hold the last such result.
func (d *DB) Query(ctx context.Context, out io.Writer, query string, format Format) error {
	return d.answer(ctx, out, query, shown{format: format})
}

// shown says how results are written.
type shown struct {
	format Format
	units  bool // a table shows columns of nanoseconds as times with a unit; for other formats it means nothing
}

// answer executes statements as Query does.
func (d *DB) answer(ctx context.Context, out io.Writer, query string, as shown) error {
	if _, err := ParseFormat(string(as.format)); err != nil {
		return fmt.Errorf("query: %w", err)
	}
	buffered := bufio.NewWriterSize(out, 1<<16)
	err := d.query(ctx, buffered, split(query), as)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if d.memory > 0 && isOutOfMemory(err) { // how DuckDB would be told to take more is nothing that a user of the lake can do
		err = fmt.Errorf("the question needs more memory than the %s that --memory leaves for it: raise --memory, or ask for fewer rows", texttab.Bytes(d.memory))
	}
	if err = errors.Join(err, buffered.Flush()); err != nil {
		return fmt.Errorf("query: %w", err)
	}
	return nil
}

// query executes the statements on one connection, so that SET and temporary tables hold for those that follow.
func (d *DB) query(ctx context.Context, out io.Writer, statements []statement, as shown) error {
	if len(statements) == 0 {
		return errNoStatement
	}
	conn, err := d.db.Conn(ctx)
	if err != nil {
		return err
	}
	if d.sandboxed {
		err = refuse(ctx, conn, statements)
	}
	if err == nil {
		err = d.run(ctx, conn, out, statements, as)
	}
	return errors.Join(err, conn.Close())
}

// run executes every statement and shows the results that the format has room for.
func (d *DB) run(ctx context.Context, conn *sql.Conn, out io.Writer, statements []statement, as shown) error {
	// All formats but the table are one file and hold one result, that of the last statement that has any.
	last := len(statements) - 1
	for last >= 0 && !statements[last].returnsRows() {
		last--
	}
	shown := 0
	for i, s := range statements {
		if !s.returnsRows() || as.format != Table && i != last {
			if _, err := conn.ExecContext(ctx, s.padded("", "")); err != nil {
				return err
			}
			continue
		}
		if shown++; shown > 1 {
			if _, err := io.WriteString(out, "\n"); err != nil {
				return err
			}
		}
		if err := d.show(ctx, conn, out, s, as); err != nil {
			return err
		}
	}
	return nil
}

// show writes the result of one statement.
func (d *DB) show(ctx context.Context, conn *sql.Conn, out io.Writer, s statement, as shown) error {
	if as.format == Parquet {
		return d.writeParquet(ctx, conn, out, s)
	}
	rows, err := conn.QueryContext(ctx, s.padded("", ""))
	if err != nil {
		return err
	}
	r, err := newResult(rows)
	if err == nil {
		switch as.format {
		case CSV:
			err = writeCSV(out, r)
		case JSON:
			err = writeJSON(out, r)
		case Arrow:
			err = writeArrow(out, r)
		default:
			err = writeTable(out, r, tableLook{d.cellRunes, as.units})
		}
	}
	return errors.Join(err, rows.Close())
}

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
