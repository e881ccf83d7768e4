package sql

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestSandbox checks that a sandbox answers questions about the lake, and that nobody reads or writes any other file, changes
// its settings, or runs anything but a question in it.
func TestSandbox(t *testing.T) {
	c := tinyLake(t)
	db := openLake(t, c, Options{Sandbox: true, MemoryBytes: 128 << 20})
	secret := filepath.Join(t.TempDir(), "secret.txt")
	expect.OK(t, os.WriteFile(secret, []byte("secret"), 0o600))
	for _, q := range []string{"SELECT count(*) FROM events", "FROM runs", "WITH x AS (SELECT 1) FROM x", "DESCRIBE runs", "SHOW TABLES", "SUMMARIZE runs"} {
		for _, format := range Formats {
			expect.OK(t, db.Query(t.Context(), new(bytes.Buffer), q, format))
		}
	}
	expect.OK(t, db.Named(t.Context(), new(bytes.Buffer), "trace-window", map[string]string{"from": "1us"}, Table))
	inLake := filepath.Join(c.Folder, "new.csv")
	for _, q := range []string{
		"SELECT * FROM read_text('" + secret + "')", "FROM '" + secret + "'", "SELECT * FROM glob('" + filepath.Dir(secret) + "/*')",
		"SELECT * FROM read_text('" + c.Folder + "/../" + filepath.Base(filepath.Dir(secret)) + "/secret.txt')",
		"COPY (SELECT 1) TO '" + secret + "'", "COPY (SELECT 1) TO '" + inLake + "'", "EXPLAIN ANALYZE COPY (SELECT 1) TO '" + inLake + "'",
		"SELECT 1; COPY (SELECT 1) TO '" + inLake + "'", "SELECT 1) TO '" + inLake + "'; SELECT (1", "EXPORT DATABASE '" + c.Folder + "/x'",
		"ATTACH '" + c.Folder + "/x.db'", "INSTALL httpfs", "LOAD httpfs", "SET enable_external_access = true", "SET lock_configuration = false",
		"RESET allowed_directories", "SET memory_limit = '1TB'", "CREATE TABLE x AS SELECT 1", "DROP VIEW events", "CREATE MACRO ms(x) AS 0",
		"PREPARE x AS SELECT 1", "CALL pragma_version()", "BEGIN", "CHECKPOINT",
	} {
		for _, format := range []Format{Table, Parquet} {
			var out bytes.Buffer
			if err := db.Query(t.Context(), &out, q, format); err == nil || strings.Contains(out.String(), "secret") {
				t.Errorf("%s: %v, %s", q, err, out.String())
			}
		}
	}
	if text, err := os.ReadFile(secret); string(text) != "secret" {
		t.Errorf("the file outside is %q, %v", text, err)
	}
	if made, _ := filepath.Glob(c.Folder + "/*new*"); len(made) > 0 {
		t.Errorf("there is %s", made)
	}
	var refused *RefusedError
	if err := db.Query(t.Context(), new(bytes.Buffer), "COPY (SELECT 1) TO '"+inLake+"'", Table); !errors.As(err, &refused) || refused.Kind != "COPY" {
		t.Errorf("a copy into the lake: %v", err)
	}
}

// TestSandboxLimits checks the limits of memory and time.
func TestSandboxLimits(t *testing.T) {
	db := openLake(t, Catalog{Folder: t.TempDir()}, Options{Sandbox: true, MemoryBytes: 32 << 20, Threads: 1})
	err := db.Query(t.Context(), new(bytes.Buffer), "SELECT len(list(range)) FROM range(20000000)", Table)
	const want = "query: the question needs more memory than the 32MiB that --memory leaves for it: raise --memory, or ask for fewer rows"
	if err == nil || err.Error() != want {
		t.Errorf("a list that is too long: %v", err)
	}
	late := errors.New("too late")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, late)
	defer cancel()
	if err := db.Query(ctx, new(bytes.Buffer), "SELECT count(*) FROM range(10000000000) a, range(10000000000)", Table); !errors.Is(err, late) {
		t.Errorf("a query without end: %v", err)
	}
}

// TestTimesOfParameters checks that times are taken with units, from where they count, and that nonsense is named.
func TestTimesOfParameters(t *testing.T) {
	db := openLake(t, tinyLake(t), Options{})
	run := map[string]string{"run": literal("01")}
	clock, offset := Param{Name: "from", Kind: Clock}, Param{Name: "from", Kind: Offset}
	for _, c := range []struct {
		p           Param
		value, want string
	}{
		{offset, "1.5us", "'1500'"}, {offset, "7", "'7'"}, {offset, "1.2e3", "'1200'"}, {offset, "", "''"},
		{clock, "9007199254740993", "'9007199254740993'"}, {clock, "300ns", "'1300'"}, // the run begins at 1000
		{Param{Kind: Number}, "3", "'3'"}, {Param{}, "10ms", "'10ms'"},
	} {
		got, err := db.given(t.Context(), c.p, c.value, run)
		if err != nil || got != c.want {
			t.Errorf("%s %q is %s, %v; want %s", c.p.Kind, c.value, got, err, c.want)
		}
	}
	for _, c := range []struct {
		p     Param
		value string
	}{{clock, "soon"}, {offset, "10" + "q"}, {Param{Kind: Number}, "10ms"}, {offset, "1.5"}} {
		if _, err := db.given(t.Context(), c.p, c.value, run); !errors.As(err, new(*ParamError)) {
			t.Errorf("%s %q: %v", c.p.Kind, c.value, err)
		}
	}
}
