package sql

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

func TestWriteDatabase(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	path := filepath.Join(dir, "trace?lake's.duckdb")
	for _, c := range []Catalog{{}, tinyLake(t)} { // the second replaces the first
		expect.OK(t, WriteDatabase(ctx, path, c))
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	db := expect.Value(connect(Options{}, t.TempDir()))(t)
	defer db.Close()
	conn := expect.Value(db.Conn(ctx))(t)
	defer conn.Close()
	expect.OK(t, execAll(ctx, conn, "ATTACH "+literal(path)+" AS other (READ_ONLY)", "USE other"))
	for q, want := range map[string]string{
		"SELECT count(*) FROM events":                                                            "12",
		"SELECT string_agg(run, ' ' ORDER BY run) FROM runs":                                     "01 curl-8.14.1",
		"SELECT max(lost) FROM (SELECT max(ms(max_ns)) AS lost FROM quartiles_by('release'))":    "0.0015",
		"SELECT comment FROM duckdb_views() WHERE view_name = 'losses'":                          "Records that were dropped, repaired or invented. One row is one reason in one stage of a run.",
		"SELECT comment FROM duckdb_columns() WHERE table_name = 'runs' AND column_name = 'run'": "the run",
		"SELECT comment FROM duckdb_functions() WHERE function_name = 'ms'":                      "Milliseconds of a time in nanoseconds.",
	} {
		var got string
		if err := conn.QueryRowContext(ctx, q).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, %v", q, got, err)
		}
	}
}

func TestWriteDatabaseKeepsTheOldOne(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tracelake.duckdb")
	expect.OK(t, os.WriteFile(path, []byte("old"), 0o644))
	broken := Catalog{Files: map[string][]string{schema.Tables()[0].Name: {filepath.Join(dir, "missing.parquet")}}}
	if err := WriteDatabase(context.Background(), path, broken); err == nil {
		t.Error("a catalog with a missing file was written")
	}
	got, _ := os.ReadFile(path)
	if left, _ := os.ReadDir(dir); len(left) != 1 || string(got) != "old" {
		t.Errorf("left behind: %v, %q", left, got)
	}
}
