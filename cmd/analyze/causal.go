package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// causalFlags are those of analyze causal.
type causalFlags struct {
	from, to string
	critical bool
	format   string
	top      int
}

func (a *app) causalCommand() *cobra.Command {
	var f causalFlags
	c := &cobra.Command{
		Use:   "causal RUN --from EVENT --to EVENT",
		Short: "Say how one event depends on another",
		Long: `Finds the timing constraints on all paths from one event to another: what the first event had to do with the second.
Prints how many events and constraints there are, in which components, and the constraints in the order of time.

An event is @SEQ, the event with that number (seq in the table events), or COMPONENT.FUNCTION#I, the I-th execution of a
function, counted from 1: as --from its start, as --to its finish. Without #I the function must have run once.

Times are counted from the start of the run, those of JSON are the trace's own in nanoseconds. That there is no path
is an answer like any other.

Exit code: 0 fine, 1 failed, 2 wrong usage.`,
		Example: `  analyze causal nightly --from sensor.read#1 --to control.finish#1
  analyze causal nightly --from @4711 --to @4915 --critical --format json`,
		Args: exactly(1, "name one run"),
		RunE: func(c *cobra.Command, args []string) error { return a.causal(c.Context(), args[0], f) },
	}
	p := c.Flags()
	p.StringVar(&f.from, "from", "", "the start of COMPONENT.FUNCTION#I, or @SEQ")
	p.StringVar(&f.to, "to", "", "the finish of COMPONENT.FUNCTION#I, or @SEQ")
	p.BoolVar(&f.critical, "critical", false, "go over critical constraints only")
	p.StringVar(&f.format, "format", "text", "text or json")
	p.IntVar(&f.top, "top", 20, "how many components and constraints to print; 0 for all; JSON has all")
	return c
}

func (f *causalFlags) check() error {
	switch {
	case f.format != "text" && f.format != "json":
		return console.Usagef("--format %q: text or json", f.format)
	case f.from == "" || f.to == "":
		return console.Usagef("name two events with --from and --to")
	case f.top < 0:
		return console.Usagef("--top %d: not negative", f.top)
	}
	return nil
}

func (a *app) causal(ctx context.Context, run string, f causalFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	events, done, err := a.openEvents(run, "causal dependencies")
	if err != nil {
		return err
	}
	defer done()
	from, err := events.single(ctx, "--from", f.from)
	if err != nil {
		return err
	}
	to, err := events.single(ctx, "--to", f.to)
	if err != nil {
		return err
	}
	q := causalQuery{runEvents: events, app: a, flags: f, between: criticalpaths.Occurrence{From: from.From, FromNs: from.FromNs, To: to.To, ToNs: to.ToNs}}
	if q.between.From >= q.between.To {
		return console.Usagef("--from %s is event %d, which does not come before --to %s, event %d: nothing can depend on what comes later",
			f.from, q.between.From, f.to, q.between.To)
	}
	keep := f.top
	if f.format == "json" {
		keep = 0
	}
	d, err := events.job.Dependencies(ctx, q.between, f.critical, keep)
	done()
	if err != nil {
		return err
	}
	if f.format == "json" {
		return a.writeJSON(q.json(d))
	}
	return q.tell(d)
}

// single is the one execution that a specification names.
func (r *runEvents) single(ctx context.Context, flag, spec string) (criticalpaths.Occurrence, error) {
	found, err := r.executions(ctx, flag, spec)
	if err != nil {
		return criticalpaths.Occurrence{}, err
	}
	if len(found) > 1 {
		return criticalpaths.Occurrence{}, console.Usagef("%s %s: it has the occurrences #1 to #%d, say which", flag, spec, len(found))
	}
	return found[0], nil
}

// causalQuery is one call of the command.
type causalQuery struct {
	*runEvents
	app     *app
	flags   causalFlags
	between criticalpaths.Occurrence
}

// tell prints how the second event depends on the first.
func (q *causalQuery) tell(d *criticalpaths.Dependencies) error {
	out, o := q.app.stdout, q.between
	kind := "constraint"
	if q.flags.critical {
		kind = "critical constraint"
	}
	fmt.Fprintf(out, "from event %d (%s) to event %d (%s) in run %s: %s to %s, %s\n", o.From, q.flags.from, o.To, q.flags.to, q.job.Run,
		q.since(o.FromNs), q.since(o.ToNs), texttab.Duration(o.SpanNs()))
	if !d.Linked {
		fmt.Fprintf(out, "the second does not depend on the first: no path of %ss leads from it there\n", kind)
		return nil
	}
	events := int64(0)
	for _, c := range d.Involved {
		events += c.Events
	}
	fmt.Fprintf(out, "the second depends on the first: %s over %s events of %s lie on paths between them\n\n",
		texttab.Plural(d.Count, kind), texttab.Count(events), texttab.Plural(len(d.Involved), "component"))
	if err := q.tellComponents(d.Involved); err != nil {
		return err
	}
	fmt.Fprintln(out)
	if err := q.tellConstraints(out, d.Names, d.Parts, d.Constraints); err != nil {
		return err
	}
	moreConstraints(out, d.Count-int64(len(d.Constraints)))
	return nil
}

func (q *causalQuery) tellComponents(components []criticalpaths.Involved) error {
	g := texttab.New("rr")
	g.Row("events", "messages in", "component")
	n := top(q.flags.top, len(components))
	for _, c := range components[:n] {
		g.Row(texttab.Count(c.Events), texttab.Count(c.Messages), c.Component)
	}
	if err := g.Write(q.app.stdout); err != nil {
		return err
	}
	if rest := len(components) - n; rest > 0 {
		fmt.Fprintf(q.app.stdout, "... and %s (--top 0 prints them)\n", texttab.Plural(rest, "more component"))
	}
	return nil
}

// involvement is what of a component lies on paths.
type involvement struct {
	Component string `json:"component"`
	Events    int64  `json:"events"`
	Messages  int64  `json:"messages_in"`
}

// dependenciesJSON is how one event depends on another.
type dependenciesJSON struct {
	Run         string           `json:"run"`
	From        string           `json:"from"`
	To          string           `json:"to"`
	FromSeq     int64            `json:"from_seq"`
	ToSeq       int64            `json:"to_seq"`
	FromNs      int64            `json:"from_ns"`
	ToNs        int64            `json:"to_ns"`
	Linked      bool             `json:"linked"` // a path leads from the one to the other
	Components  []involvement    `json:"components"`
	Constraints []constraintJSON `json:"constraints"` // on paths, by target
}

func (q *causalQuery) json(d *criticalpaths.Dependencies) dependenciesJSON {
	o := q.between
	out := dependenciesJSON{q.job.Run, q.flags.from, q.flags.to, o.From, o.To, o.FromNs, o.ToNs, d.Linked, []involvement{},
		constraintsOf(d.Names, d.Parts, slices.All(d.Constraints))}
	for _, c := range d.Involved {
		out.Components = append(out.Components, involvement(c))
	}
	return out
}
