// Package publish is the command analyze publish, which mirrors a lake into an Iceberg catalog, so that Spark, Trino and others query it.
//
// What knows Iceberg is a program of its own, testdata/engines/iceberg, which this package starts and answers: its libraries are many, and no other
// command needs them. The lake stays what it is; the catalog refers to its files.
package publish

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// program is the name of the program that knows Iceberg.
const program = "tracelake-iceberg"

// command is analyze publish with its streams and flags.
type command struct {
	*console.Globals
	stdout *console.Plain
	stderr io.Writer

	iceberg, namespace string
	properties         map[string]string
}

// Command returns the command, which writes to these streams.
func Command(g *console.Globals, stdout *console.Plain, stderr io.Writer) *cobra.Command {
	a := &command{Globals: g, stdout: stdout, stderr: stderr}
	c := &cobra.Command{
		Use: "publish --iceberg URI", Short: "Mirror the tables into an Iceberg catalog, for Spark, Trino and others",
		Long: `Makes the tables of an Iceberg catalog what the lake has now: each table of the lake is one there, partitioned by run,
comparison or baseline, with the files of the lake. No file is copied. Publish again after runs were analyzed or dropped: a table
in which nothing changed is left alone, any other changes in one commit. Several may publish at once.

The catalog is sqlite:FILE, a database in a file that is made where there is none, with the metadata of its tables in a folder
warehouse beside it; or http://HOST or https://HOST, a catalog that speaks Iceberg's REST protocol. --property passes on what
the catalog and its storage need, as Iceberg names it: warehouse, token, credential, s3.endpoint.

The lake remains the owner of its files: the tables have gc.enabled=false, so that no engine removes them, and a snapshot of before
a run was dropped or analyzed anew cannot be read any more. Write to the lake by this program only.

What knows Iceberg is a program of its own, ` + program + `, beside this one or in the PATH: make bin/` + program + ` builds it.`,
		Example: `  analyze publish --iceberg sqlite:catalog.db
  analyze publish --iceberg https://catalog.example.org --property token=$TOKEN --namespace traces`,
		Args: console.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return a.publish(c.Context()) },
	}
	p := c.Flags()
	p.StringVar(&a.iceberg, "iceberg", "", "the catalog: sqlite:FILE, http://HOST or https://HOST")
	p.StringVar(&a.namespace, "namespace", "tracelake", "of the tables in the catalog; a lake has one of its own")
	p.StringToStringVar(&a.properties, "property", nil, "KEY=VALUE for the catalog and its storage; may be given often")
	return c
}

// publish mirrors the lake, and writes what changed.
func (a *command) publish(ctx context.Context) error {
	if a.iceberg == "" {
		return console.Usagef("--iceberg names the catalog: sqlite:FILE, http://HOST or https://HOST; see analyze publish --help")
	}
	l, err := stores.Open(a.Lake, false)
	if err != nil {
		return err
	}
	path, err := find()
	if err != nil {
		return err
	}
	m := mirror{lake: l, task: task{Catalog: a.iceberg, Properties: a.properties, Namespace: a.namespace, Lake: uri(l, l.Dir), Tables: tables()}}
	if err := m.run(ctx, path); err != nil {
		return err
	}
	for _, name := range m.old() {
		a.Logger(a.stderr).Warn(name)
	}
	return a.write(m.results)
}

// find returns the path of the program that knows Iceberg.
func find() (string, error) {
	if own, err := os.Executable(); err == nil {
		if beside := filepath.Join(filepath.Dir(own), program); executable(beside) {
			return beside, nil
		}
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return "", fmt.Errorf("the program %s, which knows Iceberg, is neither beside this one nor in the PATH: make bin/%s builds it", program, program)
	}
	return path, nil
}

// executable reports whether a file is there that can be started.
func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// uri is how engines find a file of the lake.
func uri(l *lake.Lake, path string) string {
	if l.Local() {
		return "file://" + filepath.ToSlash(path)
	}
	return path
}

// write lists the tables that changed, and counts the others.
func (a *command) write(results []result) error {
	g, same := texttab.New("lrrrr"), 0
	g.Row("table", "files", "rows", "added", "removed")
	changed := 0
	for _, r := range results {
		switch {
		case !r.Unchanged:
			g.Row(r.Table, texttab.Count(r.Files), texttab.Count(r.Rows), texttab.Count(r.Added), texttab.Count(r.Removed))
			changed++
		case r.Files > 0:
			same++
		}
	}
	if changed == 0 {
		_, err := fmt.Fprintf(a.stdout, "nothing to publish: %s as before\n", texttab.Plural(same, "table"))
		return err
	}
	if err := g.Write(a.stdout); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.stdout, "\n%s published, %d as before\n", texttab.Plural(changed, "table"), same)
	return err
}

// said is the error of the program: its last line, without its name.
func said(err error, stderr string) error {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	if text := strings.TrimPrefix(lines[len(lines)-1], program+": "); text != "" {
		return errors.New(text)
	}
	return fmt.Errorf("%s: %w", program, err)
}
