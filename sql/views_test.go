package sql

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// described is a view's columns and types, one a line.
func described(t *testing.T, db *DB, view string) string {
	t.Helper()
	return query(t, db, "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = "+literal(view)+
		" ORDER BY column_index", CSV)
}

func documented(table schema.TableDoc) string {
	var b strings.Builder
	b.WriteString("column_name,data_type\n")
	for _, c := range table.Columns {
		kind := c.Type
		if strings.Contains(kind, ",") {
			kind = `"` + kind + `"`
		}
		b.WriteString(c.Name + "," + kind + "\n")
	}
	if extra, ok := computed[table.Name]; ok {
		b.WriteString(extra.name + ",BIGINT\n")
	}
	return b.String()
}

func TestViewsHaveDocumentedColumns(t *testing.T) {
	for _, lake := range []Catalog{{}, tinyLake(t)} {
		db := openLake(t, lake, Options{})
		for _, table := range schema.Tables() {
			expect.Equal(t, described(t, db, table.Name), documented(table), "%s with %d files", table.Name, len(lake.Files[table.Name]))
		}
	}
}

func TestViewsAreCommented(t *testing.T) {
	db := openLake(t, tinyLake(t), Options{})
	for _, q := range []string{
		"SELECT view_name FROM duckdb_views() WHERE NOT internal AND coalesce(comment, '') = ''",
		"SELECT function_name FROM duckdb_functions() WHERE schema_name = 'main' AND database_name = 'memory' AND coalesce(comment, '') = ''",
		"SELECT c.column_name FROM duckdb_columns() c JOIN duckdb_views() v ON v.view_name = c.table_name WHERE NOT v.internal AND " +
			"c.table_name NOT IN ('steps', 'calls', 'fragment_runtime', 'failures', 'detected_changes') AND coalesce(c.comment, '') = ''",
	} {
		if got := query(t, db, q, Table); !strings.HasSuffix(got, "(0 rows)\n") {
			t.Errorf("without a comment:\n%s", got)
		}
	}
}

func TestMacros(t *testing.T) {
	lake := tinyLake(t)
	lake.Newest = "it's new"
	db := openLake(t, lake, Options{})
	got := query(t, db, `SELECT ms(1500000), us(1500), sec(2000000000), label_of(MAP {'a': 'b'}, 'a') AS a, label_of(MAP {'a': 'b'}, 'c') AS c,
		event_label('f', 'exit', 'send', NULL) AS e, first_run() AS r1, second_run() AS r2, latest_comparison() AS k`, JSON)
	want := `[
{"ms(1500000)":1.5,"us(1500)":1.5,"sec(2000000000)":2,"a":"b","c":null,"e":"exit f send","r1":"01","r2":"curl-8.14.1","k":"it's new"}
]
`
	expect.Equal(t, got, want, "macros")
}

// writeRows writes rows as the stages do, into the lake of a catalog.
func writeRows[T any](t *testing.T, c Catalog, path string, rows ...T) {
	t.Helper()
	table, _, _ := strings.Cut(path, "/")
	c.Files[table] = append(c.Files[table], path)
	path = filepath.Join(c.Folder, path)
	expect.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	f := expect.Value(os.Create(path))(t)
	w := parquet.NewGenericWriter[T](f)
	expect.Value(w.Write(rows))(t)
	expect.OK(t, w.Close())
	expect.OK(t, f.Close())
}

func TestRowStructsReadBack(t *testing.T) {
	c := Catalog{Folder: t.TempDir(), Files: map[string][]string{}}
	zero := int64(0)
	writeRows(t, c, "runs/run=01/part-0.parquet", schema.Run{Labels: map[string]string{"release": "8"}, StartNs: 7})
	writeRows(t, c, "losses/run=01/part-0.parquet", schema.Loss{Stage: "s"})
	writeRows(t, c, "fragments/run=01/bucket=0/part-0.parquet", schema.Fragment{Fragment: "c.f"})
	writeRows(t, c, "states/run=01/bucket=0/part-0.parquet", schema.State{Initial: true})
	writeRows(t, c, "transitions/run=01/bucket=0/part-0.parquet", schema.Transition{Peer: "p"})
	writeRows(t, c, "matches/comparison=7/part-0.parquet", schema.Match{BaseTransition: &zero})
	writeRows(t, c, "changes/comparison=7/part-0.parquet", schema.Change{Transition: &zero, Rank: 1})
	db := openLake(t, c, Options{})
	for table := range c.Files {
		doc, _ := schema.Table(table)
		expect.Equal(t, described(t, db, table), documented(doc), "%s", table)
	}
	got := query(t, db, `SELECT c.comparison, c.transition, c.cand_transition, c.peer, m.base_transition, f.peer, t.peer, r.labels
		FROM changes c, matches m, fragments f, transitions t, runs r`, JSON)
	want := `{"comparison":"7","transition":0,"cand_transition":null,"peer":null,"base_transition":0,"peer_1":null,"peer_2":"p","labels":{"release":"8"}}`
	if !strings.Contains(got, want) {
		t.Errorf("got %s", got)
	}
}

func TestPathsOfAllKinds(t *testing.T) {
	temp := t.TempDir()
	c := Catalog{Folder: temp + "/it's [a] lake*", Files: map[string][]string{}}
	other := Catalog{Folder: temp + "/it's a lake too", Files: map[string][]string{}}
	writeRows(t, other, "states/run=01/part-0.parquet", schema.State{Fragment: "of another lake"})
	writeRows(t, c, "states/run=01/part-0.parquet", schema.State{Fragment: "without bucket"})
	writeRows(t, c, "states/run=02/bucket=3/part-0.parquet", schema.State{Fragment: "with bucket"})
	writeRows(t, c, "oddments/comparison=09/part-0.parquet", schema.State{Fragment: "new table"})
	db := openLake(t, c, Options{})
	got := query(t, db, "SELECT run, fragment, bucket FROM states ORDER BY run; SELECT comparison, fragment FROM oddments", Table)
	want := `run  fragment        bucket
---  --------------  ------
01   without bucket
02   with bucket          3
(2 rows)

comparison  fragment
----------  ---------
09          new table
(1 row)
`
	expect.Equal(t, got, want, "paths")
}

// A comparison of an older program, whose files lack a column, stays readable beside newer ones and alone.
func TestColumnsOfOlderFiles(t *testing.T) {
	type old struct {
		Level   string `parquet:"level,dict"`
		Subject string `parquet:"subject,dict"`
	}
	lake := Catalog{Folder: t.TempDir(), Files: make(map[string][]string)}
	writeRows(t, lake, "changes/comparison=a/changes-1.parquet", old{"fragment", "lib.f"})
	got := query(t, openLake(t, lake, Options{}), "SELECT comparison, level, subject, moved_from, rank FROM changes", CSV)
	expect.Equal(t, got, "comparison,level,subject,moved_from,rank\na,fragment,lib.f,,\n", "alone")
	writeRows(t, lake, "changes/comparison=b/changes-1.parquet", schema.Change{Level: "function", Subject: "g", MovedFrom: "lib.f", Rank: 1})
	got = query(t, openLake(t, lake, Options{}), "SELECT comparison, level, subject, moved_from, rank FROM changes ORDER BY comparison", CSV)
	expect.Equal(t, got, "comparison,level,subject,moved_from,rank\na,fragment,lib.f,,\nb,function,g,lib.f,1\n", "beside a newer one")
}

// What the orders of a run and a reference have each alone is seen as long as the reference is the run that it was: not once it is replaced
// or dropped, in memory or in a database, and not of an older program, which did not say. Names of runs may have any letters.
func TestRowsOfAnotherReference(t *testing.T) {
	type old struct {
		Reference string `parquet:"reference,dict"`
		Claim     string `parquet:"claim,dict"`
	}
	const rows = "SELECT coalesce(string_agg(claim, ' ' ORDER BY claim), 'none') AS claims FROM order_differences"
	lake := Catalog{Folder: t.TempDir(), Files: make(map[string][]string)}
	difference := func(reference, claim, file string) schema.OrderDifference {
		return schema.OrderDifference{Reference: reference, Claim: claim, ReferenceFile: "run=" + reference + "/bucket=0/" + file}
	}
	writeRows(t, lake, "order_differences/run=a/part-0-1.parquet", difference("b", "of-b", "part-0-1"), difference("it's [b]?", "of-its", "part-0-2"))
	writeRows(t, lake, "order_differences/run=c/part-0-1.parquet", old{"b", "old"})
	p, path := partitionsOf(lake), filepath.Join(lake.Folder, "tracelake.duckdb")
	for i, c := range []struct{ b, its, want string }{
		{"part-0-1", "part-0-2", "of-b of-its"}, {"part-0-3", "part-0-2", "of-its"}, {"part-0-1", "part-0-3", "of-b"}, {"part-0-2", "part-0-1", "none"}, {"", "part-0-2", "of-its"},
	} {
		lake.Files["executions"] = nil
		for name, file := range map[string]string{"run=b": c.b, "run=it's [b]?": c.its} {
			p.drop(name)
			if file == "" {
				continue
			}
			file = "executions/" + name + "/bucket=0/" + file + ".parquet"
			lake.Files["executions"] = append(lake.Files["executions"], file)
			p.files[name], p.stamps[name] = map[string][]string{"executions": {file}}, file
		}
		expect.Equal(t, query(t, openLake(t, lake, Options{}), rows, CSV), "claims\n"+c.want+"\n", "case %d in memory", i)
		following(t, path, p, time.Unix(int64(i), 0))
		expect.Equal(t, opened(t, path, rows), c.want, "case %d in a database", i)
	}
}
