// Package views keeps the database of views in a lake, which any DuckDB client opens, in step with the lake's tables.
package views

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/sql"
)

// Path returns where the database of a lake is.
func Path(l *lake.Lake) string { return filepath.Join(l.Dir, "tracelake.duckdb") }

// Catalog returns the files that SQL may read: those of the tables that the lake has committed.
// A table without files has no rows.
func Catalog(l *lake.Lake) (sql.Catalog, error) {
	files, err := l.Files()
	if err != nil {
		return sql.Catalog{}, err
	}
	newest, err := newest(l)
	return sql.Catalog{Folder: l.Dir, Files: files, Newest: newest}, err
}

// newest returns the comparison of a lake that was made last.
func newest(l *lake.Lake) (string, error) { return l.Newest("comparison", "changes") }

// Exist reports whether the lake has a database.
func Exist(l *lake.Lake) bool {
	_, err := os.Stat(Path(l))
	return err == nil
}

// Follow brings the database up to date, or makes it. It is for commands that have changed the lake.
func Follow(ctx context.Context, l *lake.Lake) error {
	inventories, err := inventoriesChanged(l)
	if err != nil {
		return err
	}
	return sql.Follow(ctx, Path(l), inventories, sql.Contents{Folder: l.Dir, Stamps: l.Stamps, Files: l.PartitionFiles, Newest: func() (string, error) { return newest(l) }})
}

// FollowOthers brings the database up to date where a process was killed before it did so. It is for commands that have
// changed nothing, and costs two looks at the file system where nothing is to be done: the time of modification of the
// database is that of the folder in which every commit replaces a file.
func FollowOthers(ctx context.Context, l *lake.Lake) error {
	inventories, err := inventoriesChanged(l)
	if err != nil {
		return err
	}
	if info, err := os.Stat(Path(l)); err == nil && info.ModTime().Equal(inventories) {
		return nil
	}
	return Follow(ctx, l)
}

// inventoriesChanged is when an inventory last took its place or went, as far as the clock of the file system tells: of two
// commits within its few milliseconds the second may have the time of the first.
func inventoriesChanged(l *lake.Lake) (time.Time, error) {
	info, err := os.Stat(filepath.Join(l.Dir, lake.InventoryFolder))
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}, nil // an empty lake
	}
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}
