// Package export is the command analyze export, which writes a run as a trace of another format.
package export

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/export/chrome"
	"github.com/tracelake/tracelake/stages/export/etf"
	"github.com/tracelake/tracelake/stages/export/otf1"
	"github.com/tracelake/tracelake/stages/export/text"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// command is analyze export with its streams.
type command struct {
	*console.Globals
	stdout *console.Plain
	stderr io.Writer
}

// formats are the formats of analyze export with the endings of their files.
var formats = []struct{ name, ending string }{{"text", ".txt"}, {"chrome", ".json"}, {"etf", ".etf"}, {"otf", ".otf"}}

// traceWriter writes the events of a run as a trace of a format.
type traceWriter interface {
	// Write takes the next events of the run in trace order.
	Write(*schema.Events) error
	Close() error
}

// Command returns the command, which writes to these streams.
func Command(g *console.Globals, stdout *console.Plain, stderr io.Writer) *cobra.Command {
	a := &command{g, stdout, stderr}
	var output, format string
	c := &cobra.Command{
		Use: "export RUN -o FILE", Short: "Write a run as a trace that other tools open",
		Long: `Writes the events of a run as a trace of another format, which the ending of FILE or --format names:

  text    .txt   the text that ingest calls thesis: TIME COMPONENT >|< FUNCTION [!id|?id]
  chrome  .json  Chrome trace events, which https://ui.perfetto.dev, chrome://tracing and speedscope open
  etf     .etf   TRACE4CPS: a resource a lifeline, a claim an execution, a dependency a message; runs of ETF whole
  otf     .otf   Open Trace Format 1: FILE.otf, FILE.0.def, FILE.1.events beside each other

Events that were invented on ingest to complete the trace are left out where the format allows it. What a format cannot
say (identifiers of several messages of one event in text, labels in OTF) is reported. -o - is the standard output.`,
		Example: `  analyze export fast -o fast.json
  analyze export fast --format text -o - | head
  analyze export nightly -o otf/nightly.otf && otfprint otf/nightly.otf`,
		Args: console.Exactly(1, "name a run"),
		RunE: func(c *cobra.Command, args []string) error { return a.export(c.Context(), args[0], output, format) },
	}
	p := c.Flags()
	p.StringVarP(&output, "output", "o", "", "the file to write; - is the standard output")
	p.StringVar(&format, "format", "", "text, chrome, etf or otf; by default what the name of the file ends in")
	return c
}

// export writes the trace of a run. What the format cannot express is logged, and is no error.
// The events are read in the order of the trace, a chunk at a time, so a run of any length can be written.
func (a *command) export(ctx context.Context, run, output, format string) error {
	// A format that is not known must not leave a file behind.
	format, err := formatOf(output, format)
	if err != nil {
		return err
	}
	l, err := stores.Open(a.Lake, false)
	if err != nil {
		return err
	}
	if _, err := runs.Named(l, run); err != nil {
		return err
	}
	if format == "otf" {
		return a.exportFiles(ctx, l, run, output) // a trace of several files
	}
	return console.WriteFile(output, a.stdout.Raw(), func(out io.Writer) error {
		switch format {
		case "chrome":
			return a.exportTo(ctx, l, run, chrome.NewWriter(out))
		case "etf":
			things, err := runs.Things(ctx, l, run) // resources and dependencies of a run of ETF
			if err != nil {
				return err
			}
			return a.exportTo(ctx, l, run, etf.WriterOf(out, things))
		default:
			w := text.NewWriter(out)
			err := a.exportTo(ctx, l, run, w)
			a.logOmissions(run, textOmissions(w.Omissions())) // also where writing failed: they were counted up to there
			return err
		}
	})
}

// formatOf returns the format of --format, or else that of the ending of the file.
// --format counts before the ending.
func formatOf(output, format string) (string, error) {
	if output == "" {
		return "", console.Usagef("name the file to write: -o FILE.json, or -o - with --format")
	}
	for _, f := range formats {
		if format == f.name || format == "" && strings.HasSuffix(output, f.ending) { // the first that fits
			if f.name == "otf" && !strings.HasSuffix(output, ".otf") { // its files need names
				return "", console.Usagef("-o %s: a trace of OTF is several files: name the one that ends in .otf", output)
			}
			return f.name, nil
		}
	}
	if format == "" {
		return "", console.Usagef("-o %s: say --format text, chrome, etf or otf", output)
	}
	return "", console.Usagef("--format %q: one of text, chrome, etf, otf", format)
}

// exportTo passes the events of a run to a writer in the order of the trace, and closes the writer.
// The writer is closed only after the last event, since closing completes the trace.
func (a *command) exportTo(ctx context.Context, l *lake.Lake, run string, w traceWriter) error {
	m, err := l.Table("events", lake.Run(run)) // wrong usage where the run has none
	if err != nil {
		return err
	}
	progress, done := a.Progress(a.stderr, "export "+run, false)
	defer done()
	progress.Expect(m.Rows()) // the bar goes by rows
	ev := schema.NewEvents()
	if err := l.ScanEvents(ctx, run, ev, lake.ScanOptions{Meter: progress}, func() error { return w.Write(ev) }); err != nil {
		return err
	}
	return w.Close()
}

// exportFiles writes a trace of several files. They get their names when all of them are written, the one that names the
// others last.
// A failure removes what was written so far.
func (a *command) exportFiles(ctx context.Context, l *lake.Lake, run, output string) (err error) {
	folder, stub := filepath.Dir(output), strings.TrimSuffix(filepath.Base(output), ".otf")
	var made []string
	defer func() {
		if err != nil {
			for _, name := range made {
				console.Discard(name) // unfinished files of this command
			}
		}
	}()
	w := otf1.NewWriter(func(name string) (io.WriteCloser, error) {
		made = append(made, filepath.Join(folder, name))
		return console.Create(filepath.Join(folder, name))
	}, stub)
	err = a.exportTo(ctx, l, run, w)
	a.logOmissions(run, otfOmissions(w.Omissions()))
	if err != nil {
		return err
	}
	// The file that names the others has the shortest name.
	slices.SortFunc(made, func(x, y string) int { return len(y) - len(x) }) // the longest first
	for _, name := range made {
		if err := console.Publish(name); err != nil {
			return err
		}
	}
	if !a.Quiet {
		fmt.Fprintf(a.stderr, "run %s: written to %d files beside %s\n", run, len(made), output)
	}
	return nil
}

// omission counts what a format cannot express.
type omission struct {
	count int64
	what  string // in words that follow the count
}

// textOmissions returns what the text format cannot express.
func textOmissions(o text.Omissions) []omission {
	return []omission{
		{o.Synthetic, "events left out: they were invented on ingest"},
		{o.Regular, "events left out: they are of no call"},
		{o.Messages, "messages left out: a line has room for one"},
		{o.Lifelines, "events whose thread is not written: the text has components only"},
		{o.Names, "names with characters replaced by _"},
		{o.Identifiers, "identifiers with _ between series and number"},
		{o.Times, "events before time 0, written at 0"},
	}
}

// otfOmissions returns what Open Trace Format 1 cannot express.
func otfOmissions(o otf1.Omissions) []omission {
	return []omission{
		{o.Synthetic, "events left out: they were invented on ingest"},
		{o.Times, "events earlier than the one before, written at its time"},
		{o.Names, "names with characters replaced"},
		{o.Guessed, "messages whose receiver was guessed, as its receipt was far away"},
		{o.Missed, "of these messages guessed wrongly, so that their ends are not tied"},
		{o.Early, "messages received before they were sent whose send was too far behind, so that their ends are not tied"},
	}
}

// logOmissions reports what the written trace lacks, unless --quiet.
// Each kind is one line, and kinds that did not occur are none.
func (a *command) logOmissions(run string, omissions []omission) {
	for _, o := range omissions {
		if o.count > 0 && !a.Quiet {
			fmt.Fprintf(a.stderr, "run %s: %s %s\n", run, texttab.Count(o.count), o.what)
		}
	}
}
