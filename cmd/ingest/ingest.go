package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	readers "github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// flags are those of the command line; command says what each means.
type flags struct {
	console.Globals
	run        string   // one run of all traces; "" for a run each
	prefix     string   // of the names that runs get from their files
	format     string   // the name of a format, or ingest.AnyFormat
	labels     []string // key=value
	columns    []string // column=header, of tables
	timeUnit   string   // of tables: s, ms, us, ns, or "" for what the table shows
	incomplete string   // complete or discard
	untraced   string   // ignore or insert
	strict     bool
	component  string // a word of the format, or "" for its default
	calls      string // auto, messages or nested
	symbols    string // path of a program or a table
	model      string // path of a component model

	stdin          io.Reader
	stdout, stderr io.Writer
}

// run is the whole program but for its exit code, so that tests and stories call it in their own process. Cancelling
// the context stops the ingestion between two blocks and leaves the lake as it was.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	f := &flags{stdin: stdin, stdout: stdout, stderr: stderr}
	c := f.command()
	c.SetArgs(args)
	c.SetOut(stdout)
	c.SetErr(stderr)
	return c.ExecuteContext(ctx)
}

// command returns the command with its flags and subcommands. The texts of the help are the reference of the flags;
// the list of formats in it is that of stages/ingest, so that a new format needs no line here.
func (f *flags) command() *cobra.Command {
	c := &cobra.Command{
		Use:   "ingest [flags] TRACE...",
		Short: "Convert execution traces into runs of a lake",
		Long: `Converts execution traces into runs of a lake: Parquet tables of events and messages.

Every TRACE becomes a run of its own, named after the file or folder; with --run all of them together are one
run, its parts in the order given. "-" is the standard input. Files may be compressed with gzip, zstd or xz, and
folders packed with tar. The format is found by looking at the content, or by the name where that ends in .tmsct:

` + formatList() + `
What --component may say in traces of each, ingest formats lists; how to make traces, ingest record.

Tracers of programs record calls, of which those of many components are nested in one thread. A call from one
component to another becomes an exchange of messages between them, each on lifelines of its own, unless --calls
nested says otherwise. What a component is, --component, --symbols and --model say.

A bad line or record is left out and counted in the table losses with the place where it happened first;
with --strict it is an error. A run whose trace and options have not changed is left as it is. A trace of which nothing
can be made is reported; the traces behind it are ingested all the same, and the exit code is 1 at the end.

Exit code: 0 fine, 1 failed, 2 wrong usage.`,
		Example: `  ingest --lake lake --label release=8.14.1 --prefix 8.14.1- traces/run-*.txt.zst
  ingest --symbols ./prog run.raw run.uftrace
  ingest --run shop --model shop.arch kieker-20260101-120000-UTC
  zcat trace.gz | ingest --run nightly -
  ingest --columns time=Timestamp,component=Process table.csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.Usagef("name at least one trace; see ingest --help")
			}
			return nil
		},
		RunE:          func(c *cobra.Command, args []string) error { return f.ingest(c.Context(), args) },
		SilenceErrors: true, SilenceUsage: true,
	}
	f.AddFlags(c)
	p := c.Flags()
	p.StringVar(&f.run, "run", "", "name of the run (default: the file's name without its endings)")
	p.StringVar(&f.prefix, "prefix", "", "put this before the names that runs get from their files")
	p.StringVar(&f.format, "format", "auto", "auto, or a format by its name; see ingest formats")
	p.StringArrayVar(&f.labels, "label", nil, "a label of the run as key=value; may be given often")
	p.StringSliceVar(&f.columns, "columns", nil, "header names of a table's columns, as time=NAME,component=NAME,...")
	p.StringVar(&f.timeUnit, "time-unit", "", "of a table's times: s, ms, us or ns (default: seconds where there is a decimal point, else ns)")
	p.StringVar(&f.incomplete, "incomplete", "complete", "enters and exits without counterpart: complete them at the trace's ends, or discard them")
	p.StringVar(&f.untraced, "untraced", "ignore", "messages with one end untraced: ignore them, or insert a placeholder at the other end")
	p.StringVar(&f.component, "component", "", "what is taken for the component of a function: a word of the format; see ingest formats")
	p.StringVar(&f.calls, "calls", "auto", "calls between components of one thread: messages or nested (auto: messages, but nested in thesis, tmsctrace, table and tmsct)")
	p.StringVar(&f.symbols, "symbols", "", "what lies at the addresses of a trace: the program, built with -g, or a table of addr, function, unit, line")
	p.StringVar(&f.model, "model", "", "a component model that gives functions to components; see ingest record --help")
	p.BoolVar(&f.strict, "strict", false, "fail at the first bad line or record")
	c.AddCommand(f.formatsCommand(), f.recordCommand())
	return c
}

// ingest brings every run into the lake, one after the other: each uses all cores.
// Everything that may be wrong with the command line is checked before the lake is opened, so wrong usage leaves no
// lake behind. (1) Flags are checked and taken apart, (2) runs are named, (3) files of symbols and components are
// read, (4) the lake is opened, (5) and the runs are ingested.
func (f *flags) ingest(ctx context.Context, traces []string) error {
	labels, err := f.check()
	if err != nil {
		return err
	}
	options, err := f.options()
	if err != nil {
		return err
	}
	jobs, err := f.plan(traces)
	if err != nil {
		return err
	}
	named, err := f.mapping()
	if err != nil {
		return err
	}
	l, err := lake.Open(f.Lake, true)
	if err != nil {
		return err
	}
	l.Waiting = func(busy *lake.BusyError) { f.Logger(f.stderr).Info("waits: " + busy.Error()) }
	formats := readers.Formats()
	for i := range jobs {
		j := &jobs[i]
		j.Lake, j.Stdin, j.Labels, j.Jobs = l, f.stdin, labels, f.Jobs
		j.Detect, j.Find = ingest.DetectAmong(formats, f.format, options), ingest.FindAmong(formats, f.format)
		j.Memory, j.Calls = f.TaskMemory()/2, strings.TrimPrefix(f.calls, "auto")
		j.Options = options
		named.apply(j)
		j.Incomplete, j.Untraced, j.Strict = f.incomplete, f.untraced, f.strict
		j.Format, j.Columns = f.format, strings.Join(append(slices.Clone(f.columns), f.timeUnit), ",")
	}
	err = f.ingestAll(ctx, jobs)
	// Where analyze has made a database of views, it shows what is in the lake now, also after some traces have failed.
	if ctx.Err() == nil && views.Exist(l) {
		err = cmp.Or(err, views.FollowOthers(ctx, l))
	}
	return err
}

// ingestAll ingests one run after the other. A trace of which nothing comes does not end the ingest of those behind it: its
// error is printed when it happens, and the command fails at the end. What would fail for every trace alike does end it: an
// interrupt, a word that the format does not know, a disk without room.
func (f *flags) ingestAll(ctx context.Context, jobs []ingest.Job) error {
	failed := 0
	for _, j := range jobs {
		err := f.ingestOne(ctx, j)
		if unknown := new(schema.UnknownComponentError); errors.As(err, &unknown) {
			return &console.UsageError{Err: err}
		}
		if err == nil {
			continue
		}
		if len(jobs) == 1 || ctx.Err() != nil || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EROFS) {
			return err
		}
		failed++
		fmt.Fprintf(f.stderr, "ingest: run %s: %v\n", j.Run, err)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %s could not be ingested; the others are in the lake", failed, texttab.Plural(int64(len(jobs)), "trace"))
	}
	return nil
}

// options are what the flags choose for the reading of traces. A word of --component that the format named by --format
// does not know is refused at once; otherwise it is checked when the trace has shown its format.
// The names of columns are checked by the package table, which knows them.
func (f *flags) options() (schema.ReadingOptions, error) {
	o := schema.ReadingOptions{Component: f.component, TimeUnit: f.timeUnit, Columns: make(map[string]string)}
	for _, pair := range f.columns {
		column, header, ok := strings.Cut(pair, "=")
		if !ok {
			return o, console.Usagef("--columns %q: write column=header", pair)
		}
		o.Columns[column] = header
	}
	for _, format := range readers.Formats() {
		if format.Name != f.format {
			continue
		}
		if err := format.CheckComponent(f.component); err != nil {
			return o, &console.UsageError{Err: err}
		}
	}
	return o, nil
}

// check checks the flags and takes the labels apart.
func (f *flags) check() (map[string]string, error) {
	if err := f.Apply(); err != nil {
		return nil, err
	}
	for _, choice := range []struct{ flag, value, words string }{
		{"incomplete", f.incomplete, "complete discard"}, {"untraced", f.untraced, "ignore insert"},
		{"format", f.format, formatWords()}, {"time-unit", f.timeUnit, " s ms us ns"}, {"calls", f.calls, "auto nested messages"},
	} {
		if !slices.Contains(strings.Split(choice.words, " "), choice.value) {
			return nil, console.Usagef("--%s %q: one of %s", choice.flag, choice.value, strings.TrimSpace(choice.words))
		}
	}
	return console.Labels(f.labels)
}

// formatWords are the words of --format.
// They are the names of the list of formats and the word for detection.
func formatWords() string {
	words := []string{ingest.AnyFormat}
	for _, format := range readers.Formats() {
		words = append(words, format.Name)
	}
	return strings.Join(words, " ")
}

// plan names the runs, and refuses names that two traces would share.
// A name that two traces share would make the second replace the first in silence.
func (f *flags) plan(traces []string) ([]ingest.Job, error) {
	if f.run != "" {
		if err := lake.CheckName(f.run); err != nil {
			return nil, &console.UsageError{Err: err}
		}
		return []ingest.Job{{Run: f.run, Paths: traces}}, nil
	}
	var jobs []ingest.Job
	from := make(map[string]string)
	for _, path := range traces {
		name := f.prefix + ingest.RunName(path, readers.Formats())
		if path == "-" || lake.CheckName(name) != nil {
			return nil, console.Usagef("%s cannot name a run: give it a name with --run", path)
		}
		if other, taken := from[name]; taken {
			return nil, console.Usagef("%s and %s would both be run %s: ingest them apart, with --prefix or --run", other, path, name)
		}
		from[name] = path
		jobs = append(jobs, ingest.Job{Run: name, Paths: []string{path}})
	}
	return jobs, nil
}

// ingestOne ingests one run and reports its size and its losses. A run that the lake has from the same bytes and options is
// left as it is, unless --strict must look at its bad lines.
// The table of losses is written in both cases, as a process may have been killed between the run and its losses.
func (f *flags) ingestOne(ctx context.Context, j ingest.Job) error {
	log := f.Logger(f.stderr)
	// Several processes may ingest into a lake at once, and one at a time into a run: the second finds what the first did.
	release, err := j.Lake.Lease(ctx, lake.Run(j.Run))
	if err != nil {
		return err
	}
	defer release()
	have, err := j.Fresh()
	if err != nil {
		return err
	}
	if have != nil && !(f.strict && hasBadLines(have)) {
		log.Info("run " + j.Run + ": nothing to do, the lake has it")
		return pipeline.WriteLosses(ctx, j.Lake, lake.Run(j.Run))
	}
	if before, err := j.Lake.Manifest("runs", lake.Run(j.Run)); err != nil {
		return err
	} else if before != nil {
		log.Info("run " + j.Run + ": replaces the run of that name, which had another trace or other options")
	}
	var done func()
	j.Progress, done = f.Progress(f.stderr, j.Run, true)
	r, losses, err := ingest.Run(ctx, j)
	done()
	if err != nil {
		return err
	}
	if err := pipeline.WriteLosses(ctx, j.Lake, lake.Run(j.Run)); err != nil {
		return err
	}
	log.Info(fmt.Sprintf("run %s: %s, %s, %s, %s (%s)", j.Run, texttab.Plural(r.Events, "event"),
		texttab.Plural(r.Executions, "execution"), texttab.Plural(r.Messages, "message"), texttab.Plural(r.Components, "component"), r.Format))
	f.tellLosses(j.Run, losses)
	return nil
}

// hasBadLines says whether lines were left out of a run, so that --strict must look at it again.
// Such a run was ingested without --strict, or --strict would have refused it.
func hasBadLines(m *lake.Manifest) bool {
	return slices.ContainsFunc(m.Losses, func(l schema.Loss) bool {
		return l.Reason == schema.BadLine.Name || l.Reason == schema.TornLine.Name || l.Reason == schema.UnsupportedTime.Name
	})
}

// tellLosses reports what was left out or repaired, a line for each reason with its meaning and first place.
func (f *flags) tellLosses(run string, losses []schema.Loss) {
	log := f.Logger(f.stderr)
	for _, l := range losses {
		log.Info(fmt.Sprintf("run %s: %s %s: %s; first at %s", run, texttab.Count(l.Count), l.Reason, l.Meaning, l.FirstPosition))
	}
}
