package sql

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// follower writes the views of a lake into a database file, and changes there what has changed in the lake. Beside the macros
// that the views read, the schema lake_files has what these are made of:
//
//	made        a hash of all definitions: a database with another one is made anew
//	partitions  the stamp of every partition as it was when its files were read
//	files       the files of a table of a partition: keys with commas between, names with line ends between
type follower struct {
	Contents
	conn   *sql.Conn         // of a database in memory, to which the file is attached
	stamps map[string]string // of the partitions that the database is to show
	name   string            // of the file when it is in its place
}

// errOther is the error of a database that cannot be changed to what it should be, and is to be made anew.
var errOther = errors.New("the database is of another lake or another program")

// definitions are those of a lake that may be moved with its database, and their hash.
//
// DuckDB takes relative paths from the folder of the client, which may be any. But a client that opens a database has a
// setting that is made of the path of the file: where DuckDB puts temporary files. The lake is where that is. Where the
// client has attached the file beside another one, or has changed the setting, the lake is where it was when the database
// was written.
func (f *follower) definitions() ([]string, string, error) {
	setting, pattern := "current_setting('temp_directory')", literal("^(.*/)?"+regexp.QuoteMeta(f.name)+`\.tmp$`)
	found := "regexp_extract(" + setting + ", " + pattern + ", 1)"
	folder := "CASE WHEN regexp_matches(" + setting + ", " + pattern + ") THEN " + noGlobIn(found) +
		" ELSE " + literal(noGlob.Replace(f.Folder)+"/") + " END"
	all, err := definitions(folder)
	sum := sha256.Sum256([]byte(strings.Join(all, ";\n")))
	return all, hex.EncodeToString(sum[:]), err
}

// create writes a database at a path where no file is.
func (f *follower) create(ctx context.Context, path string) error {
	all, hash, err := f.definitions()
	if err != nil {
		return err
	}
	all = append(all,
		"CREATE TABLE "+filesSchema+".made AS SELECT "+literal(hash)+" AS hash",
		"CREATE TABLE "+filesSchema+".partitions (partition VARCHAR, stamp VARCHAR)",
		"CREATE TABLE "+filesSchema+".files (partition VARCHAR, name VARCHAR, keys VARCHAR, names VARCHAR)")
	return f.attached(ctx, path, func(tx *sql.Tx) error {
		if err := execAll(ctx, tx, all...); err != nil {
			return err
		}
		return f.replace(ctx, tx, slices.Sorted(maps.Keys(f.stamps)))
	})
}

// update changes a database and reports whether there was anything to change. After an error the file is worth nothing.
func (f *follower) update(ctx context.Context, path string) (changed bool, err error) {
	_, hash, err := f.definitions()
	if err != nil {
		return false, err
	}
	err = f.attached(ctx, path, func(tx *sql.Tx) error {
		var made string
		if err := tx.QueryRowContext(ctx, "SELECT hash FROM "+filesSchema+".made").Scan(&made); err != nil {
			return err
		}
		if made != hash {
			return errOther
		}
		stale, err := f.stale(ctx, tx)
		if err != nil {
			return err
		}
		changed = len(stale) > 0
		return f.replace(ctx, tx, stale)
	})
	return changed, err
}

// attached attaches the file rather than opening it: a path in a statement needs no escaping as a URL. The changes are in the
// file itself when it returns without an error.
func (f *follower) attached(ctx context.Context, path string, change func(*sql.Tx) error) (err error) {
	if err := execAll(ctx, f.conn, "ATTACH "+literal(path)+" AS lake", "USE lake"); err != nil {
		return unlockable(path, err)
	}
	defer func() { err = errors.Join(err, execAll(ctx, f.conn, "USE memory", "DETACH lake")) }()
	if err := inTransaction(ctx, f.conn, change); err != nil {
		return err
	}
	return execAll(ctx, f.conn, "CHECKPOINT lake")
}

// unlockable names the reason where a file of this process alone cannot be locked: DuckDB asks for a lock before it writes.
func unlockable(path string, err error) error {
	if !strings.Contains(err.Error(), "Could not set lock on file") {
		return err
	}
	return fmt.Errorf("the folder for temporary files, %s, is on a file system without locks, which DuckDB needs: "+
		"set TMPDIR to a folder on a local disk (%w)", filepath.Dir(filepath.Dir(path)), err)
}

// stale lists the partitions that have another stamp than in the database, or are only in one of the two, sorted.
func (f *follower) stale(ctx context.Context, tx *sql.Tx) ([]string, error) {
	have, err := texts(ctx, tx, "SELECT partition, stamp FROM "+filesSchema+".partitions")
	if err != nil {
		return nil, err
	}
	left := maps.Clone(f.stamps)
	var stale []string
	for _, row := range have {
		partition, stamp := row[0], row[1]
		if now, is := left[partition]; !is || now != stamp {
			stale = append(stale, partition)
		}
		delete(left, partition)
	}
	stale = slices.AppendSeq(stale, maps.Keys(left))
	slices.Sort(stale)
	return stale, nil
}

// filesRow is a row of the table files.
type filesRow struct{ partition, table, keys, names string }

// replace reads the files of some partitions, and gives every table whose files are others its new ones.
func (f *follower) replace(ctx context.Context, tx *sql.Tx, partitions []string) error {
	if len(partitions) == 0 {
		return nil
	}
	after := make(map[filesRow]bool)
	var rows, stamps []string // of the tables of the same names
	for _, p := range partitions {
		stamp, is := f.stamps[p]
		if !is {
			continue // it is gone
		}
		stamps = append(stamps, "("+literal(p)+", "+literal(stamp)+")")
		tables, err := f.Files(p)
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(tables)) {
			for _, g := range byPartition(name, tables[name]) {
				r := filesRow{p, name, strings.Join(g.keys, ","), strings.Join(g.files, "\n")}
				after[r] = true
				rows = append(rows, fmt.Sprintf("(%s, %s, %s, %s)", literal(r.partition), literal(r.table), literal(r.keys), literal(r.names)))
			}
		}
	}
	changed, err := changedTables(ctx, tx, partitions, after)
	if err != nil {
		return err
	}
	among := " WHERE partition IN (" + literals(partitions) + ")"
	if err := execAll(ctx, tx, "DELETE FROM "+filesSchema+".files"+among, "DELETE FROM "+filesSchema+".partitions"+among); err != nil {
		return err
	}
	if err := errors.Join(insert(ctx, tx, "files", rows), insert(ctx, tx, "partitions", stamps)); err != nil {
		return err
	}
	if err := nameFiles(ctx, tx, changed); err != nil {
		return err
	}
	newest, err := f.Newest()
	if err != nil {
		return err
	}
	return execAll(ctx, tx, newestIs(newest))
}

// changedTables lists the tables of which some partitions have other files than the database says, sorted.
func changedTables(ctx context.Context, tx *sql.Tx, partitions []string, after map[filesRow]bool) ([]string, error) {
	changed := make(map[string]bool)
	before, err := texts(ctx, tx, "SELECT partition, name, keys, names FROM "+filesSchema+".files WHERE partition IN ("+literals(partitions)+")")
	for _, row := range before {
		r := filesRow{row[0], row[1], row[2], row[3]}
		if !after[r] {
			changed[r.table] = true
		}
		delete(after, r)
	}
	for r := range after {
		changed[r.table] = true
	}
	return slices.Sorted(maps.Keys(changed)), err
}

// insert adds rows to a table of the database, a few hundred by a statement: one for each takes DuckDB a tenth of a
// millisecond, and all at once it parses for long.
func insert(ctx context.Context, tx *sql.Tx, table string, rows []string) error {
	for some := range slices.Chunk(rows, 500) {
		if err := execAll(ctx, tx, "INSERT INTO "+filesSchema+"."+table+" VALUES "+strings.Join(some, ", ")); err != nil {
			return err
		}
	}
	return nil
}

// nameFiles has the views of some tables read the files that the database has of them, in the order of their partitions. What all
// tables read is asked for at once: a question costs DuckDB some milliseconds, whatever the answer.
func nameFiles(ctx context.Context, tx *sql.Tx, tables []string) error {
	if len(tables) == 0 {
		return nil
	}
	rows, err := texts(ctx, tx, "SELECT name, keys, string_agg(names, chr(10) ORDER BY partition) FROM "+filesSchema+
		".files WHERE name IN ("+literals(tables)+") GROUP BY name, keys ORDER BY name, keys")
	if err != nil {
		return err
	}
	groups := make(map[string][]partition, len(tables))
	for _, row := range rows {
		table, keys, names := row[0], row[1], row[2]
		groups[table] = append(groups[table], partition{table: table, keys: strings.FieldsFunc(keys, isComma), files: strings.Split(names, "\n")})
	}
	statements := make([]string, len(tables))
	for i, table := range tables {
		statements[i] = filesOf(table, groups[table])
	}
	return execAll(ctx, tx, statements...)
}

// isComma reports whether a letter separates keys.
func isComma(r rune) bool { return r == ',' }

// literals writes texts as SQL does, with commas between.
func literals(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = literal(text)
	}
	return strings.Join(quoted, ", ")
}

// texts returns the rows of a query whose columns are all texts.
func texts(ctx context.Context, tx *sql.Tx, query string) (all [][]string, err error) {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		row := make([]string, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, rows.Err()
}
