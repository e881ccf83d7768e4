// Package views keeps the database of views in a lake, which any DuckDB client opens, in step with the lake's tables.
package views

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/sql"
)

// Path returns where the database of a lake in a folder is. In an object store there is none, as DuckDB would not find its files from there.
func Path(l *lake.Lake) string { return filepath.Join(l.Dir, "tracelake.duckdb") }

// Catalog returns the files that SQL may read to answer a question: those of the tables that the lake has committed.
// A table without files has no rows.
//
// DuckDB reads files. Those of a lake in an object store are brought to this machine first, as far as the question, a text of SQL or the
// name of a query, names their tables.
func Catalog(ctx context.Context, l *lake.Lake, question string) (sql.Catalog, error) {
	files, err := l.Files()
	if err != nil {
		return sql.Catalog{}, err
	}
	newest, err := newest(l)
	c := sql.Catalog{Folder: l.Dir, Files: files, Newest: newest}
	if err != nil || l.Local() {
		return c, err
	}
	if c.Folder, err = mirrorOf(l); err != nil {
		return c, err
	}
	// What is not brought keeps its names, so that a question that reads it all the same fails instead of finding no rows.
	brought, err := l.Mirror(ctx, c.Folder, sql.TablesOf(question, slices.Collect(maps.Keys(files))))
	maps.Copy(c.Files, brought)
	return c, err
}

// mirrorOf returns the folder of this user and machine for files of a lake in an object store. It stays, for the next question.
func mirrorOf(l *lake.Lake) (string, error) {
	sum := sha256.Sum256([]byte(os.Getenv("AWS_ENDPOINT_URL_S3") + os.Getenv("AWS_ENDPOINT_URL") + "\n" + l.Dir))
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("tracelake-cache-%d", os.Getuid()), hex.EncodeToString(sum[:8]))
	err := os.MkdirAll(dir, 0o700)
	if err != nil {
		return "", err
	}
	// Where others may write to the folder for temporary files, one of them may have made this one.
	if info, err := os.Stat(filepath.Dir(dir)); err != nil || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Getuid()) {
		return "", cmp.Or(err, fmt.Errorf("%s belongs to another user: choose another folder with --scratch", filepath.Dir(dir)))
	}
	return dir, nil
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
	if !l.Local() {
		return nil
	}
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
	if !l.Local() {
		return nil
	}
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
