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
	expect.Equal(t, query(t, db, script, Table), "n  x;y\n-  ---\n1  ;\n(1 row)\n\nn\n-\n3\n(1 row)\n", "as tables")
	expect.Equal(t, query(t, db, script, CSV), "n\n3\n", "as CSV")
	expect.Equal(t, query(t, db, "SET threads = 1", JSON), "", "a statement without rows")
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
		expect.Refused(t, err, c.want, "%q", c.query)
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
	expect.Equal(t, query(t, db, "SELECT 1 AS a", CSV), "a\n1\n", "after a cancelled query")
}

func TestOptions(t *testing.T) {
	db := openLake(t, Catalog{}, Options{MemoryBytes: 64 << 20, Threads: 1})
	got := query(t, db, `SELECT current_setting('threads') AS t, current_setting('memory_limit') AS m,
		current_setting('autoinstall_known_extensions') AS i, current_setting('autoload_known_extensions') AS l`, CSV)
	expect.Equal(t, got, "t,m,i,l\n1,64.0 MiB,false,false\n", "settings")
	if !strings.HasPrefix(query(t, db, "SELECT current_setting('temp_directory') AS d", CSV), "d\n"+db.tempDir) {
		t.Error("spills elsewhere")
	}
	expect.OK(t, db.Close())
	if _, err := os.Stat(db.tempDir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary directory is left: %v", err)
	}
}
