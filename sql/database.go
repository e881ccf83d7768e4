package sql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// WriteDatabase writes a DuckDB database with the lake's views, comments and macros, so that any DuckDB
// client opens it. The file appears whole or not at all; one that exists is replaced.
func WriteDatabase(ctx context.Context, path string, c Catalog) error {
	// DuckDB locks the file that it writes, which not every file system of a lake can do. So it is made where temporary
	// files lie, in a directory of its own, which also keeps DuckDB's side files apart and makes the name free.
	dir, err := os.MkdirTemp("", "tracelake-")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	temp := filepath.Join(dir, filepath.Base(path))
	err = writeDatabase(ctx, temp, c)
	if err == nil {
		err = moveTo(path, temp)
	}
	if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// moveTo puts a copy of a small file in the place of another one, on whatever file system that is, at one instant.
func moveTo(path, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.new")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// writeDatabase writes the database at a path where no file is.
func writeDatabase(ctx context.Context, path string, c Catalog) error {
	db, err := connect(Options{}, filepath.Dir(path))
	if err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err == nil {
		err = errors.Join(defineIn(ctx, conn, path, c), conn.Close())
	}
	return errors.Join(err, db.Close())
}

// defineIn attaches the file rather than opening it: a path in a statement needs no escaping as a URL.
func defineIn(ctx context.Context, conn *sql.Conn, path string, c Catalog) error {
	if err := execAll(ctx, conn, "ATTACH "+literal(path)+" AS lake", "USE lake"); err != nil {
		return err
	}
	if err := define(ctx, conn, c); err != nil {
		return err
	}
	return execAll(ctx, conn, "CHECKPOINT lake", "USE memory", "DETACH lake")
}

// execAll executes statements in turn and stops at the first error.
func execAll(ctx context.Context, conn *sql.Conn, statements ...string) error {
	for _, s := range statements {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return nil
}
