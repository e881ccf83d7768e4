package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/named"
	criticalpathreport "github.com/tracelake/tracelake/stages/report/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/constraints"
)

// whatIfFlags are the flags of analyze what-if.
type whatIfFlags struct {
	named.Changes
	deadline, rest time.Duration // 0: no deadline; see whatif.Rules
	starts, format string        // paced or recorded; text or json
	top            int           // places that text has; 0 for all
}

// whatIfCommand replays a run with other durations.
func (a *app) whatIfCommand() *cobra.Command {
	var f whatIfFlags
	c := &cobra.Command{
		Use:   "what-if RUN [--faster COMPONENT.FUNCTION=20%] [--to COMPONENT.FUNCTION[#I]]",
		Short: "Say what faster functions would gain",
		Long: `Recomputes when every event of a run would have taken place, had some functions been faster, slower or not there, and says
how long the occurrences of an execution would have taken, and where their critical paths would spend their time instead.

Every event takes place as soon as its timing constraints allow (Jonk et al. 2019, Definition 1). What a recorded run cannot
tell is assumed; the answer ends with these assumptions. --faster and --slower change the time that a function spends itself,
without the functions that it calls. --remove leaves an execution out with all that it calls.

Where no function is named, all are ranked: what occurrences of --to would gain if each alone took 10, 50 and 100 % less time,
and in how many of them it is critical, with 95 % intervals, also of those that took longer than --deadline, or of the slowest
5 %; near is a function beside the path that has at most 5 % of the time to spare. Without --to these are all root executions
that no message starts; their gains are then made as the table gains, and kept up to date from then on.

Exit code: 0 fine, 1 failed, 2 wrong usage.`,
		Example: `  analyze what-if nightly
  analyze what-if nightly --to control.expose --deadline 150ms
  analyze what-if nightly --faster lens.solve_model=20% --to control.expose
  analyze what-if nightly --slower stage.step=10% --faster lens.solve_model=50% --to control.expose --deadline 150ms
  analyze what-if slow --remove lib_select_c.Curl_poll --to src_tool_main_c.main --format json`,
		Args: exactly(1, "name one run"),
		RunE: func(c *cobra.Command, args []string) error { return a.whatIf(c.Context(), args[0], f) },
	}
	p := c.Flags()
	p.StringVar(&f.To, "to", "", "time the occurrences of COMPONENT.FUNCTION[#I]")
	p.StringArrayVar(&f.Faster, "faster", nil, "a function whose own time is shorter, COMPONENT.FUNCTION=20%; may be given often")
	p.StringArrayVar(&f.Slower, "slower", nil, "a function whose own time is longer, COMPONENT.FUNCTION=20%; may be given often")
	p.StringArrayVar(&f.Remove, "remove", nil, "executions that are not there, COMPONENT.FUNCTION[#I]; may be given often")
	p.DurationVar(&f.deadline, "deadline", 0, "count the occurrences that take longer")
	p.DurationVar(&f.rest, "rest", constraints.DefaultBoundNs, "longest rest of a lifeline after which an execution that no message starts goes on by itself")
	a.Choice(p, &f.starts, "starts", "paced", "an execution that no message starts, after a longer rest, keeps its distance to the latest start of --to (paced) or its time (recorded)",
		"paced", "recorded")
	a.Choice(p, &f.format, "format", "text", "text or json", "text", "json")
	p.IntVar(&f.top, "top", 20, "how many places to print; 0 for all; JSON has all")
	return c
}

// check refuses what is missing or makes no sense, before anything is read.
func (f *whatIfFlags) check() error {
	switch {
	case f.To == "" && !f.asksAll():
		return console.Usagef("name the execution whose occurrences are timed with --to")
	case f.To == "" && f.deadline > 0:
		return console.Usagef("name with --to what has the deadline")
	case min(f.deadline, f.rest) < 0 || f.top < 0:
		return console.Usagef("--deadline, --rest and --top are not negative")
	}
	return nil
}

// asksAll reports whether no function is named, so that the question is what each would gain.
func (f *whatIfFlags) asksAll() bool { return len(f.Faster)+len(f.Slower)+len(f.Remove) == 0 }

// whatIf resolves the names, recomputes the schedule and reports it.
func (a *app) whatIf(ctx context.Context, run string, f whatIfFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.asksAll() {
		return a.gains(ctx, run, f)
	}
	events, done, err := named.Open(&a.Globals, a.stderr, run, "what if")
	if err != nil {
		return err
	}
	defer done()
	f.RestNs, f.Paced = f.rest.Nanoseconds(), f.starts == "paced"
	to, rules, err := events.Rules(ctx, f.Changes)
	if err != nil {
		return err
	}
	x, err := events.Job.WhatIf(ctx, to, rules)
	done()
	if err != nil {
		return err
	}
	loose, err := events.Job.LooseCallbacks()
	if err != nil {
		return err
	}
	q := &criticalpathreport.WhatIf{
		Loose: loose, Run: events.Job.Run, To: f.To, Changes: rules.Changes, Removed: f.Remove, RestNs: f.RestNs, Paced: f.Paced,
		DeadlineNs: f.deadline.Nanoseconds(), Top: f.top,
	}
	return inFormat(f.format, q.WriteText, q.WriteJSON)(a.stdout, x)
}
