package sql

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"path/filepath"
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

// define makes all views and macros in the current schema of a connection, all or none.
func define(ctx context.Context, conn *sql.Conn, c Catalog) error {
	statements, err := definitions(c)
	if err != nil {
		return err
	}
	// In one transaction: a fault leaves no half of the views behind.
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, s := range statements {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%.60s...: %w", s, err)
		}
	}
	return tx.Commit()
}

// definitions returns the statements that make all views, macros and comments, in an order in which each can be executed.
func definitions(c Catalog) ([]string, error) {
	var out []string
	for _, t := range schema.Tables() {
		view, err := tableView(t, c.Files[t.Name])
		if err != nil {
			return nil, err
		}
		out = append(append(out, view), tableComments(t)...)
	}
	for _, name := range undocumented(c) {
		view, err := plainView(name, c.Files[name])
		if err != nil {
			return nil, err
		}
		out = append(out, view)
	}
	derived, err := derivedViews()
	return append(out, derived...), err
}

// undocumented lists the tables with files that schema.Tables does not list, such as those of newer stages.
func undocumented(c Catalog) []string {
	var names []string
	for name, files := range c.Files {
		if _, known := schema.Table(name); !known && len(files) > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// tableView shows the documented columns of a table, in their order, whatever its files are.
func tableView(t schema.TableDoc, files []string) (string, error) {
	groups, err := byPartition(t.Name, files)
	if err != nil {
		return "", err
	}
	var selects []string
	for _, g := range groups {
		selects = append(selects, "SELECT "+selectList(t, g.keys)+" FROM "+g.scan())
	}
	// A view without files still has its columns, so that a query on a new lake finds no rows instead of no table.
	if len(selects) == 0 {
		selects = []string{"SELECT " + emptyList(t) + " WHERE false"}
	}
	return "CREATE VIEW " + identifier(t.Name) + " AS\n" + strings.Join(selects, "\nUNION ALL\n"), nil
}

// plainView shows all columns of a table that schema does not describe, whatever its files have.
func plainView(name string, files []string) (string, error) {
	groups, err := byPartition(name, files)
	if err != nil {
		return "", err
	}
	var selects []string
	for _, g := range groups {
		selects = append(selects, "SELECT * FROM "+g.scan())
	}
	return "CREATE VIEW " + identifier(name) + " AS\n" + strings.Join(selects, "\nUNION ALL BY NAME\n"), nil
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
	var list []string
	for _, c := range t.Columns {
		list = append(list, nullColumn(c))
	}
	inner := "(SELECT " + strings.Join(list, ", ") + ")"
	return strings.Join(withComputed(t, []string{"*"}), ", ") + " FROM " + inner
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

// partition is the files whose paths have the same Hive keys: DuckDB refuses a mixture.
type partition struct {
	keys, files []string
}

// byPartition groups files by the keys in their paths. Tables have at most two groups, with and without buckets.
func byPartition(table string, files []string) ([]partition, error) {
	var groups []partition
	for _, f := range files {
		if !filepath.IsAbs(f) {
			return nil, fmt.Errorf("table %s: %s is not an absolute path", table, f)
		}
		keys := hiveKeys(f)
		i := slices.IndexFunc(groups, func(g partition) bool { return slices.Equal(g.keys, keys) })
		if i < 0 {
			i, groups = len(groups), append(groups, partition{keys: keys})
		}
		groups[i].files = append(groups[i].files, f)
	}
	return groups, nil
}

// hiveKeys returns the keys of the folders KEY=VALUE in a path, sorted.
func hiveKeys(path string) []string {
	var keys []string
	for _, dir := range strings.Split(filepath.ToSlash(filepath.Dir(path)), "/") {
		if key, _, ok := strings.Cut(dir, "="); ok && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// scan reads the files. Keys are text but for the bucket, so that run 01 does not become 1.
func (p partition) scan() string {
	var files, types []string
	for _, f := range p.files {
		files = append(files, literal(noGlob.Replace(f)))
	}
	for _, k := range p.keys {
		t := "VARCHAR"
		if k == "bucket" {
			t = "BIGINT"
		}
		types = append(types, literal(k)+": "+t)
	}
	hive := "hive_partitioning = false"
	if len(types) > 0 {
		hive = "hive_partitioning = true, hive_types = {" + strings.Join(types, ", ") + "}"
	}
	return "read_parquet([" + strings.Join(files, ", ") + "], " + hive + ", union_by_name = true)"
}

var noGlob = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]")

// identifier quotes a name as SQL does, and literal a text: a quote inside is doubled, and nothing else needs an escape.
func identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
func literal(text string) string    { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
