// Package report is the command analyze report, which writes a comparison or a run as one file that any browser shows.
package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/web"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/report/pages"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// command is analyze report with its flags.
type command struct {
	*console.Globals
	stdout *console.Plain
	stderr io.Writer

	output    string
	most      console.Bytes // of the file
	fragments int           // whose automata the file has
}

// How large a file is, and of how many fragments it has the automata, where the flags say nothing.
const (
	defaultMost      = 10 << 20
	defaultFragments = 40
)

// Command returns the command.
func Command(g *console.Globals, stdout *console.Plain, stderr io.Writer) *cobra.Command {
	f := &command{Globals: g, stdout: stdout, stderr: stderr, most: defaultMost}
	c := &cobra.Command{
		Use: "report COMPARISON|RUN -o FILE.html", Short: "Write a comparison or a run as one page for a browser",
		Long: `Writes what a comparison found as one file in HTML: the verdict, its root causes with their intervals, what adds up to the difference, all
changes in a table to filter, sort and search, the numbers that each verdict rests on, and the difference automata of the fragments that
changed, with the distributions of their times. Of the greatest root causes it has the windows of a run of each side in which they show,
with the critical path.

Of a run it has what its critical paths consist of, the window of its longest root execution, its fragments and functions by the time that
they take, the automata of the slowest fragments, and what was dropped, repaired or invented.

The file needs no server and no network, loads nothing, and may be kept with the results of a build. The same lake gives the same bytes.
What does not fit into --max-size is left out, causes last, and counted on the page.`,
		Example: `  analyze report fast-vs-slow -o report.html
  analyze report fast-vs-slow --fragments 5 --max-size 1MiB -o small.html
  analyze report fast-vs-slow -o - > report.html
  analyze report slow-1 -o run.html`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return console.Usagef("name one comparison or one run; analyze comparisons and analyze runs list them")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), args[0]) },
	}
	p := c.Flags()
	p.StringVarP(&f.output, "output", "o", "", "the file to write; - is the standard output")
	p.Var(&f.most, "max-size", "how large the file may be, such as 2MiB")
	p.IntVar(&f.fragments, "fragments", defaultFragments, "of how many fragments it has the automata: those of root causes first, then others that changed; of a run the slowest")
	return c
}

// run reads and writes.
func (f *command) run(ctx context.Context, name string) error {
	switch {
	case f.output == "":
		return console.Usagef("name the file to write: -o FILE.html, or -o -")
	case f.output != "-" && filepath.Ext(f.output) != ".html":
		return console.Usagef("-o %s: a report is a file that ends in .html", f.output)
	case f.fragments < 0:
		return console.Usagef("--fragments %d: 0 or more", f.fragments)
	}
	l, err := stores.Open(f.Lake, false)
	if err != nil {
		return err
	}
	page, summary, err := f.page(ctx, l, name)
	var small *pages.TooSmallError
	if errors.As(err, &small) {
		return console.Usagef("--max-size %s: %w", f.most, err)
	} else if err != nil {
		return err
	}
	write := func(out io.Writer) error { _, err := out.Write(page); return err }
	if err := console.WriteFile(f.output, f.stdout.Raw(), write); err != nil {
		return err
	}
	if !f.Quiet {
		fmt.Fprintf(f.stderr, "%s: %s, %.1f MB\n", f.output, summary, float64(len(page))/1e6)
	}
	return nil
}

// page makes the page of a comparison or a run, and says in a sentence what it has.
func (f *command) page(ctx context.Context, l *lake.Lake, name string) (page []byte, summary string, err error) {
	empty, err := web.Page("report", title(name), nil)
	if err != nil {
		return nil, "", err
	}
	budget := &pages.Budget{Most: int64(f.most), Overhead: int64(web.Overhead)}
	budget.Use(len(empty))
	var resources []pages.Resource
	c, err := runs.OpenCompared(l, name)
	if _, unknown := runs.Named(l, name); errors.As(err, new(*runs.NameError)) && unknown == nil {
		resources, summary, err = f.ofRun(ctx, l, name, budget)
	} else if err == nil {
		resources, summary, err = f.ofComparison(ctx, l, c, budget)
	}
	if err != nil {
		return nil, "", err
	}
	for _, left := range budget.LeftOut() {
		summary += fmt.Sprintf("; without %s %s", texttab.Count(left.Count), left.What)
	}
	data := make([]web.Resource, len(resources))
	for i, r := range resources {
		data[i] = web.Resource{Name: r.Name, JSON: r.JSON}
	}
	page, err = web.Page("report", title(name), data)
	if err == nil && len(page) > int(f.most) { // what the escapes of < take
		return nil, "", fmt.Errorf("the page has %d bytes, more than --max-size: %w", len(page), &pages.TooSmallError{Needed: int64(len(page))})
	}
	return page, summary, err
}

// title is that of the window.
func title(name string) string { return cmp.Or(texttab.Printable(name), "report") + " · Tracelake" }
