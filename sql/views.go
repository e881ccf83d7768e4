package sql

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

//go:embed views/*.sql
var viewFiles embed.FS

// computed are the columns that a view has beyond those of its table.
var computed = map[string]struct{ name, expression, doc string }{
	"executions":  {"start_seq", `"execution"`, "seq of the enter event; the same as execution"},
	"constraints": {"bound_ns", `"duration_ns" - "slack_ns"`, "the bound: how long the target has to come after the source at least; null where none is known"},
}

// standing are tables of runs whose rows say something of another run, too, each with the condition that this is still the run that it
// was. A replaced or dropped run hides such rows at once, as its files are named no more, whoever replaced it and however that ended.
var standing = map[string]string{
	"order_differences": "contains(" + filesMacro("executions") + `, replace(` + noGlobIn(`"reference_file"`) + `, '''', ''''''))`,
}

// filesSchema holds what the views read: a macro for every table, which is the text of a query of its files.
//
// DuckDB binds a view or a macro when it is made, and opens all files that it names then. But a text is a text to it, until
// somebody asks: so a view executes the text of a macro that names no file when the view is made, and then the macro is
// replaced. To change the files of a table costs the length of their names, and a damaged file spoils no other table.
const filesSchema = "lake_files"

// folderMacro returns the folder of the lake, with a slash at its end.
const folderMacro = filesSchema + ".folder()"

// newestMacro returns the comparison that was made last. DuckDB cannot tell when a file was written.
const newestMacro = filesSchema + ".newest_comparison()"

// newestIs returns the statement that says which comparison was made last.
func newestIs(name string) string {
	value := "CAST(NULL AS VARCHAR)"
	if name != "" {
		value = literal(name)
	}
	return "CREATE OR REPLACE MACRO " + newestMacro + " AS " + value
}

// define makes all views and macros in the current schema of a connection, all or none.
func define(ctx context.Context, conn *sql.Conn, c Catalog) error {
	statements, err := definitions(literal(noGlob.Replace(c.Folder) + "/"))
	if err != nil {
		return err
	}
	statements = append(statements, newestIs(c.Newest))
	for _, name := range slices.Sorted(maps.Keys(c.Files)) {
		statements = append(statements, filesOf(name, byPartition(name, c.Files[name])))
	}
	// In one transaction: a fault leaves no half of the views behind.
	return inTransaction(ctx, conn, func(tx *sql.Tx) error { return execAll(ctx, tx, statements...) })
}

// definitions returns the statements that make all views, macros and comments of a lake without files, in an order in which
// each can be executed. The folder is an expression of SQL.
func definitions(folder string) ([]string, error) {
	out := []string{"CREATE SCHEMA " + filesSchema, "CREATE MACRO " + folderMacro + " AS " + folder, newestIs("")}
	for _, t := range schema.Tables() {
		empty := "SELECT " + emptyList(t) + " WHERE false"
		out = append(out, "CREATE MACRO "+filesMacro(t.Name)+" AS "+literal(empty),
			"CREATE VIEW "+identifier(t.Name)+" AS FROM query("+filesMacro(t.Name)+")")
		out = append(out, tableComments(t)...)
	}
	derived, err := derivedViews()
	return append(out, derived...), err
}

// filesMacro is the macro whose value is the query of a table's files.
func filesMacro(table string) string { return filesSchema + "." + identifier(table) + "()" }

// filesOf returns the statement that gives a table its files. The view of a table that schema does not describe, such as one
// of a newer stage, shows the columns that its files have, so that DuckDB looks into these at once.
func filesOf(table string, groups []partition) string {
	doc, known := schema.Table(table)
	switch {
	case known:
		return "CREATE OR REPLACE MACRO " + filesMacro(table) + " AS " + literal(documentedRows(doc, groups))
	case len(groups) == 0:
		return "DROP VIEW IF EXISTS " + identifier(table)
	}
	var selects []string
	for _, g := range groups {
		selects = append(selects, "SELECT * FROM "+g.scan())
	}
	return "CREATE OR REPLACE VIEW " + identifier(table) + " AS\n" + strings.Join(selects, "\nUNION ALL BY NAME\n")
}

// documentedRows selects the documented columns of a table, in their order, whatever its files are. Without files it still
// has its columns, so that a query on a new lake finds no rows instead of no table.
func documentedRows(t schema.TableDoc, groups []partition) string {
	if len(groups) == 0 {
		return "SELECT " + emptyList(t) + " WHERE false"
	}
	var selects []string
	for _, g := range groups {
		condition, stands := standing[t.Name]
		switch whole := "SELECT " + allColumns(t) + " FROM (" + noRows(t) + " UNION ALL BY NAME FROM " + g.scan() + ")"; {
		case stands:
			selects = append(selects, whole+" WHERE "+condition)
		case t.Partition == "comparison":
			selects = append(selects, whole)
		default:
			selects = append(selects, "SELECT "+selectList(t, g.keys)+" FROM "+g.scan())
		}
	}
	return strings.Join(selects, "\nUNION ALL\n")
}

// noRows selects no rows of all documented columns. Together with files by name, it gives columns to files of an older program that
// lack them: comparisons, and what was asked about two runs, stay when the program is replaced. Other tables of runs are made anew then, and
// are too large for the detour.
func noRows(t schema.TableDoc) string {
	var list []string
	for _, c := range t.Columns {
		list = append(list, nullColumn(c))
	}
	return "SELECT " + strings.Join(list, ", ") + " WHERE false"
}

// allColumns names the documented columns in their order.
func allColumns(t schema.TableDoc) string {
	var list []string
	for _, c := range t.Columns {
		list = append(list, identifier(c.Name))
	}
	return strings.Join(withComputed(t, list), ", ")
}

// selectList returns the documented columns in their order. A column of the path that these files lack is null.
func selectList(t schema.TableDoc, keys []string) string {
	var list []string
	for _, c := range t.Columns {
		if c.Path && !slices.Contains(keys, c.Name) {
			list = append(list, nullColumn(c))
			continue
		}
		list = append(list, identifier(c.Name))
	}
	return strings.Join(withComputed(t, list), ", ")
}

// emptyList returns the columns of a table without files, so that queries on a lake that lacks the table find no rows.
func emptyList(t schema.TableDoc) string {
	return strings.Join(withComputed(t, []string{"*"}), ", ") + " FROM (" + noRows(t) + ")"
}

// withComputed appends the column that the view has beyond those of its table.
func withComputed(t schema.TableDoc, list []string) []string {
	if extra, ok := computed[t.Name]; ok {
		return append(list, extra.expression+" AS "+identifier(extra.name))
	}
	return list
}

// nullColumn is a null of the type of a column.
func nullColumn(c schema.ColumnDoc) string {
	return "CAST(NULL AS " + c.Type + ") AS " + identifier(c.Name)
}

// tableComments returns the statements that put the words of package schema on a view and its columns. Ratios and names have
// no unit to show.
func tableComments(t schema.TableDoc) []string {
	view := identifier(t.Name)
	out := []string{"COMMENT ON VIEW " + view + " IS " + literal(t.Doc+" One row is "+t.Grain+".")}
	for _, c := range t.Columns {
		doc := c.Doc
		if c.Unit != "" && c.Unit != "1" {
			doc += " (" + c.Unit + ")"
		}
		out = append(out, "COMMENT ON COLUMN "+view+"."+identifier(c.Name)+" IS "+literal(doc))
	}
	if extra, ok := computed[t.Name]; ok {
		out = append(out, "COMMENT ON COLUMN "+view+"."+identifier(extra.name)+" IS "+literal(extra.doc))
	}
	return out
}

var createdObject = regexp.MustCompile(`(?m)^CREATE (VIEW|MACRO) (\w+)[^\n]*?( AS TABLE)?$`)

// derivedViews are the statements of the embedded files. The comment above an object becomes its
// comment in the database.
func derivedViews() ([]string, error) {
	files, err := viewFiles.ReadDir("views")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range files {
		script, err := viewFiles.ReadFile("views/" + f.Name())
		if err != nil {
			return nil, err
		}
		for _, s := range split(string(script)) {
			m := createdObject.FindStringSubmatch(s.text)
			if m == nil {
				return nil, fmt.Errorf("views/%s:%d: not the definition of a view or a macro", f.Name(), s.line)
			}
			kind := m[1] + strings.TrimPrefix(m[3], " AS")
			out = append(out, s.text, "COMMENT ON "+kind+" "+m[2]+" IS "+literal(leadingComment(s.text)))
		}
	}
	return out, nil
}

// partition is the files of a table whose paths have the same Hive keys: DuckDB refuses a mixture. Files are named from the
// folder of the table, without the ending that all have.
type partition struct {
	table       string
	keys, files []string
}

// parquetEnding ends the names of all files.
const parquetEnding = ".parquet"

// byPartition groups files by the keys in their paths, which are relative to the lake. Tables have at most two groups, with
// and without buckets.
func byPartition(table string, files []string) []partition {
	var groups []partition
	for _, f := range files {
		keys := hiveKeys(f)
		i := slices.IndexFunc(groups, func(g partition) bool { return slices.Equal(g.keys, keys) })
		if i < 0 {
			i, groups = len(groups), append(groups, partition{table: table, keys: keys})
		}
		groups[i].files = append(groups[i].files, strings.TrimSuffix(strings.TrimPrefix(f, table+"/"), parquetEnding))
	}
	return groups
}

// hiveKeys returns the keys of the folders KEY=VALUE in a path, sorted.
func hiveKeys(file string) []string {
	var keys []string
	for _, dir := range strings.Split(path.Dir(file), "/") {
		if key, _, ok := strings.Cut(dir, "="); ok && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// scan reads the files. Keys are text but for the bucket, so that run 01 does not become 1. The names stand in one text, in
// which the folder is put before each: DuckDB reads, keeps and copies one long text in no time, and a list of thousands of
// texts slowly. Names of files have no line ends, and a lake whose folder has one cannot be read by DuckDB.
func (p partition) scan() string {
	types := make([]string, len(p.keys))
	for i, k := range p.keys {
		t := "VARCHAR"
		if k == "bucket" {
			t = "BIGINT"
		}
		types[i] = literal(k) + ": " + t
	}
	hive := "hive_partitioning = false"
	if len(types) > 0 {
		hive = "hive_partitioning = true, hive_types = {" + strings.Join(types, ", ") + "}"
	}
	before := folderMacro + " || " + literal(noGlob.Replace(p.table)+"/")
	between := literal(parquetEnding+"\n") + " || " + before
	names := literal(noGlob.Replace(strings.Join(p.files, "\n")))
	all := before + " || replace(" + names + ", '\n', " + between + ") || " + literal(parquetEnding)
	return "read_parquet(string_split(" + all + ", '\n'), " + hive + ", union_by_name = true)"
}

var noGlob = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]")

// noGlobIn is what noGlob does, in SQL.
func noGlobIn(text string) string {
	return "replace(replace(replace(" + text + ", '[', '[[]'), '*', '[*]'), '?', '[?]')"
}

// identifier quotes a name as SQL does, and literal a text: a quote inside is doubled, and nothing else needs an escape.
func identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
func literal(text string) string    { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
