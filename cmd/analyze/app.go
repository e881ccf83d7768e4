package main

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/executors"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/pipeline/modelsets"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/change/strata"
)

// app is the program with its global flags and streams. What several commands share stands here; no command is named.
type app struct {
	console.Globals
	stdin  io.Reader      // read by query -f - only
	stdout *console.Plain // results
	stderr io.Writer      // log lines and progress

	executor func(executors.Plans) (pipeline.Executor, error) // where tasks of run go; nil: this process
}

// open opens the lake for reading.
// It needs no lease: a run changes at one instant, so a reader sees the old one or the new one.
func (a *app) open() (*lake.Lake, error) { return stores.Open(a.Lake, false) }

// openToWrite opens the lake for a command that changes it. What it changes it holds a lease of, a run or a comparison at a
// time, so that other processes may change others: see lake.Lake.Lease. A process that waits for another one says so.
func (a *app) openToWrite() (*lake.Lake, error) {
	l, err := a.open()
	if err == nil { // without a lake there is nobody to wait for
		l.Waiting = func(busy *lake.BusyError) { a.Logger(a.stderr).Info("waits: " + busy.Error()) }
	}
	return l, err
}

// reading is the body of a command that reads the lake. Wrong flags are refused before anything is opened; check may be nil.
func (a *app) reading(check func() error, body func(context.Context, *lake.Lake, []string) error) func(*cobra.Command, []string) error {
	return onLake(check, a.open, body)
}

// writing is the body of a command that changes the lake.
func (a *app) writing(check func() error, body func(context.Context, *lake.Lake, []string) error) func(*cobra.Command, []string) error {
	return onLake(check, a.openToWrite, body)
}

// onLake is the frame of a command over a lake: flags, lake, work.
func onLake(check func() error, open func() (*lake.Lake, error), body func(context.Context, *lake.Lake, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if check != nil { // a mistake in the flags opens nothing
			if err := check(); err != nil {
				return err
			}
		}
		l, err := open()
		if err != nil {
			return err
		}
		return body(c.Context(), l, args)
	}
}

// engine returns an engine that runs stages over a lake with the jobs and the memory of the flags.
// It has no stages yet; jobs over several runs bring their own.
func (a *app) engine(l *lake.Lake) *pipeline.Engine {
	return &pipeline.Engine{Lake: l, Jobs: a.Jobs, Memory: a.TaskMemory()}
}

// What a command accepts beside its flags.
var (
	atLeast     = console.AtLeast
	exactly     = console.Exactly
	atMost      = console.AtMost
	noArguments = console.NoArguments
)

// inFormat chooses how a result is written: as JSON where --format asks for it, otherwise as text.
func inFormat[Write any](format string, text, json Write) Write {
	if format == "json" {
		return json
	}
	return text
}

// runJob brings runs up to date, as far as the flags ask for stages, and then does an analysis over them under a progress bar.
// Where its result is new, the views of the lake follow it. The analysis reports whether the lake had the result already.
func runJob[R any](ctx context.Context, a *app, l *lake.Lake, runs []string, stages *optionFlags, what string, do func(*pipeline.Meter) (R, bool, error)) (result R, err error) {
	if _, err := a.bringUpToDate(ctx, l, runs, stages); err != nil { // what the analysis reads is made first
		return result, err
	}
	meter, done := a.Progress(a.stderr, what, false)
	result, fresh, err := do(meter)
	done()          // the bar ends before anything is printed
	if err == nil { // views that show tables of before would be wrong
		err = follow(ctx, l, !fresh)
	}
	return result, err
}

// follow brings the views of the lake up to date after a command, which may have changed nothing.
func follow(ctx context.Context, l *lake.Lake, changed bool) error {
	if changed {
		return views.Follow(ctx, l)
	}
	return views.FollowOthers(ctx, l) // what others changed meanwhile
}

// isNew reports whether some stage made its tables anew.
func isNew(outcomes []pipeline.Outcome) bool {
	return slices.ContainsFunc(outcomes, func(o pipeline.Outcome) bool { return !o.Fresh })
}

// writeOutput writes a file completely or not at all, or the standard output for the name "-".
func (a *app) writeOutput(name string, write func(io.Writer) error) error {
	return console.WriteFile(name, a.stdout.Raw(), write)
}

// warnPooled says which labels differ within groups of runs that an analysis takes together, except those that choose the runs or make the
// groups; what else compares the groups is told, too. Kind is the word for a group.
func warnPooled[G ~struct {
	Name string
	Runs []string
}](a *app, l *lake.Lake, kind string, groups []G, chosen []string, also ...func(string, []strata.Group, []string) []string) error {
	var all []strata.Group
	for _, g := range groups {
		of := modelsets.Set(g) // a group is a name and its runs
		described, err := runs.Described(l, of.Runs)
		if err != nil {
			return err
		}
		all = append(all, strata.Group{Name: of.Name, Runs: strata.RunsOf(of.Runs, described)})
	}
	for _, warnings := range append(also, strata.Pooled) { // the labels that vary within groups come last
		for _, text := range warnings(kind, all, chosen) { // a sentence each
			a.Logger(a.stderr).Warn(text)
		}
	}
	return nil
}
