package sql

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/tracelake/tracelake/pipeline/process"
)

// Contents say what there is in a lake: partitions, which are runs, comparisons and the like, and their files. Package sql
// knows no lake: who opens one passes what it needs.
type Contents struct {
	Folder string // of the lake: an absolute path
	// Stamps returns a text for every partition, which changes whenever the partition does.
	Stamps func() (map[string]string, error)
	// Files returns the files of a partition as a Catalog has them: by table, relative to the folder.
	Files func(partition string) (map[string][]string, error)
	// Newest returns the comparison that was made last, "" where there is none.
	Newest func() (string, error)
}

// followTries is how often a database is brought up to date while other processes change the lake. Whoever changes it does
// the same afterwards.
const followTries = 5

// Follow brings a DuckDB database with a lake's views, comments and macros up to date, and makes it where there is none, so
// that any DuckDB client opens it. It reads what has changed of the lake since the database was written, and costs little
// more in a lake of a thousand runs than in one of one. The file appears whole or not at all, with a time of modification
// that the caller chooses.
//
// Other processes may change the lake and follow it at the same time. Each looks once more when its file is there whether it
// shows the lake as it is, and begins again if not: the last one to look sees the changes of all.
func Follow(ctx context.Context, path string, modified time.Time, c Contents) error {
	stamps, err := c.Stamps()
	for try := 1; err == nil; try++ {
		failed := follow(ctx, path, modified, stamps, c)
		var now map[string]string
		now, err = c.Stamps()
		if err != nil || ctx.Err() != nil || maps.Equal(stamps, now) {
			err = cmp.Or(failed, err)
			break
		}
		if try == followTries {
			err = failed // others go on changing the lake, which is no reason to be silent of a database that could not be written
			break
		}
		stamps = now
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// follow brings the database up to date with the partitions of some stamps.
//
// DuckDB locks the file that it writes, which not every file system of a lake can do, and clients may have it open. So a copy
// is changed where temporary files lie, in a directory of its own, which also keeps DuckDB's side files apart.
func follow(ctx context.Context, path string, modified time.Time, stamps map[string]string, c Contents) (err error) {
	dir, err := process.Folder("views")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, process.RemoveFolder(dir)) }()
	db, err := connect(Options{Threads: 1}, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	temp := filepath.Join(dir, filepath.Base(path))
	f := follower{Contents: c, conn: conn, stamps: stamps, name: filepath.Base(path)}
	changed := true
	if old, read := os.ReadFile(path); read == nil {
		if err := os.WriteFile(temp, old, 0o600); err != nil {
			return err
		}
		if changed, err = f.update(ctx, temp); err == nil && !changed {
			return os.Chtimes(path, modified, modified)
		}
		if err == nil {
			return moveTo(path, temp, modified)
		}
		if ctx.Err() != nil {
			return err
		}
		// It is damaged, of another program, or of this lake in another place. It holds nothing that the lake has not.
		temp += ".anew"
	}
	if err := f.create(ctx, temp); err != nil {
		return err
	}
	return moveTo(path, temp, modified)
}

// moveTo puts a copy of a small file in the place of another one, on whatever file system that is, at one instant. What killed processes began to
// put there goes.
func moveTo(path, from string, modified time.Time) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	process.SweepBeside(path)
	f, err := os.Create(process.BesidePath(path))
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err == nil {
		err = os.Chtimes(f.Name(), modified, modified)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// executer is a connection, or a transaction on one.
type executer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// execAll executes statements in turn and stops at the first error.
func execAll(ctx context.Context, on executer, statements ...string) error {
	for _, s := range statements {
		if _, err := on.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%.60s...: %w", s, err)
		}
	}
	return nil
}

// inTransaction has changes take effect together or not at all, also where one panics: a connection with an open transaction would
// not close, and the panic never be seen.
func inTransaction(ctx context.Context, conn *sql.Conn, change func(*sql.Tx) error) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing once the transaction has ended
	if err := change(tx); err != nil {
		return err
	}
	return tx.Commit()
}
