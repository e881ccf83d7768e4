package sql

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/testdata/expect"
)

const script = `-- a script
CREATE TEMP TABLE a AS SELECT 1 AS n;
SELECT n, ';' AS "x;y" FROM a; /* ; */
INSERT INTO a VALUES (2);
SELECT sum(n) AS n FROM a;
DROP TABLE a;
`

func TestSeveralStatements(t *testing.T) {
	db := openLake(t, Catalog{}, Options{})
	if got, want := query(t, db, script, Table), "n  x;y\n-  ---\n1  ;\n(1 row)\n\nn\n-\n3\n(1 row)\n"; got != want {
		t.Errorf("got\n%s", got)
	}
	if got, want := query(t, db, script, CSV), "n\n3\n"; got != want {
		t.Errorf("got\n%s", got)
	}
	if got := query(t, db, "SET threads = 1", JSON); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestQueryErrors(t *testing.T) {
	db := openLake(t, tinyLake(t), Options{})
	for _, c := range []struct{ query, format, want string }{
		{"  -- nothing\n;", "table", "query: no statement"},
		{"SELECT 1", "xml", `query: no format "xml": one of [table csv json parquet arrow]`},
		{"SELECT 1;\n\n -- x\n\nSELECT\n  nowhere", "csv", "LINE 6:   nowhere"},
		{"SELECT 1;\nSELECT nowhere", "parquet", "LINE 2: COPY (SELECT nowhere"},
		{"SELECT * FROM eventss", "table", "query: Catalog Error: Table with name eventss does not exist!\nDid you mean \"events\"?"},
		{"SELECT * FROM 'https://localhost/x.parquet'", "table", "httpfs"},
	} {
		err := db.Query(t.Context(), new(bytes.Buffer), c.query, Format(c.format))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.query, err)
		}
	}
}

func TestCancelStopsQuery(t *testing.T) {
	db := openLake(t, Catalog{}, Options{})
	for _, f := range Formats {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		done := make(chan error, 1)
		go func() {
			done <- db.Query(ctx, new(bytes.Buffer), "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE hash(a.range, b.range) = 0", f)
		}()
		select {
		case err := <-done:
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", f, err)
			}
		case <-time.After(20 * time.Second): // a query of centuries: only a hang takes so long
			t.Fatalf("%s: still running", f)
		}
		cancel()
	}
	if got := query(t, db, "SELECT 1 AS a", CSV); got != "a\n1\n" {
		t.Errorf("after a cancelled query: %q", got)
	}
}

func TestOptions(t *testing.T) {
	db := openLake(t, Catalog{}, Options{MemoryBytes: 64 << 20, Threads: 1})
	got := query(t, db, `SELECT current_setting('threads') AS t, current_setting('memory_limit') AS m,
		current_setting('autoinstall_known_extensions') AS i, current_setting('autoload_known_extensions') AS l`, CSV)
	if want := "t,m,i,l\n1,64.0 MiB,false,false\n"; got != want {
		t.Errorf("got %q", got)
	}
	if !strings.HasPrefix(query(t, db, "SELECT current_setting('temp_directory') AS d", CSV), "d\n"+db.tempDir) {
		t.Error("spills elsewhere")
	}
	expect.OK(t, db.Close())
	if _, err := os.Stat(db.tempDir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary directory is left: %v", err)
	}
}
