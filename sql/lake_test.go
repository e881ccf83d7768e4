package sql

import (
	"bytes"
	"context"
	stdsql "database/sql"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// tinyLake writes the lake of testdata/lake.sql.
func tinyLake(t *testing.T) Catalog {
	t.Helper()
	script := expect.Value(os.ReadFile("testdata/lake.sql"))(t)
	lake := writeLake(t, " NOT NULL", string(script))
	lake.Newest = "01..8.14"
	return lake
}

// writeLake writes a lake of all tables, filled by statements, as the stages do. Columns that cannot be null are declared
// with a constraint; without one, statements may leave them out.
func writeLake(t *testing.T, constraint string, fill ...string) Catalog {
	t.Helper()
	dir := t.TempDir()
	db := expect.Value(connect(Options{}, dir))(t)
	defer db.Close()
	var create, copyOut []string
	for _, table := range schema.Tables() {
		create = append(create, createTable(table, constraint))
		copyOut = append(copyOut, "COPY "+table.Name+" TO "+literal(filepath.Join(dir, table.Name))+
			" (FORMAT parquet, PARTITION_BY ("+table.Partition+"), FILENAME_PATTERN 'part-{i}')")
	}
	for _, s := range slices.Concat(create, fill, copyOut) {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%.120s: %v", s, err)
		}
	}
	return scanLake(t, dir)
}

func createTable(t schema.TableDoc, constraint string) string {
	var columns []string
	for _, c := range t.Columns {
		column := c.Name + " " + c.Type
		if !c.Nullable {
			column += constraint
		}
		columns = append(columns, column)
	}
	return "CREATE TABLE " + t.Name + " (" + strings.Join(columns, ", ") + ")"
}

func scanLake(t *testing.T, dir string) Catalog {
	t.Helper()
	c := Catalog{Folder: dir, Files: map[string][]string{}}
	expect.OK(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".parquet") {
			rel, _ := filepath.Rel(dir, path)
			table, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
			c.Files[table] = append(c.Files[table], filepath.ToSlash(rel))
		}
		return err
	}))
	return c
}

func openLake(t *testing.T, c Catalog, o Options) *DB {
	t.Helper()
	db := expect.Value(Open(context.Background(), c, o))(t)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func query(t *testing.T, db *DB, q string, f Format) string {
	t.Helper()
	var out bytes.Buffer
	if err := db.Query(context.Background(), &out, q, f); err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	return out.String()
}

// golden compares a text with a file of testdata/golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		expect.OK(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want := expect.Value(os.ReadFile(path))(t)
	expect.Equal(t, got, string(want), "%s", name)
}

// connectTo opens a database file, as a client does.
func connectTo(path string) (*stdsql.DB, error) {
	return stdsql.Open("duckdb", path+"?access_mode=read_only")
}
