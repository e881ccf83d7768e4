package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/sql"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// queryFlags are the flags of analyze query.
type queryFlags struct {
	file, format string        // of the SQL; of the result
	params       []string      // NAME=VALUE
	list         bool          // print the named queries instead
	sandbox      bool          // answer questions only, from the lake only
	timeLimit    time.Duration // after which a query is given up; 0 for never
}

// queryCommand answers questions in SQL.
func (a *app) queryCommand() *cobra.Command {
	var f queryFlags
	c := &cobra.Command{
		Use:   "query [SQL | NAME | -f FILE]",
		Short: "Answer a question in SQL over the lake",
		Long: `Runs SQL (DuckDB's) over the tables of the lake, or a named query. The tables are views over the Parquet
files; analyze tables lists them and analyze describe explains their columns. The same views are in
tracelake.duckdb in the lake, which any DuckDB client opens. Of a lake in an object store the tables that the SQL names are
brought to --scratch first, and stay there for the next question.

Named queries show times with their units; CSV, JSON and SQL of your own have nanoseconds, as the names of columns say.
Where a query asks for a time, 10ms counts from the start of the run.

--sandbox is for whoever passes on questions of others: it executes nothing but SELECT and its like, opens no file
outside the lake, loads no extension, and gives up beyond --memory, as much on disk, or --time-limit.`,
		Example: `  analyze query --list
  analyze query slowest-fragments
  analyze query trace-window --param from=1.2e6
  analyze query "SELECT function, count(*), sum(own_ns(role, self_ns)) FROM executions GROUP BY ALL ORDER BY 3 DESC LIMIT 10"
  analyze query --format parquet "FROM samples" > samples.parquet`,
		Args: atMost(1, "give one query, in quotes"),
		RunE: func(c *cobra.Command, args []string) error {
			if f.sandbox && !c.Flags().Changed("time-limit") {
				f.timeLimit = time.Minute
			}
			return a.query(c.Context(), f, args)
		},
	}
	p := c.Flags()
	p.StringVarP(&f.file, "file", "f", "", "read the SQL from a file; - is the standard input")
	p.StringVar(&f.format, "format", "table", "table, csv, json, parquet or arrow")
	p.StringArrayVar(&f.params, "param", nil, "a parameter of a named query as name=value; may be given often")
	p.BoolVar(&f.list, "list", false, "list the named queries")
	p.BoolVar(&f.sandbox, "sandbox", false, "for questions of others: only SELECT, only files of the lake, within --memory and --time-limit")
	p.DurationVar(&f.timeLimit, "time-limit", 0, "give a query up after this time, such as 10s; 0 for never (default with --sandbox 1m)")
	return c
}

// query runs SQL or a named query over the committed tables. DuckDB is opened in memory, so that a query cannot change a lake.
func (a *app) query(ctx context.Context, f queryFlags, args []string) error {
	if f.list {
		return a.listQueries()
	}
	format, err := sql.ParseFormat(f.format)
	if err != nil {
		return &console.UsageError{Err: err}
	}
	if (f.format == "parquet" || f.format == "arrow") && a.stdout.IsTerminal() { // binary
		return console.Usagef("--format %s is not for a terminal: write it to a file with > FILE", f.format)
	}
	text, err := a.queryText(f, args) // from the argument, a file or the standard input
	if err != nil {
		return err
	}
	// A mistyped name would otherwise be reported as a syntax error of SQL.
	if isName(text) && !isKnown(text) {
		return console.Usagef("no query %q; analyze query --list lists them", text)
	}
	params := make(map[string]string)
	for _, pair := range f.params {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return console.Usagef("--param %q: write name=value", pair)
		}
		params[name] = value
	}
	l, err := a.open()
	if err != nil {
		return err
	}
	if !isName(text) && len(params) > 0 { // SQL has no parameters
		return console.Usagef("--param belongs to named queries; see analyze query --list")
	}
	if f.timeLimit > 0 {
		late := fmt.Errorf("the query took longer than %s: ask for less, or raise --time-limit", f.timeLimit)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, f.timeLimit, late) // the cause is what the user reads
		defer cancel()
	}
	return a.ask(ctx, l, question{text, params, format, f.sandbox})
}

// question is a query with how it is to be answered.
type question struct {
	text    string            // SQL, or the name of a query
	params  map[string]string // of a named query
	format  sql.Format        // of the result
	sandbox bool              // see sql.Options
}

// ask answers a query. The views are made anew for every query, so they always show the committed tables. Another process
// may replace tables meanwhile: as long as nothing of the answer is written, the query is then asked again.
func (a *app) ask(ctx context.Context, l *lake.Lake, q question) error {
	out := &firstWrite{Writer: a.stdout} // knows whether the answer has begun
	told := false
	if q.format != sql.Table {
		out.Writer = a.stdout.Raw() // values exactly as they are, which no terminal gets
	}
	for {
		c, err := views.Catalog(ctx, l, q.text)
		if err != nil {
			return err
		}
		if lacking := q.lacking(c); lacking != "" && !told {
			a.Logger(a.stderr).Info(lacking)
			told = true
		}
		failed := a.answer(ctx, out, c, q)
		if failed == nil || out.begun || ctx.Err() != nil { // a part of the answer is out: it cannot be asked again
			return failed
		}
		if now, err := views.Catalog(ctx, l, q.text); err != nil || sameFiles(c, now) { // nothing was replaced: the fault is the query's
			return cmp.Or(err, failed)
		}
	}
}

// madeByRun are tables that ingest does not write, and most queries that come with the program read.
var madeByRun = []string{"executions", "fragments", "transitions"}

// columnOf is a column behind the name of its table: c.failures is not the view failures, which reads executions.
var columnOf = regexp.MustCompile(`\.\w+`)

// lacking says which table a query that comes with the program reads and no run has, or not the one that it is asked about; "" for none. Its answer is
// empty then, though the run is there.
func (q question) lacking(c sql.Catalog) string {
	if !isName(q.text) {
		return ""
	}
	run, named := q.params["run"]
	ofRun := func(file string) bool { return !named || strings.Contains(file, "/run="+run+"/") }
	text := q.text
	for _, known := range sql.Queries() {
		if known.Name == q.text {
			text = columnOf.ReplaceAllString(known.SQL, "")
		}
	}
	for _, table := range sql.TablesOf(text, madeByRun) {
		switch {
		case slices.ContainsFunc(c.Files[table], ofRun):
		case named:
			return fmt.Sprintf("run %s has no table %s: analyze run makes it", run, table)
		default:
			return fmt.Sprintf("no run has the table %s: analyze run makes it", table)
		}
	}
	return ""
}

// answer answers a query from some files.
func (a *app) answer(ctx context.Context, out io.Writer, c sql.Catalog, q question) error {
	db, err := sql.Open(ctx, c, sql.Options{
		MemoryBytes: a.TaskMemory(), Threads: a.Jobs, Sandbox: q.sandbox, CellRunes: a.cellRunes(), Note: func(text string) { a.Logger(a.stderr).Info(text) },
	})
	if err != nil {
		return err
	}
	defer db.Close()
	if isName(q.text) { // a named query has parameters and units
		err = db.Named(ctx, out, q.text, q.params, q.format)
	} else {
		err = db.Query(ctx, out, q.text, q.format)
	}
	if errors.As(err, new(*sql.ParamError)) || errors.As(err, new(*sql.UnknownParamError)) || errors.As(err, new(*sql.RefusedError)) { // wrong parameters, or more than a sandbox allows
		return &console.UsageError{Err: err}
	}
	return err
}

// sameFiles reports whether two catalogs have the same files. No file is ever changed, so the tables are the same then.
func sameFiles(a, b sql.Catalog) bool {
	return maps.EqualFunc(a.Files, b.Files, slices.Equal[[]string])
}

// firstWrite remembers whether anything was written.
type firstWrite struct {
	io.Writer
	begun bool
}

// Write implements io.Writer.
func (w *firstWrite) Write(p []byte) (int, error) {
	w.begun = w.begun || len(p) > 0
	return w.Writer.Write(p)
}

// queryText returns the SQL, or the name of a query, from the argument, a file or the standard input.
// Exactly one of the three must be given.
func (a *app) queryText(f queryFlags, args []string) (string, error) {
	switch {
	case f.file == "" && len(args) == 1: // SQL or a name on the command line
		return args[0], nil
	case f.file == "" || len(args) == 1: // neither, or both
		return "", console.Usagef("give either SQL, the name of a query, or -f FILE; see analyze query --help")
	case f.file == "-": // the standard input
		text, err := io.ReadAll(a.stdin)
		return string(text), err
	}
	text, err := os.ReadFile(f.file)
	return string(text), err
}

// isName reports whether a text can only be the name of a query: one word of small letters, digits and hyphens is no SQL.
// SQL needs a blank somewhere.
func isName(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz-0123456789") == ""
}

// isKnown reports whether a named query has a name.
func isKnown(name string) bool {
	return slices.ContainsFunc(sql.Queries(), func(q sql.NamedQuery) bool { return q.Name == name })
}

// cellRunes returns the maximum length of a cell in characters, or 0 for any length. Only terminals wrap long lines.
// Files and pipes get every value whole.
func (a *app) cellRunes() int {
	if a.stdout.IsTerminal() {
		return 60
	}
	return 0
}

// listQueries lists the named queries with their parameters and defaults.
// The list is that of package sql, in its order.
func (a *app) listQueries() error {
	g := texttab.New("")
	g.Row("query", "answers", "parameters")
	for _, q := range sql.Queries() {
		var params []string
		for _, p := range q.Params {
			params = append(params, p.Name+"="+p.Default)
		}
		g.Row(q.Name, q.Doc, strings.Join(params, " "))
	}
	if err := g.Write(a.stdout); err != nil {
		return err
	}
	_, err := fmt.Fprintln(a.stdout, "\nRun one with: analyze query NAME [--param NAME=VALUE]...")
	return err
}
