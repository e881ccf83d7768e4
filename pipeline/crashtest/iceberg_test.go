package crashtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// icebergProgram is what make engines builds: it mirrors a lake into an Iceberg catalog, and reads tables of one.
const icebergProgram = "../../bin/tracelake-iceberg"

// published publishes a lake and returns what the program says.
func published(t *testing.T, lake, catalog string) string {
	t.Helper()
	c, stderr := program(lake, "analyze", "publish", "--iceberg", "sqlite:"+catalog)
	said, err := c.Output()
	if err != nil {
		t.Errorf("publish: %v\n%s", err, stderr)
	}
	return string(said)
}

// inCatalog reads tables by their catalog: for every run or comparison of each how many rows there are, and how many have a value in each
// column.
func inCatalog(t *testing.T, catalog string, tables []string) map[string]string {
	t.Helper()
	c := exec.Command(icebergProgram, append([]string{"rows", "sqlite:" + catalog, "tracelake"}, tables...)...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	var of map[string]map[string]struct {
		Rows   int64
		Values map[string]int64
	}
	expect.OK(t, json.Unmarshal(out, &of))
	counts := map[string]string{}
	for table, keys := range of {
		for key, n := range keys {
			line := []string{fmt.Sprint(n.Rows)}
			for _, c := range storedColumns(table) {
				line = append(line, fmt.Sprint(n.Values[c]))
			}
			counts[table+" "+key] = strings.Join(line, " ")
		}
	}
	return counts
}

// inDuckDB is what inCatalog returns, by SQL over the lake.
func inDuckDB(t *testing.T, lake string, tables []string) map[string]string {
	t.Helper()
	var selects []string
	for _, table := range tables {
		columns, counts := storedColumns(table), []string{"count(*)"}
		for _, c := range columns {
			counts = append(counts, fmt.Sprintf("count(%q)", c))
		}
		selects = append(selects, fmt.Sprintf("SELECT concat_ws(' ', '%s', %q), concat_ws(' ', %s) FROM %s GROUP BY 1", table, columns[0], strings.Join(counts, ", "), table))
	}
	c, stderr := program(lake, "analyze", "query", "--format", "csv", strings.Join(selects, " UNION ALL "))
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	of := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n")[1:] {
		key, counts, _ := strings.Cut(line, ",")
		of[key] = counts
	}
	return of
}

// storedColumns are the columns of a table that are in its files, the key first.
func storedColumns(table string) (names []string) {
	doc, _ := schema.Table(table)
	for _, c := range doc.Columns {
		if c.ID > 0 {
			names = append(names, c.Name)
		}
	}
	return names
}

// checkCatalog compares the tables of a lake with those of the catalog.
func checkCatalog(t *testing.T, lake, catalog string, tables ...string) {
	t.Helper()
	want := inDuckDB(t, lake, tables)
	if len(want) < len(tables) {
		t.Errorf("the lake has rows in %d of %d partitions: %v", len(want), len(tables), want)
	}
	expect.Deep(t, inCatalog(t, catalog, tables), want, "rows and values")
}

// tablesIn are the tables that a command says to have published.
func tablesIn(said string) (names []string) {
	for _, line := range strings.Split(said, "\n")[1:] {
		if name, _, _ := strings.Cut(line, " "); slices.ContainsFunc(schema.Tables(), func(t schema.TableDoc) bool { return t.Name == name }) {
			names = append(names, name)
		}
	}
	return names
}

// TestIceberg publishes a lake of three runs and a comparison. A reader that knows columns by their field ids only, and runs by the column
// in the files, finds the rows that SQL finds. Publishing again changes nothing; a dropped run is gone after the next; and eight that
// publish at once, while runs come, lose nothing and have nothing twice.
func TestIceberg(t *testing.T) {
	if testing.Short() {
		t.Skip("eight publishers take some seconds")
	}
	if _, err := os.Stat(icebergProgram); err != nil {
		t.Skip("tracelake-iceberg is not there: make engines builds it")
	}
	expect.OK(t, os.Symlink(expect.Value(filepath.Abs(icebergProgram))(t), filepath.Join(home, "tracelake-iceberg")))
	lake, catalog := filepath.Join(t.TempDir(), "lake"), filepath.Join(t.TempDir(), "catalog.db")
	for _, run := range []string{"a", "b", "c"} {
		must(t, lake, "ingest", "--run", run, "--label", "of="+run, trace(t, "5e3"))
	}
	must(t, lake, "analyze", "run")
	must(t, lake, "analyze", "compare", "--base", "a", "--cand", "b")
	said := published(t, lake, catalog)
	all := tablesIn(said)
	for _, table := range []string{"runs", "executions", "states", "changes"} {
		expect.Equal(t, slices.Contains(all, table), true, "%s is published", table)
	}
	checkCatalog(t, lake, catalog, all...)
	if said = published(t, lake, catalog); !strings.HasPrefix(said, "nothing to publish: ") {
		t.Errorf("publish says again %s", said)
	}
	must(t, lake, "analyze", "drop", "c")
	published(t, lake, catalog)
	checkCatalog(t, lake, catalog, "runs", "executions", "states")

	other := filepath.Join(t.TempDir(), "other")
	must(t, other, "ingest", "--run", "a", trace(t, "2e3"))
	c, stderr := program(other, "analyze", "publish", "--iceberg", "sqlite:"+catalog)
	if err := c.Run(); err == nil || !strings.Contains(stderr.String(), "mirrors the lake file://"+lake) {
		t.Errorf("another lake takes the tables: %v, %s", err, stderr)
	}

	var publishers sync.WaitGroup
	for i := range 8 {
		publishers.Go(func() {
			must(t, lake, "ingest", "--run", fmt.Sprint("new", i), trace(t, "2e3"))
			published(t, lake, catalog)
		})
	}
	publishers.Wait()
	checkCatalog(t, lake, catalog, "runs", "events", "messages")
	metadata := expect.Value(filepath.Glob(filepath.Join(filepath.Dir(catalog), "warehouse", "*", "events", "metadata", "*.metadata.json")))(t)
	if len(metadata) == 0 || len(metadata) > 6+8 { // five before the last, and what lost a race
		t.Errorf("events have %d files of metadata", len(metadata))
	}
}
