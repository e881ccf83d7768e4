package crashtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/objecttest"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// What make engines builds: a program that mirrors a lake into an Iceberg catalog and reads tables of one, a catalog that speaks REST, and a reader that
// shares nothing with the writer.
const icebergProgram, restCatalog, icebird = "../../bin/tracelake-iceberg", "../../bin/engines/restcatalog", "../../bin/engines/icebird"

// newIceberg finds the program for analyze publish, or skips the test.
func newIceberg(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("publishers take some seconds")
	}
	if _, err := os.Stat(icebergProgram); err != nil {
		t.Skip("tracelake-iceberg is not there: make engines builds it")
	}
	err := os.Symlink(expect.Value(filepath.Abs(icebergProgram))(t), filepath.Join(home, "tracelake-iceberg"))
	if err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
}

// catalog is a catalog of a test: its URI, and flags with its properties and with those that readers of its files need.
type catalog struct {
	uri        string
	properties []string
}

// published publishes a lake and returns what the program says.
func published(t *testing.T, lake string, to catalog) string {
	t.Helper()
	c, stderr := program(lake, append([]string{"analyze", "publish", "--iceberg", to.uri}, to.properties...)...)
	said, err := c.Output()
	if err != nil {
		t.Errorf("publish: %v\n%s", err, stderr)
	}
	return string(said)
}

// inCatalog reads tables by their catalog: for every run or comparison of each how many rows there are, and how many have a value in each
// column.
func inCatalog(t *testing.T, of catalog, tables []string) map[string]string {
	t.Helper()
	return counted(t, exec.Command(icebergProgram, slices.Concat([]string{"rows"}, of.properties, []string{of.uri, "tracelake"}, tables)...))
}

// byIcebird is inCatalog by a reader that shares nothing with the writer: it reads the newest metadata of tables in a warehouse.
func byIcebird(t *testing.T, warehouse string, tables []string) map[string]string {
	t.Helper()
	args := []string{filepath.Join(icebird, "rows.mjs")}
	for _, table := range tables {
		all := expect.Value(filepath.Glob(filepath.Join(warehouse, "*", table, "metadata", "*.metadata.json")))(t)
		args = append(args, slices.Max(all)) // their names begin with a number
	}
	return counted(t, exec.Command("node", args...))
}

// counted runs a program that reads tables, and returns what it counted.
func counted(t *testing.T, c *exec.Cmd) map[string]string {
	t.Helper()
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
func checkCatalog(t *testing.T, lake string, of catalog, tables ...string) {
	t.Helper()
	want := inDuckDB(t, lake, tables)
	if len(want) < len(tables) {
		t.Errorf("the lake has rows in %d of %d partitions: %v", len(want), len(tables), want)
	}
	expect.Deep(t, inCatalog(t, of, tables), want, "rows and values")
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
// in the files, finds the rows that SQL finds, and so does one that shares no code with the writer. Publishing again changes nothing; a dropped run
// is gone after the next; and eight that publish at once, while runs come, lose nothing and have nothing twice.
func TestIceberg(t *testing.T) {
	t.Parallel()
	newIceberg(t)
	dir := t.TempDir()
	lake, to := filepath.Join(dir, "lake"), catalog{uri: "sqlite:" + filepath.Join(dir, "catalog.db")}
	all := publishSome(t, lake, to)
	if _, err := os.Stat(filepath.Join(icebird, "node_modules")); err == nil {
		expect.Deep(t, byIcebird(t, filepath.Join(dir, "warehouse"), all), inDuckDB(t, lake, all), "rows and values that icebird reads")
	} else {
		t.Log("icebird is not there: make engines installs it where there is Node")
	}
	dropOne(t, lake, to)

	other := filepath.Join(t.TempDir(), "other")
	must(t, other, "ingest", "--run", "a", trace(t, "2e3"))
	c, stderr := program(other, "analyze", "publish", "--iceberg", to.uri)
	if err := c.Run(); err == nil || !strings.Contains(stderr.String(), "mirrors the lake file://"+lake) {
		t.Errorf("another lake takes the tables: %v, %s", err, stderr)
	}

	publishAtOnce(t, lake, to, 8)
	metadata := expect.Value(filepath.Glob(filepath.Join(dir, "warehouse", "*", "events", "metadata", "*.metadata.json")))(t)
	if len(metadata) == 0 || len(metadata) > 6+8 { // five before the last, and what lost a race
		t.Errorf("events have %d files of metadata", len(metadata))
	}
}

// publishSome makes a lake of three runs and a comparison, and publishes it twice. It returns the tables that were published.
func publishSome(t *testing.T, lake string, to catalog) []string {
	t.Helper()
	for _, run := range []string{"a", "b", "c"} {
		must(t, lake, "ingest", "--run", run, "--label", "of="+run, trace(t, "5e3"))
	}
	must(t, lake, "analyze", "run")
	must(t, lake, "analyze", "compare", "--base", "a", "--cand", "b")
	said := published(t, lake, to)
	all := tablesIn(said)
	for _, table := range []string{"runs", "executions", "states", "changes"} {
		expect.Equal(t, slices.Contains(all, table), true, "%s is published", table)
	}
	checkCatalog(t, lake, to, all...)
	if said = published(t, lake, to); !strings.HasPrefix(said, "nothing to publish: ") {
		t.Errorf("publish says again %s", said)
	}
	return all
}

// dropOne drops a run, which is gone after the next publish.
func dropOne(t *testing.T, lake string, to catalog) {
	t.Helper()
	must(t, lake, "analyze", "drop", "c")
	published(t, lake, to)
	checkCatalog(t, lake, to, "runs", "executions", "states")
}

// publishAtOnce has several publish at once, each with a new run.
func publishAtOnce(t *testing.T, lake string, to catalog, publishing int) {
	t.Helper()
	var publishers sync.WaitGroup
	for i := range publishing {
		publishers.Go(func() {
			must(t, lake, "ingest", "--run", fmt.Sprint("new", i), trace(t, "2e3"))
			published(t, lake, to)
		})
	}
	publishers.Wait()
	checkCatalog(t, lake, to, "runs", "events", "messages")
}

// TestIcebergREST does the same by a catalog that speaks Iceberg's REST protocol and wants a token, with a lake in an object store, and the metadata
// of the tables beside it.
func TestIcebergREST(t *testing.T) {
	newIceberg(t)
	if _, err := os.Stat(restCatalog); err != nil {
		t.Skip("the REST catalog of this test is not there: make engines builds it")
	}
	objecttest.Start(t)
	at := fmt.Sprint("127.0.0.1:", freePorts(t, 1)[0])
	reached := []string{
		"s3.endpoint=" + os.Getenv("AWS_ENDPOINT_URL"), "s3.region=us-east-1", "s3.access-key-id=test", "s3.secret-access-key=test", "s3.force-virtual-addressing=false",
	}
	server := exec.Command(restCatalog, append([]string{at, filepath.Join(t.TempDir(), "catalog.db"), "night", objects("warehouse")}, reached...)...)
	expect.OK(t, server.Start())
	defer func() { server.Process.Kill(); server.Wait() }()
	for range 200 {
		if c, err := net.Dial("tcp", at); err == nil {
			c.Close()
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	lake, to := objects("published"), catalog{uri: "http://" + at}
	must(t, lake, "ingest", "--run", "a", "--label", "of=a", trace(t, "5e3"))
	c, stderr := program(lake, "analyze", "publish", "--iceberg", to.uri)
	if err := c.Run(); err == nil || !strings.Contains(stderr.String(), "the token is not the one of this catalog") {
		t.Errorf("without a token: %v, %s", err, stderr)
	}
	for _, property := range append(reached, "token=night") {
		to.properties = append(to.properties, "--property", property)
	}
	publishSome(t, lake, to)
	dropOne(t, lake, to)
	publishAtOnce(t, lake, to, 4)
}
