package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/tasks"
	"github.com/tracelake/tracelake/schema"
)

// usageText returns the text of the help. The list of formats in it is that of stages/ingest, so that a new format needs no line here.
func usageText() string {
	return `Converts execution traces into runs of a lake: Parquet tables of events and messages.

Every TRACE becomes a run of its own, named after the file or folder; with --run all of them together are one run, its
parts in the order given. "-" is the standard input. Files may be compressed with gzip, zstd or xz, and folders packed
with tar. The format is found by looking at the content, or by the name where that ends in .tmsct:

` + formatList() + `
How to make traces of them, ingest record tells. A bad line or record is left out and counted in the table losses with
the place where it happened first; with --strict it is an error. A run whose trace and options have not changed is left
as it is, and so is one that the lake has of another trace or with other options, unless --replace is given: the new
trace is reported. A trace of which nothing can be made is reported, too. Those behind it are ingested all the same, and
the exit code is 1 at the end. Exit code: 0 fine, 1 failed, 2 wrong usage.`
}

// usageExamples are those of the help.
const usageExamples = `  ingest --lake lake --label release=8.14.1 --prefix 8.14.1- traces/run-*.txt.zst
  ingest --symbols ./prog run.raw run.uftrace
  zcat trace.gz | ingest --run nightly -`

// flagGroups are the flags of ingest by what they are for.
var flagGroups = []console.FlagGroup{
	{Title: "What is read", Flags: []string{"format", "component", "symbols", "model", "strict"}},
	{Title: "Which runs are made", Flags: []string{"run", "label", "prefix", "replace", "split"}, Topic: "naming"},
	{Title: "Calls and messages", Flags: []string{"calls", "callbacks", "incomplete", "untraced", "name-arg", "attributes"}, Topic: "calls"},
	{Title: "Clocks and order", Flags: []string{"clocks", "clock-of", "clock-offset", "reorder"}, Topic: "clocks"},
	{Title: "Tables and CTF", Flags: []string{"columns", "time-unit", "pairs", "pair-key"}, Topic: "formats"},
	{Title: "A trace that is being written", Flags: []string{"follow", "idle", "roll", "keep"}, Topic: "following"},
	{Title: "Elsewhere", Flags: []string{"executor", "nodes", "pod", "attempts", "patience", "plan", "task-bytes"}, Topic: "executors"},
}

// namingHelp explains which runs are made of traces.
const namingHelp = `A run is named after its file or folder, without the endings. Where files of one name lie in several folders, the
folders that differ come before their names: 1.0/a.txt and 2.0/a.txt become 1.0-a and 2.0-a, or a and 2.0-a in two
commands. Labels choose runs in all commands of analyze, as --base release=1,scenario=fast.

With --split a trace of spans becomes several runs, called NAME-1, NAME-2 and so on and labelled split=NAME and slice=1,
2 and so on: slices of time from the first request on, parts with equally many requests, or one run each request. A
request goes with the slice in which its root starts.

  ingest --split 10s --label side=before spans.csv`

// callsHelp explains what is made of calls.
const callsHelp = `Tracers of programs record calls, of which those of many components are nested in one thread. A call from one
component to another becomes an exchange of messages between them, each on lifelines of its own, unless --calls
nested says otherwise. What a component is, --component, --symbols and --model say: ingest formats lists the words that
--component takes for traces of each format.`

// clocksHelp explains what is made of clocks that are apart.
const clocksHelp = `Hosts and processes have clocks of their own. Where messages show that these are apart, as they would arrive before they
were sent, clocks are corrected, and a line says by how much; the table clock_bounds has what is known of each.

  ingest --clock-offset db=7ms --clock-offset cache=-2ms spans.json
  ingest --clocks align --clock-of process run/traces.otf2`

// followingHelp explains how a trace is recorded that is still being written.
const followingHelp = `With --follow a trace that is still being written is recorded in the lake as it comes, and becomes a run when it ends:
the one that an ingest of the whole trace makes. A file that is rotated or cut meanwhile is followed on. A recorder that
was killed goes on where it was with the same command; ingest seal makes runs of recordings that nobody goes on with.

With --roll a run is made every so often, while the recording goes on: each ends with a whole record, so that a call
which is open then has no end in that run and no beginning in the next one, and both count it. A trace that can be read
only when it is whole, as one of the format chrome, becomes one run all the same, which is said when the format is
known; for uftrace: it is refused. A disk that is full ends the recording, and never the program that is traced.

Several files become a run each, and a series each with --roll. With --run several traces, of any kind but of one
format, become one run when all of them have ended: that of an ingest of all, in the order given. What comes through a
pipe or connection is called trace-1, trace-2 and so on there.

  ingest --follow --run tonight --label machine=7 /var/log/machine.trace
  ingest --follow --run machine --roll 10m --keep 20GB tcp:127.0.0.1:7000
  ingest --follow --run shop /var/log/client.trace tcp:127.0.0.1:7000`

// executorsHelp explains where tasks run.
const executorsHelp = `With --executor the tasks of an ingest run elsewhere, on nodes of Slurm, in pods of Kubernetes or where a program of
yours starts them; with --plan its plan is left in the lake, "analyze task RUN ingest TASKS" does tasks in any process,
and "analyze commit RUN ingest" makes the run exist. The bytes are those of one process. All processes find the trace
at the same path. A long plain text has many tasks, any other trace is one.

  ingest --executor slurm --nodes 4 night.txt`

// addPages adds the pages of the help that belong to no command of their own. Flags stand where they are explained.
func addPages(c *cobra.Command) {
	page := func(topic, short, long string) *cobra.Command {
		return &cobra.Command{Use: topic, Short: short, Long: long + console.TopicFlags(c, topic, flagGroups)}
	}
	console.AddHelp(c,
		page("naming", "Which runs are made of traces, their names and labels", namingHelp),
		page("calls", "What is made of calls, their arguments, and ends that are missing", callsHelp),
		page("clocks", "Clocks that are apart, and messages that stand before their send", clocksHelp),
		page("following", "Traces that are still being written", followingHelp),
		page("executors", "Where tasks run: Slurm, Kubernetes, programs of yours", executorsHelp),
		&cobra.Command{Use: "models", Short: "Component models, which give functions to components", Long: modelHelp},
	)
}

// addFlags adds all flags in the order of the help. Their texts are their reference.
func (f *flags) addFlags(c *cobra.Command) {
	f.AddFlags(c)
	p := c.Flags()
	f.addRunFlags(p)
	f.addEventFlags(p)
	f.addFormatFlags(p)
	f.addTaskFlags(c)
}

// addTaskFlags adds the flags that say where the work is done.
func (f *flags) addTaskFlags(c *cobra.Command) {
	f.elsewhere = tasks.AddWorkers(c, &f.Globals, f.stderr)
	f.elsewhere.Worker = func() (string, error) { return console.Sibling("analyze") }
	p := c.Flags()
	p.StringVar(&f.plan, "plan", "", "leave the plan of the ingest in the lake for analyze task and analyze commit, and print it, as text or json, instead of ingesting")
	p.Lookup("plan").NoOptDefVal = "text"
	f.taskBytes = 64 << 20
	p.Var(&f.taskBytes, "task-bytes", "with --plan and --executor: how much of a long plain text is a task; any other trace is one task")
}

// addRunFlags adds the flags that say which runs are made, and of which trace.
func (f *flags) addRunFlags(p *pflag.FlagSet) {
	p.StringVar(&f.run, "run", "", "name of the run (default: the file's name without its endings)")
	p.BoolVar(&f.replace, "replace", false, "take the place of a run of the same name that has another trace or other options")
	p.StringVar(&f.split, "split", "", "several runs of one trace of spans: 10s for slices of so much time, trace for a run each request, 6 for so many parts; requests stay whole")
	p.StringVar(&f.prefix, "prefix", "", "put this before the names that runs get from their files")
	p.StringVar(&f.format, "format", "auto", "auto, or a format by its name; see ingest formats")
	p.StringArrayVar(&f.labels, "label", nil, "a label of the run as key=value; may be given often")
	p.StringSliceVar(&f.columns, "columns", nil, "header names of a table's columns, as time=NAME,component=NAME,...; of times of spans with their units, as start=NAME:us")
	p.StringVar(&f.timeUnit, "time-unit", "", "of a table's times: s, ms, us or ns (default: seconds where there is a decimal point, else ns; of spans, what the numbers show)")
}

// addEventFlags adds the flags that say what is made of events, components and clocks.
func (f *flags) addEventFlags(p *pflag.FlagSet) {
	p.StringVar(&f.incomplete, "incomplete", "complete", "enters and exits without counterpart: complete them at the trace's ends, or discard them")
	p.StringVar(&f.untraced, "untraced", "ignore", "messages with one end untraced: ignore them, or insert a placeholder at the other end")
	p.StringVar(&f.callbacks, "callbacks", "auto", "what a component starts while it waits for a blocking call, without a message: infer that it was called back, or ignore it (auto: infer, but ignore in tables, tmsct and spans, which have all components)")
	p.DurationVar(&f.reorder, "reorder", 0, "put the receive of a message that stands before its send in a trace of lines behind it, if that is at most so much later, as 50us; what follows on its lifeline goes with it")
	p.StringVar(&f.component, "component", "", "what is taken for the component of a function: a word of the format, for spans also with a rule, as 'service=^(.*)-[0-9a-f]+-[a-z0-9]+$'; see ingest formats")
	p.StringVar(&f.clocks, "clocks", schema.ClocksAuto, "clocks that are apart, of hosts in traces of spans and CTF and of processes in OTF: auto corrects those that cannot agree, align also those that may, keep none")
	p.StringVar(&f.clockOf, "clock-of", "", "what has a clock of its own: component in most formats, file where several traces are one run, host in CTF, host, process or file in traces of spans (default: host there, process in OTF)")
	p.StringArrayVar(&f.offsets, "clock-offset", nil, "a clock known to be ahead, as host=7ms, or behind, as host=-7ms; may be given often")
}

// addFormatFlags adds words of single formats, and how a trace is read that is still being written.
func (f *flags) addFormatFlags(p *pflag.FlagSet) {
	p.StringVar(&f.pairKey, "pair-key", "", "of CTF: the field that tells which begin and end belong together where pairs overlap (default: one whose values are unique to pairs)")
	p.StringArrayVar(&f.pairs, "pairs", nil, "of CTF: events that begin and end an execution, as BEGIN=END; may be given often (default: as their names say)")
	p.StringSliceVar(&f.attributes, "attributes", nil, "arguments, tags and fields of calls that the table attributes is to have: NAME,... or all; in Chrome traces, spans, of whose roots trace_id is the trace, CTF, Kieker and OTF2")
	p.StringSliceVar(&f.nameArgs, "name-arg", nil, "arguments of calls that become part of their names, as f(value): FIELD,... of all calls, or CATEGORY=FIELD; in Chrome traces")
	p.StringVar(&f.calls, "calls", "auto", "calls between components of one thread: messages or nested (auto: messages, but nested in thesis, tmsctrace, table and tmsct)")
	p.StringVar(&f.mapped.Symbols, "symbols", "", "what lies at the addresses of a trace: the program, built with -g, or a table of addr, function, unit, line, compressed or not")
	p.StringVar(&f.mapped.Model, "model", "", "a component model that gives functions to components; see ingest help models")
	p.BoolVar(&f.strict, "strict", false, "fail at the first bad line or record")
	p.BoolVar(&f.follow, "follow", false, "record a trace that is being written, and make the run when it ends: a file that grows, - for a pipe, tcp:HOST:PORT or unix:PATH to be sent to, otlp:HOST:PORT for OTLP over HTTP and a second port, as otlp:HOST:4318,4317, for gRPC, kieker:HOST:PORT for the TCP writers of Kieker, uftrace:HOST:PORT for uftrace record --host; Ctrl-C ends it")
	p.DurationVar(&f.idle, "idle", 0, "with --follow: end when nothing came for so long, as 30s")
	p.DurationVar(&f.roll, "roll", 0, "with --follow: make a run of what came so far every so often, as 10m, and go on: NAME-0001, NAME-0002 and so on, labelled series=NAME")
	p.Var(&f.keep, "keep", "with --roll: drop the oldest runs of the series, before it takes more than so much of the disk, as 20GB")
}
