package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/mapping"
	"github.com/tracelake/tracelake/cmd/internal/tasks"
	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/schema"
	readers "github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// flags are those of the command line; command says what each means.
type flags struct {
	console.Globals                     // --lake, --memory, --jobs, --quiet and the format of log lines
	run             string              // one run of all traces; "" for a run each
	replace         bool                // a run of the same name that was made of another trace or with other options
	split           string              // a time, trace, or a number; "" for one run
	prefix          string              // of the names that runs get from their files
	format          string              // the name of a format, or ingest.AnyFormat
	labels          []string            // key=value
	columns         []string            // column=header, of tables
	timeUnit        string              // of tables: s, ms, us, ns, or "" for what the table shows
	incomplete      string              // complete or discard
	untraced        string              // ignore or insert
	callbacks       string              // auto, infer or ignore
	reorder         time.Duration       // by which a receive may stand too early; 0: not at all
	strict          bool                // a bad line or record is an error
	component       string              // a word of the format, or "" for its default
	clocks          string              // auto, keep or align
	clockOf         string              // a word of schema.ClockOwners, or ""
	offsets         []string            // clock=duration
	pairKey         string              // name of a field
	pairs           []string            // event=event
	nameArgs        []string            // field or category=field
	attributes      []string            // names, or all
	calls           string              // auto, messages or nested
	mapped          ingest.MappingFiles // of --symbols and --model
	follow          bool                // the trace is being written
	idle            time.Duration       // without anything new, after which a trace that is followed ends; 0: never
	roll            time.Duration       // after which a run is made of what came, and the next one begins; 0: never
	keep            console.Bytes       // what the runs of a series take of the disk; 0: whatever they do
	plan            string              // text or json: leave the plan in the lake and print it; "" otherwise
	taskBytes       console.Bytes       // of a long plain text in a task
	elsewhere       *tasks.Elsewhere    // where tasks run
	changed         []string            // what the command line says beside the defaults, as words of one

	stdin          io.Reader // of the trace named -
	stdout, stderr io.Writer // answers of subcommands; log lines and progress

	told    map[string]bool // losses whose meaning this command has explained
	sealing *sync.Mutex     // is held while a run is made of a recording, as several may end at once; nil: nothing is recorded
	whole   bool            // a recording that is not too long becomes a run in one pass
}

// run is the whole program but for its exit code, so that tests and stories call it in their own process. Cancelling
// the context stops the ingestion between two blocks and leaves the lake as it was.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	f := &flags{stdin: stdin, stdout: stdout, stderr: console.NewPlain(stderr), told: make(map[string]bool)}
	c := f.command()
	c.SetArgs(args)
	c.SetOut(stdout)
	c.SetErr(stderr)
	return c.ExecuteContext(ctx)
}

// command returns the command with its flags and subcommands.
func (f *flags) command() *cobra.Command {
	c := &cobra.Command{
		Use:     "ingest [flags] TRACE...",
		Short:   "Convert execution traces into runs of a lake",
		Long:    usageText(),
		Example: usageExamples,
		// The check of arguments comes before any file is looked at.
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.Usagef("name at least one trace; see ingest --help")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			f.noteChanged(c.Flags())
			return f.ingest(c.Context(), args)
		},
		SilenceErrors: true, SilenceUsage: true,
	}
	f.addFlags(c)
	c.AddCommand(f.formatsCommand(c), f.recordCommand(), f.sealCommand())
	console.GroupFlags(c, flagGroups...)
	addPages(c)
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
	if err := f.checkSeries(); err != nil {
		return err
	}
	if f.follow {
		return f.followTraces(ctx, traces, labels, options)
	}
	if f.isElsewhere() && slices.Contains(traces, "-") {
		return console.Usagef("the standard input is read by one process: --plan and --executor are for traces in files")
	}
	jobs, names, err := f.nameRuns(traces)
	if err != nil {
		return err
	}
	named, err := mapping.Read(f.mapped)
	if err != nil {
		return err
	}
	l, err := f.open()
	if err != nil {
		return err
	}
	// All runs of the command line share options; only name, paths and part of the memory are their own.
	for i := range jobs {
		f.complete(&jobs[i], l, labels, options, named)
	}
	if f.plan != "" {
		return f.planAll(ctx, jobs, names)
	}
	if did, err := f.elsewhere.Submit(ctx, nil, func() ([]string, error) { return missing(l, jobs, names) }); did || err != nil {
		return err
	}
	return f.ingestJobs(ctx, l, jobs, names)
}

// open opens the lake, or makes one. A lake that another process is writing to is waited for, and the wait is said once.
func (f *flags) open() (*lake.Lake, error) {
	l, err := stores.Open(f.Lake, true)
	if err == nil {
		l.Waiting = func(busy *lake.BusyError) { f.Logger(f.stderr).Info("waits: " + busy.Error()) }
	}
	return l, err
}

// complete gives a job what the command line says of all.
func (f *flags) complete(j *ingest.Job, l *lake.Lake, labels map[string]string, options schema.ReadingOptions, named mapping.Mapping) {
	formats := readers.Formats()
	j.Lake, j.Stdin, j.Labels, j.Jobs = l, f.stdin, labels, f.Jobs
	j.Detect, j.Find = ingest.DetectAmong(formats, f.format, options), ingest.FindAmong(formats, f.format)
	// "auto" is "" in the job: the format decides.
	j.Memory, j.Calls, j.Callbacks = f.TaskMemory()/2, strings.TrimPrefix(f.calls, "auto"), strings.TrimPrefix(f.callbacks, "auto")
	j.Options = options
	named.Apply(j)
	j.Incomplete, j.Untraced, j.Strict, j.Replace, j.ReorderNs = f.incomplete, f.untraced, f.strict, f.replace, f.reorder.Nanoseconds()
	if f.isElsewhere() {
		j.Cut.Bytes = int64(f.taskBytes)
	}
	j.Format, j.Columns = f.format, strings.Join(append(slices.Clone(f.columns), f.timeUnit), ",")
}

// ingestJobs ingests runs, and has the views follow.
func (f *flags) ingestJobs(ctx context.Context, l *lake.Lake, jobs []ingest.Job, names []*runName) error {
	err := f.ingestAll(ctx, jobs, names)
	// Where analyze has made a database of views, it shows what is in the lake now, also after some traces have failed.
	// An interrupted command leaves the views to the next one.
	if ctx.Err() == nil && views.Exist(l) {
		err = cmp.Or(err, views.FollowOthers(ctx, l))
	}
	return err
}

// ingestAll ingests one run after the other. A trace of which nothing comes does not end the ingest of those behind it: its
// error is printed when it happens, and the command fails at the end. What would fail for every trace alike does end it: an
// interrupt, a word that the format does not know, a disk without room.
func (f *flags) ingestAll(ctx context.Context, jobs []ingest.Job, names []*runName) error {
	failed := 0 // traces of which nothing came
	for i, j := range jobs {
		err := place(&j, names[i])
		if err == nil && f.split != "" {
			err = f.ingestSplit(ctx, j)
		} else if err == nil {
			err = f.ingestOne(ctx, j)
		}
		// Only a trace that was looked at shows its format; a word that this format does not know is wrong usage all the same.
		unknown, without := new(schema.UnknownComponentError), new(schema.UnknownArgumentError)
		if errors.As(err, &unknown) || errors.As(err, &without) {
			return &console.UsageError{Err: err}
		}
		if err == nil {
			continue
		}
		// A single trace needs no summary, and a full or read-only disk would fail every further trace.
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
	// 1. Tables: their columns and the unit of their times.
	o := schema.ReadingOptions{Component: f.component, TimeUnit: f.timeUnit, Columns: make(map[string]string)}
	for _, pair := range f.columns {
		column, header, ok := strings.Cut(pair, "=")
		if !ok {
			return o, console.Usagef("--columns %q: write column=header", pair)
		}
		o.Columns[column] = header
	}
	// 2. CTF: pairs of events, by a key field or by names.
	o.PairKey = f.pairKey
	for _, pair := range f.pairs {
		begin, end, ok := strings.Cut(pair, "=")
		if !ok || begin == "" || end == "" || begin == end {
			return o, console.Usagef("--pairs %q: write the names of two events, as BEGIN=END", pair)
		}
		if o.Pairs == nil {
			o.Pairs = make(map[string]string)
		}
		o.Pairs[begin] = end
	}
	// 3. Arguments that become part of names. The last = separates, since a category may contain one.
	for _, asked := range f.nameArgs {
		at := strings.LastIndexByte(asked, '=')
		if at == len(asked)-1 { // nothing behind the last =, or an empty word
			return o, console.Usagef("--name-arg %q: write FIELD or CATEGORY=FIELD", asked)
		}
		o.NameArgs = append(o.NameArgs, schema.NameArg{Category: asked[:max(0, at)], Field: asked[at+1:]}) // "": of all calls
	}
	// 4. Rules that must be well formed before a trace is read.
	o.Attributes = f.attributes
	if err := f.clockOptions(&o.Clocks); err != nil {
		return o, err
	}
	if f.split != "" {
		if _, err := splitBy(f.split); err != nil {
			return o, err
		}
	}
	// A rule is checked as such; whether its word is known depends on the format.
	if _, _, err := schema.ComponentRule(f.component); err != nil {
		return o, console.Usagef("--component %q: %v", f.component, err)
	}
	// A format that is named is asked at once; for auto the reader asks when it has found one.
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

// clockOptions are what the flags say about the clocks of a trace.
func (f *flags) clockOptions(o *schema.Clocks) error {
	*o = schema.Clocks{Mode: f.clocks, Of: f.clockOf}
	for _, one := range f.offsets {
		// A clock's name may contain =, a duration does not.
		at := strings.LastIndex(one, "=")
		by, err := time.ParseDuration(one[at+1:])
		if at <= 0 || err != nil { // no clock is named before it
			return console.Usagef("--clock-offset %q: write the name of a clock and by how much it is ahead, as host=7ms", one)
		}
		if o.AheadNs == nil {
			o.AheadNs = make(map[string]int64)
		}
		o.AheadNs[one[:at]] = by.Nanoseconds() // negative where the clock is behind
	}
	return nil
}

// check checks the flags and takes the labels apart.
func (f *flags) check() (map[string]string, error) {
	if err := f.Apply(); err != nil {
		return nil, err
	}
	// The empty word stands first where a flag may be left out.
	for _, choice := range []struct{ flag, value, words string }{
		{"incomplete", f.incomplete, "complete discard"}, {"untraced", f.untraced, "ignore insert"}, {"callbacks", f.callbacks, "auto infer ignore"},
		{"format", f.format, formatWords()}, {"time-unit", f.timeUnit, " s ms us ns"}, {"calls", f.calls, "auto nested messages"},
		{"clocks", f.clocks, "auto keep align"}, {"clock-of", f.clockOf, " " + strings.Join(schema.ClockOwners, " ")},
	} {
		if !slices.Contains(strings.Split(choice.words, " "), choice.value) {
			return nil, console.Usagef("--%s %q: one of %s", choice.flag, choice.value, strings.TrimSpace(choice.words))
		}
	}
	if err := f.checkElsewhere(); err != nil {
		return nil, err
	}
	if f.reorder < 0 {
		return nil, console.Usagef("--reorder %v: it is not negative", texttab.Flag(f.reorder))
	}
	// Labels are key=value; their errors are wrong usage as well.
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

// ingestOne ingests one run and reports its size and its losses. A run that the lake has from the same bytes and options is
// left as it is, unless --strict must look at its bad lines.
// The table of losses is written in both cases, as a process may have been killed between the run and its losses.
// (1) The run is leased. (2) What stands decides: leave, replace or make anew. (3) The trace is read. (4) Losses are written and told.
func (f *flags) ingestOne(ctx context.Context, j ingest.Job) error {
	log := f.Logger(f.stderr)
	// Several processes may ingest into a lake at once, and one at a time into a run: the second finds what the first did.
	release, err := j.Lake.Lease(ctx, lake.Run(j.Run))
	if err != nil {
		return err
	}
	defer release() // not before the losses are written
	standing, err := j.Standing()
	if err != nil {
		return err
	}
	switch {
	// A strict ingest must fail at bad lines and records, so a run that has some is read again.
	case standing.Fresh && !(f.strict && hasBadBytes(standing.Run)):
		log.Info("run " + j.Run + ": nothing to do, the lake has it")
		return pipeline.WriteLosses(ctx, j.Lake, lake.Run(j.Run))
	case standing.Fresh:
		log.Info("run " + j.Run + ": is read again, as lines or records of it were left out, which --strict refuses")
	case standing.Read && standing.Replaces() && j.Replace:
		log.Info("run " + j.Run + ": replaces the run of that name, which had another trace or other options")
	// The same trace under another file name is the same run: nothing of it is lost by making it anew.
	case standing.Read && standing.SameOptions:
		log.Info("run " + j.Run + ": is made anew, as the lake has it from an earlier version, in part, or from a file of another name")
	}
	var done func()
	j.Progress, done = f.Progress(f.stderr, j.Run, true)
	var said []string
	// What the reading says of clocks and the like is told behind the summary, in its order.
	j.Say = func(sentence string) { said = append(said, sentence) }
	r, losses, err := f.makeRun(ctx, j)
	done()
	if err != nil {
		return err
	}
	if err := pipeline.WriteLosses(ctx, j.Lake, lake.Run(j.Run)); err != nil {
		return err
	}
	log.Info(fmt.Sprintf("run %s: %s, %s, %s, %s (%s)", j.Run, texttab.Plural(r.Events, "event"),
		texttab.Plural(r.Executions, "execution"), texttab.Plural(r.Messages, "message"), texttab.Plural(r.Components, "component"), r.Format))
	for _, sentence := range said {
		log.Info("run " + j.Run + ": " + sentence)
	}
	f.tellLosses(j.Run, losses)
	return nil
}

// hasBadBytes says whether lines or records were left out of a run that --strict refuses, so that it must look at the trace again.
// Such a run was ingested without --strict.
func hasBadBytes(m *lake.Manifest) bool {
	return slices.ContainsFunc(m.Losses, func(l schema.Loss) bool {
		return slices.ContainsFunc(schema.BadBytes, func(r schema.Reason) bool { return r.Name == l.Reason })
	})
}

// tellLosses reports what was left out or repaired, a line for each reason with its meaning and first place. Kinds of one reason
// share a line. A meaning that an earlier line of the command has is not repeated: ten runs of one program lose the same.
func (f *flags) tellLosses(run string, losses []schema.Loss) {
	log := f.Logger(f.stderr)
	for len(losses) > 0 {
		l, n := losses[0], 1 // n losses share the line
		// Losses of one reason and several kinds stand in a row, as the ledger sorts them: their counts are one number with its parts.
		if kind := l.Kind(); kind != "" {
			var kinds []string
			l.Count, l.Meaning = 0, strings.TrimPrefix(l.Meaning, kind+": ")
			for n = 0; n < len(losses) && losses[n].Reason == l.Reason && losses[n].Kind() != ""; n++ {
				l.Count += losses[n].Count
				kinds = append(kinds, texttab.Count(losses[n].Count)+" "+losses[n].Kind())
			}
			l.Meaning += ": " + strings.Join(kinds, ", ")
		}
		what := l.Reason + ": " + l.Meaning
		if f.told[what] {
			what = l.Reason + " (as above)"
		} else {
			f.told[what] = true
		}
		log.Info(fmt.Sprintf("run %s: %s %s; first at %s", run, texttab.Count(l.Count), what, l.FirstPosition))
		losses = losses[n:]
	}
}
