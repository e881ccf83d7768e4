package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/marcboeker/go-duckdb/v2" // registers the driver "duckdb"
)

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
