// Command floor measures what any reader of a trace has to pay at least, and what a general engine
// pays for the same: reading the file, finding its lines, hashing it, and DuckDB reading its columns
// as CSV and writing them as Parquet. Times are CPU seconds of the whole process, user and system, so
// that they compare between programs with different numbers of threads; wall time stands beside them.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/marcboeker/go-duckdb/v2"

	"github.com/tracelake/tracelake/benchmarks/program"
)

func main() { program.Main("floor", run) }

// run measures what -only chooses, in the order in which it is named, and prints a table.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	// 1. Which measurements, of which file.
	f := program.NewFlags("floor", "[-only NAMES] [-dir DIR] TRACE\n\nTRACE is in the thesis dialect.", stderr)
	only := f.String("only", "", "comma-separated measurements, default all: "+strings.Join(program.Names(measurements, nameOf), ","))
	dir := f.String("dir", os.TempDir(), "where DuckDB writes its Parquet file")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() != 1 {
		return errors.New("name one trace file")
	}
	chosen, err := program.Choose("measurement", *only, measurements, nameOf)
	if err != nil {
		return err
	}
	// The first pass counts lines and warms the page cache, so that no measurement pays for the disk.
	t := target{path: f.Arg(0), dir: *dir}
	if err := t.measure(); err != nil {
		return err
	}
	// 2. One after the other, so that each has the machine for itself.
	var rows []row
	for _, m := range chosen {
		r, err := timed(ctx, m, t)
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		rows = append(rows, r)
	}
	return table(stdout, t, rows)
}

// measurements are all there are, in the order of the table.
var measurements = []measurement{
	{"read", read},
	{"lines", countLines},
	{"sha256", hash},
	{"duckdb-1", func(ctx context.Context, t target) error { return duckdb(ctx, t, 1) }},
	{"duckdb-2", func(ctx context.Context, t target) error { return duckdb(ctx, t, 2) }},
}

// nameOf is what a measurement is chosen by.
func nameOf(m measurement) string { return m.name }

// read only moves the bytes into memory.
func read(_ context.Context, t target) error { return t.each(func([]byte) {}) }

// countLines looks at every byte once.
// Package bytes counts with vector instructions where the processor has them.
func countLines(_ context.Context, t target) error {
	var n int64
	err := t.each(func(block []byte) { n += int64(bytes.Count(block, []byte{'\n'})) })
	if err == nil && n != t.lines {
		err = fmt.Errorf("%d lines, not %d: the file changes", n, t.lines)
	}
	return err
}

// hash computes the SHA-256 of the file, as ingest does for the fingerprint of a run.
func hash(_ context.Context, t target) error {
	h := sha256.New()
	// Write on a hash returns no error, so only reading can fail.
	return t.each(func(block []byte) { h.Write(block) })
}

// duckdb splits the lines of the thesis dialect at blanks and writes the columns as they are, without pairing or
// interpreting anything: less than an ingest does.
// Its threads are given, since CPU seconds grow a little with their number.
func duckdb(ctx context.Context, t target, threads int) (err error) {
	db, err := sql.Open("duckdb", fmt.Sprintf("?threads=%d", threads))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	// The Parquet file goes to a folder of its own and is removed again, so that runs do not differ by what the
	// disk holds.
	dir, err := os.MkdirTemp(t.dir, "floor-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	out := filepath.Join(dir, "events.parquet")
	result, err := db.ExecContext(ctx, fmt.Sprintf(`COPY (SELECT * FROM read_csv(%s, delim = ' ', header = false,
		quote = '', escape = '', null_padding = true, auto_detect = false, columns = {'time': 'DECIMAL(18,9)',
		'component': 'VARCHAR', 'direction': 'VARCHAR', 'function': 'VARCHAR', 'message': 'VARCHAR'}))
		TO %s (FORMAT parquet)`, quote(t.path), quote(out)))
	if err != nil {
		return err
	}
	// A result with another number of rows would be the time of something else.
	n, err := result.RowsAffected()
	if err == nil && n != t.lines {
		err = fmt.Errorf("wrote %d rows of %d lines", n, t.lines)
	}
	return err
}

// quote makes an SQL string.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
