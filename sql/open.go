package sql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/pipeline/process"
)

// Catalog lists the files of the tables of a lake. Package sql knows no lake: who opens one passes its files on.
type Catalog struct {
	Folder string              // of the lake: an absolute path
	Files  map[string][]string // table name -> paths relative to the folder, with slashes, which end with .parquet
	Newest string              // the comparison that was made last; "" where there is none
}

// Options bound what a query may use. The zero value leaves the bounds to DuckDB.
type Options struct {
	MemoryBytes int64        // for DuckDB; what does not fit is spilled to disk
	Threads     int          // of DuckDB
	Note        func(string) // is told which run or comparison a named query takes by itself; may be nil
	Sandbox     bool         // refuse whatever is no question about the lake's own files
	CellRunes   int          // longer cells of the table format are cut; 0 leaves them whole
}

// DB is an open lake. It may be used by several goroutines.
type DB struct {
	db        *sql.DB
	tempDir   string
	memory    int64 // see Options.MemoryBytes
	cellRunes int
	sandboxed bool
	note      func(string)
}

// Open makes the lake's views in a database in memory. The caller closes it.
func Open(ctx context.Context, c Catalog, o Options) (*DB, error) {
	tempDir, err := process.Folder("sql")
	if err != nil {
		return nil, fmt.Errorf("open lake: %w", err)
	}
	d := &DB{tempDir: tempDir, memory: o.MemoryBytes, cellRunes: o.CellRunes, sandboxed: o.Sandbox, note: o.Note}
	if d.db, err = connect(o, tempDir); err == nil {
		err = d.define(ctx, c, o)
	}
	if err != nil {
		return nil, fmt.Errorf("open lake: %w", errors.Join(err, d.Close()))
	}
	return d, nil
}

// Close ends the database and removes what it spilled.
func (d *DB) Close() error {
	var err error
	if d.db != nil {
		err = d.db.Close()
	}
	return errors.Join(err, process.RemoveFolder(d.tempDir))
}

// define makes the views on one connection, since a pool may hand out another for each statement, and then closes the sandbox.
func (d *DB) define(ctx context.Context, c Catalog, o Options) error {
	conn, err := d.db.Conn(ctx)
	if err != nil {
		return err
	}
	err = define(ctx, conn, c)
	if err == nil && o.Sandbox { // the settings are those of the database, and so of all connections
		err = closeSandbox(ctx, conn, c.Folder, d.tempDir, o)
	}
	return errors.Join(err, conn.Close())
}

// settings are the bounds as statements. Extensions are never fetched over the network.
func settings(o Options, tempDir string) []string {
	s := []string{
		"SET autoinstall_known_extensions = false",
		"SET autoload_known_extensions = false",
		"SET parquet_metadata_cache = true",
		"SET temp_directory = " + literal(tempDir),
	}
	if o.MemoryBytes > 0 {
		s = append(s, fmt.Sprintf("SET memory_limit = '%dB'", o.MemoryBytes))
	}
	if o.Threads > 0 {
		s = append(s, fmt.Sprintf("SET threads = %d", o.Threads))
	}
	return s
}
