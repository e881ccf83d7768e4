// Package dependence has the commands that ask how one event depends on others: analyze causal and analyze slack.
package dependence

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/named"
	criticalpathreport "github.com/tracelake/tracelake/stages/report/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// command is what both commands have.
type command struct {
	*console.Globals
	stdout *console.Plain
	stderr io.Writer

	format string // text or json
	top    int    // rows of a table that text has; 0 for all
}

// addFlags adds the flags that both commands have. Rows are what --top counts.
func (f *command) addFlags(c *cobra.Command, rows string) {
	f.Choice(c.Flags(), &f.format, "format", "text", "text or json", "text", "json")
	c.Flags().IntVar(&f.top, "top", 20, "how many "+rows+" to print; 0 for all; JSON has all")
}

// check refuses what is missing or makes no sense.
func (f *command) check(events bool, missing string) error {
	switch {
	case !events:
		return console.Usagef("%s", missing)
	case f.top < 0:
		return console.Usagef("--top %d: not negative", f.top)
	}
	return nil
}

// write writes a result in the format that was asked for.
func write[R any](f *command, r R, text, json func(io.Writer, R) error) error {
	if f.format == "json" {
		return json(f.stdout, r)
	}
	return text(f.stdout, r)
}

// oneRun accepts the name of one run.
func oneRun(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return console.Usagef("name one run; see %s --help", c.CommandPath())
	}
	return nil
}

// causal is analyze causal with its flags.
type causal struct {
	command
	from, to string // events, as COMPONENT.FUNCTION#I or @SEQ
	critical bool   // only critical constraints count
}

// Causal returns the command that explains how one event depends on another.
func Causal(g *console.Globals, stdout *console.Plain, stderr io.Writer) *cobra.Command {
	f := &causal{command: command{Globals: g, stdout: stdout, stderr: stderr}}
	c := &cobra.Command{
		Use:   "causal RUN --from EVENT --to EVENT",
		Short: "Say how one event depends on another",
		Long: `Finds the timing constraints on all paths from one event to another: how the first event took part in causing the second.
Prints how many events and constraints there are, in which components, and the constraints in the order of time.

An event is @SEQ, the event with that number (seq in the table events), or COMPONENT.FUNCTION#I, the I-th execution of a
function, counted from 1: as --from its start, as --to its finish. Without #I the function must have run once.

Times are counted from the start of the run, those of JSON are the trace's own in nanoseconds. Without a path between them
the events are independent, which is no error.

Exit code: 0 fine, 1 failed, 2 wrong usage.`,
		Example: `  analyze causal nightly --from sensor.read#1 --to control.finish#1
  analyze causal nightly --from @4711 --to @4915 --critical --format json`,
		Args: oneRun,
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), args[0]) },
	}
	p := c.Flags()
	p.StringVar(&f.from, "from", "", "the start of COMPONENT.FUNCTION#I, or @SEQ")
	p.StringVar(&f.to, "to", "", "the finish of COMPONENT.FUNCTION#I, or @SEQ")
	p.BoolVar(&f.critical, "critical", false, "go over critical constraints only")
	f.addFlags(c, "components and constraints")
	return c
}

// run finds both events and what lies on paths between them. Text keeps only the constraints that it prints, so that a long
// span needs no memory for all of them.
func (f *causal) run(ctx context.Context, run string) error {
	if err := f.check(f.from != "" && f.to != "", "name two events with --from and --to"); err != nil {
		return err
	}
	events, done, err := named.Open(f.Globals, f.stderr, run, "causal dependencies")
	if err != nil {
		return err
	}
	defer done()
	// Both must name one event; a function that ran more than once needs its #I.
	from, err := events.Single(ctx, "--from", f.from)
	if err != nil {
		return err
	}
	to, err := events.Single(ctx, "--to", f.to)
	if err != nil {
		return err
	}
	q := &criticalpathreport.Dependence{
		Run: events.Job.Run, StartNs: events.StartNs, From: f.from, To: f.to, Critical: f.critical, Top: f.top,
		Between: findings.Occurrence{From: from.From, FromNs: from.FromNs, To: to.To, ToNs: to.ToNs},
	}
	// Events are numbered in the order of the trace, and no constraint leads back.
	if q.Between.From >= q.Between.To {
		return console.Usagef("--from %s is event %d, which does not come before --to %s, event %d: nothing can depend on what comes later",
			f.from, q.Between.From, f.to, q.Between.To)
	}
	keep := f.top // constraints that are kept in memory; 0: all
	if f.format == "json" {
		keep = 0
	}
	d, err := events.Job.Dependencies(ctx, q.Between, f.critical, keep)
	done()
	if err != nil {
		return err
	}
	return write(&f.command, d, q.WriteText, q.WriteJSON)
}
