package dependence

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/named"
	criticalpathreport "github.com/tracelake/tracelake/stages/report/criticalpath"
)

// towards is analyze slack with its flags.
type towards struct {
	command
	to, from string // COMPONENT.FUNCTION[#I] or @SEQ
}

// Slack returns the command that says how much longer steps could take before an event would move.
func Slack(g *console.Globals, stdout *console.Plain, stderr io.Writer) *cobra.Command {
	f := &towards{command: command{Globals: g, stdout: stdout, stderr: stderr}}
	c := &cobra.Command{
		Use:   "slack RUN --to EVENT",
		Short: "Say how much longer each step could take before an event would be late",
		Long: `Finds the slack of every step on the ways to an event, from the start of its execution (or from --from) on: by how much it could take longer before
the event would be later. Steps are the timing constraints of the chart; what only others wait for has no part in it. A step without
slack is critical. Functions with little slack are those that become critical next.

An event is COMPONENT.FUNCTION#I, the finish of the I-th execution of a function, counted from 1, or @SEQ, the event with that number
(seq in the table events). Without #I the function must have run once.

Text and JSON have a row for every kind of step, a function or a message between two: its least slack, the event that this step leads
to, how many steps there are, how many are critical, and how long they took. The table slack has the slack of every event towards
the end of everything that follows from it.

Exit code: 0 fine, 1 failed, 2 wrong usage.`,
		Example: `  analyze slack nightly --to control.finish#1
  analyze slack nightly --to control.finish#1 --from sensor.read#1
  analyze slack nightly --to @4915 --format json`,
		Args: oneRun,
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), args[0]) },
	}
	c.Flags().StringVar(&f.to, "to", "", "the finish of COMPONENT.FUNCTION#I, or @SEQ")
	c.Flags().StringVar(&f.from, "from", "", "begin at the start of COMPONENT.FUNCTION#I, or at @SEQ, in place of the start of what --to names")
	f.addFlags(c, "kinds of steps")
	return c
}

// run finds the event and the slack towards it.
func (f *towards) run(ctx context.Context, run string) error {
	if err := f.check(f.to != "", "name the event with --to"); err != nil {
		return err
	}
	events, done, err := named.Open(f.Globals, f.stderr, run, "slack")
	if err != nil {
		return err
	}
	defer done()
	to, err := events.Single(ctx, "--to", f.to)
	if err != nil {
		return err
	}
	if f.from != "" {
		from, err := events.Single(ctx, "--from", f.from)
		if err != nil {
			return err
		}
		if to.From, to.FromNs = from.From, from.FromNs; to.From >= to.To {
			return console.Usagef("--from %s is event %d, which does not come before --to %s, event %d", f.from, to.From, f.to, to.To)
		}
	}
	t, err := events.Job.Towards(ctx, to)
	done()
	if err != nil {
		return err
	}
	q := &criticalpathreport.Towards{Run: events.Job.Run, StartNs: events.StartNs, To: f.to, Of: to, Top: f.top}
	return write(&f.command, t, q.WriteText, q.WriteJSON)
}
