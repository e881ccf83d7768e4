package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/reconcile"
	"github.com/tracelake/tracelake/stages/report/checks"
)

// reconcileFlags are the flags of analyze reconcile.
type reconcileFlags struct {
	spec        specFlags // the specification, if one is given
	messages    bool      // messages between units order them
	reference   string    // the unit whose clock is kept; empty: the first
	offsetsOnly bool      // events are not moved one by one
	asserted    []string  // names of relations to judge
	labels      []string  // KEY=VALUE
	format      string    // text or json
}

// reconcileCommand makes one run of the runs of units without a common clock.
func (a *app) reconcileCommand() *cobra.Command {
	var f reconcileFlags
	c := &cobra.Command{
		Use: "reconcile NAME UNIT=RUN UNIT=RUN...", Short: "Make one run of the runs of units without a common clock",
		Long: `Makes one run, NAME, of the runs of units whose clocks differ, after Garcés, Deantoni and Mallet 2011: from what must
have happened before what, it finds one order of all events, the offset and drift of the units' clocks, and times that
agree with the order.

What orders the units are the messages that one sends and another receives, and a specification of clock constraints,
--spec, whose clocks are events of the units: a clock ticks where the function of its name is entered, unless --bind
says what it is. Where two units have such a function, the block around the clock names the unit.

The clock of the run is that of the first unit, or of --reference. All other clocks are set at once, each by an offset and a
drift in the middle of what all messages allow; one that does not run evenly gets as many lines as the messages demand. What
then still contradicts the order is moved by the least possible amounts; --offsets-only leaves it. Tables: occurrences has
the relations between occurrences of clocks, and clock_bounds how far offset and drift are certain.

Exit code: 0 fine, 1 failed, as where causes and effects go round in a circle, 2 wrong usage, 3 where an asserted relation holds in no
order.`,
		Example: `  analyze reconcile rig robot=robot-7 base=base-7
  analyze reconcile rig robot=robot-7 base=base-7 --spec robot.extendedCCSL --messages=false
  analyze run rig && analyze critical-path rig --to base.control`,
		Args: atLeast(3, "name the run to make, and at least two units as UNIT=RUN"),
		RunE: func(c *cobra.Command, args []string) error { return a.reconcile(c.Context(), args[0], args[1:], f) },
	}
	p := c.Flags()
	f.spec.add(p)
	p.BoolVar(&f.messages, "messages", true, "a message that one unit sends is received later by another")
	p.StringVar(&f.reference, "reference", "", "the unit whose clock the run has; the first when not given")
	p.BoolVar(&f.offsetsOnly, "offsets-only", false, "set clocks by offset and drift, and leave what still contradicts the order")
	p.StringArrayVar(&f.asserted, "assert", nil, "the name of a relation of --spec that orders nothing: the report says whether it holds in all, some or no order that the rest leaves open; * and ? stand for letters; may be given often")
	p.StringArrayVar(&f.labels, "label", nil, "a label of the run as key=value; may be given often")
	a.Choice(p, &f.format, "format", "text", "text or json", "text", "json")
	return c
}

// reconcile leaves a run alone that is up to date, and otherwise replaces it.
// It reports only when it has made the run; of a run that is up to date it says where its clocks are.
func (a *app) reconcile(ctx context.Context, name string, units []string, f reconcileFlags) error {
	job, err := f.job(name, units) // checked before the lake is opened
	if err != nil {
		return err
	}
	l, err := a.openToWrite()
	if err != nil {
		return err
	}
	job.Engine = a.engine(l)
	var done func()
	job.Progress, done = a.Progress(a.stderr, name, false)
	out, err := reconcile.Run(ctx, job)
	done() // ends the progress bar
	if err != nil {
		return err
	}
	if err := followMade(ctx, l, name); err != nil {
		return err
	}
	// The lake has the run already, made of the same events in the same way.
	if out == nil {
		a.Logger(a.stderr).Info(fmt.Sprintf("run %s: nothing to do, the lake has it; its clocks are in analyze query \"FROM clock_bounds WHERE run = '%s'\"", name, name))
		return nil
	}
	report := reconciledReport(name, out)
	if err := inFormat(f.format, report.WriteText, report.WriteJSON)(a.stdout); err != nil {
		return err
	}
	if report.AnyImpossible() { // an asserted relation holds in no order
		return console.Exit(console.Changed)
	}
	return nil
}

// followMade ends a command that makes a run of others: what the run lost is collected, as after an ingest, and the views follow. It is
// done for a run that is up to date, too, since the command that made it may have been killed before.
func followMade(ctx context.Context, l *lake.Lake, run string) error {
	if err := pipeline.WriteLosses(ctx, l, lake.Run(run)); err != nil {
		return err
	}
	return views.Follow(ctx, l)
}

// job turns the flags into a job.
// The order of the units is that of the arguments, and the first one is the default reference.
func (f *reconcileFlags) job(name string, units []string) (j reconcile.Job, err error) {
	j.Options = reconcile.Options{Name: name, Messages: f.messages, Reference: f.reference, Correct: !f.offsetsOnly, Asserted: f.asserted}
	// A unit is named freely; its run must be in the lake, which the job checks.
	for _, pair := range units {
		unit, run, ok := strings.Cut(pair, "=")
		if !ok || unit == "" || run == "" { // a run may contain =, a unit not
			return j, console.Usagef("%q: name a unit and its run as UNIT=RUN", pair)
		}
		j.Units = append(j.Units, reconcile.Unit{Name: unit, Run: run})
	}
	if j.Labels, err = console.Labels(f.labels); err != nil {
		return j, err
	}
	if f.spec.file != "" { // messages alone may order the units
		if j.Spec, err = f.spec.read(); err != nil {
			return j, err
		}
	}
	j.Bindings, err = f.spec.bindings() // checked by the job, which knows the clocks
	return j, err
}

// reconciledReport returns the report on an outcome. Lists are not nil, so that JSON has [] and not null.
func reconciledReport(name string, out *reconcile.Outcome) *checks.Reconciled {
	r := &checks.Reconciled{
		Run: name, Events: out.Run.Events, Units: len(strings.Fields(out.Run.Source)), Bounds: out.Bounds, Alone: out.Alone,
		Ambiguous: out.Ambiguous, Constraints: []checks.Ordering{}, Unresolved: []checks.Unresolved{},
	}
	for _, c := range out.Constraints {
		r.Constraints = append(r.Constraints, checks.Ordering(c))
	}
	for _, u := range out.Unresolved {
		r.Unresolved = append(r.Unresolved, checks.Unresolved{Name: u.Name, Word: u.Word, At: u.At, Why: u.Why})
	}
	for _, j := range out.Judgements {
		r.Asserted = append(r.Asserted, checks.Judged{Name: j.Name, Word: j.Word, At: j.At, Extent: j.Extent.String(), Why: j.Why})
	}
	return r
}
