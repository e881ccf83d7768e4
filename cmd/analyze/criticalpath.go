package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/paths"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/criticalpath"
)

// pathFlags are those of analyze critical-path.
type pathFlags struct {
	to, from string
	metric   bool
	deadline time.Duration
	format   string
	top      int
	steps    bool
}

func (a *app) criticalPathCommand() *cobra.Command {
	var f pathFlags
	c := &cobra.Command{
		Use:   "critical-path RUN --to COMPONENT.FUNCTION[#I]",
		Short: "Say what held up an execution, or all occurrences of one",
		Long: `Follows the critical path towards the finish of an execution: from event to event back over the timing
constraint that was met exactly, so that any delay in it would have been a delay of the finish. Prints the
path in time order, and what its time was spent on: executing functions, communicating, being idle, and contention,
which is whatever a component did while a message for it waited (Jonk et al. 2019, section III-C).

--to names an execution: COMPONENT.FUNCTION#I is its I-th one, counted from 1; without #I, all of them are summed up.
@SEQ is the event with that number. The path ends at the start of the same execution, or where --from says: at the
start of another execution, at an event, or, with "trace", as far back as constraints lead.

--deadline lists the occurrences that took longer and says why: the fewest steps that took longer than in occurrences in
time and that, had they been as usual, would have let the occurrence be in time. A step is unusual beyond the upper
quartile plus three times the distance of the quartiles. --metric takes its occurrences, and without --deadline
its budget, from the trace itself (.tmsct).

The table compositions has the sums for all root executions.`,
		Example: `  analyze critical-path nightly --to control.expose
  analyze critical-path nightly --to control.expose#17
  analyze critical-path nightly --to control.expose --deadline 150ms
  analyze critical-path nightly --to control.finish#1 --from sensor.read#1 --format json
  analyze critical-path example --metric`,
		Args: exactly(1, "name one run"),
		RunE: func(c *cobra.Command, args []string) error { return a.criticalPath(c.Context(), args[0], f) },
	}
	p := c.Flags()
	p.StringVar(&f.to, "to", "", "towards the finish of COMPONENT.FUNCTION[#I], or @SEQ")
	p.StringVar(&f.from, "from", "", "from the start of COMPONENT.FUNCTION[#I], @SEQ, or trace (default: the start of the same execution)")
	p.BoolVar(&f.metric, "metric", false, "from and to where the trace marks instances of its metric")
	p.DurationVar(&f.deadline, "deadline", 0, "explain the occurrences that took longer")
	p.StringVar(&f.format, "format", "text", "text or json")
	p.IntVar(&f.top, "top", 20, "how many parts, steps or occurrences to print; 0 for all")
	p.BoolVar(&f.steps, "steps", false, "print every step of the path, where the text would put like steps together")
	return c
}

// check checks the flags.
func (f *pathFlags) check() error {
	switch {
	case f.format != "text" && f.format != "json":
		return console.Usagef("--format %q: text or json", f.format)
	case (f.to == "") == !f.metric:
		return console.Usagef("name the execution that paths lead to with --to, or take --metric")
	case f.metric && f.from != "":
		return console.Usagef("--metric says itself where paths begin: leave --from out")
	case f.deadline < 0:
		return console.Usagef("--deadline %s: not negative", f.deadline)
	case f.deadline > 0 && f.from == fromTrace:
		return console.Usagef("--deadline asks how long occurrences took: name where they begin, not --from trace")
	case f.top < 0:
		return console.Usagef("--top %d: not negative", f.top)
	}
	return nil
}

// fromTrace is the --from of a path that goes as far back as it leads.
const fromTrace = "trace"

func (a *app) criticalPath(ctx context.Context, run string, f pathFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	l, err := a.open()
	if err != nil {
		return err
	}
	if err := knownRun(l, run); err != nil {
		return err
	}
	meter, done := a.Progress(a.stderr, "critical path", false)
	defer done()
	q := &pathQuery{app: a, flags: f, job: &paths.Job{Lake: l, Run: run, Jobs: a.Jobs, Memory: a.TaskMemory(), Progress: meter}}
	if err := q.find(ctx); err != nil {
		return err
	}
	switch {
	case f.deadline > 0:
		v, err := q.job.Explain(ctx, q.occurrences, q.deadlineOptions())
		done()
		if err != nil {
			return err
		}
		return q.tellMissed(v)
	case len(q.occurrences) == 1:
		p, err := q.job.Trace(ctx, q.occurrences[0], f.from != "" && f.from != fromTrace)
		done()
		if err != nil {
			return err
		}
		return q.tellPath(p)
	}
	c, err := q.job.Compose(ctx, q.occurrences)
	done()
	if err != nil {
		return err
	}
	return q.tellComposed(c)
}

// knownRun sees that a run is in the lake and analyzed.
func knownRun(l *lake.Lake, run string) error {
	if _, err := selectRuns(l, []string{run}); err != nil {
		return err
	}
	m, err := l.Manifest("constraints", lake.Run(run))
	if err != nil {
		return err
	}
	if m == nil {
		return console.Usagef("run %s is not analyzed: analyze run %s", run, run)
	}
	return nil
}

// pathQuery is one call of the command.
type pathQuery struct {
	app         *app
	flags       pathFlags
	job         *paths.Job
	occurrences []paths.Occurrence
	startNs     int64 // of the run
}

// find finds the occurrences that are asked for.
func (q *pathQuery) find(ctx context.Context) error {
	var err error
	if q.startNs, err = q.job.StartNs(); err != nil {
		return err
	}
	if q.flags.metric {
		return q.findMetric(ctx)
	}
	to, err := q.executions(ctx, "--to", q.flags.to)
	if err != nil {
		return err
	}
	switch q.flags.from {
	case "":
	case fromTrace:
		for i := range to {
			to[i].From, to[i].FromNs = criticalpath.Start, q.startNs
		}
	default:
		from, err := q.executions(ctx, "--from", q.flags.from)
		if err != nil {
			return err
		}
		if to = between(from, to); len(to) == 0 {
			return console.Usagef("no occurrence of %s starts before %s finishes", q.flags.from, q.flags.to)
		}
	}
	q.occurrences = to
	return nil
}

// executions are those that an event specification names.
func (q *pathQuery) executions(ctx context.Context, flag, spec string) ([]paths.Occurrence, error) {
	if strings.HasPrefix(spec, "@") {
		return q.event(ctx, flag, spec)
	}
	name, number, picked := cutLast(spec, '#')
	found, err := q.job.Occurrences(ctx, name)
	if errors.Is(err, paths.ErrNothing) {
		return nil, q.unknown(ctx, flag, name)
	}
	if err != nil || !picked {
		return found, err
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(found) {
		return nil, console.Usagef("%s %s: %s has occurrences #1 to #%d", flag, spec, name, len(found))
	}
	return found[n-1 : n], nil
}

// event is the event @SEQ: of --from the event itself; of --to a finish from the start of its execution, or a start from
// as far back as it leads.
func (q *pathQuery) event(ctx context.Context, flag, spec string) ([]paths.Occurrence, error) {
	seq, err := strconv.ParseInt(spec[1:], 10, 64)
	if err != nil {
		return nil, console.Usagef("%s %s: @ and the number of an event", flag, spec)
	}
	o, err := q.job.At(ctx, seq)
	if errors.Is(err, paths.ErrNothing) {
		return nil, console.Usagef("%s %s: the run has no such event that enters or exits", flag, spec)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case flag == "--from" && seq == o.To:
		o.From, o.FromNs = o.To, o.ToNs
	case flag == "--to" && seq == o.From:
		o.To, o.ToNs, o.From, o.FromNs = o.From, o.FromNs, criticalpath.Start, q.startNs
	}
	return []paths.Occurrence{o}, nil
}

// unknown says that no execution has a name, and which names are like it.
func (q *pathQuery) unknown(ctx context.Context, flag, name string) error {
	like, err := q.job.Like(ctx, name)
	if err != nil {
		return err
	}
	if len(like) == 0 {
		return console.Usagef("%s %s: no such execution in run %s; name it COMPONENT.FUNCTION", flag, name, q.job.Run)
	}
	return console.Usagef("%s %s: no such execution in run %s; it has %s", flag, name, q.job.Run, strings.Join(like[:min(len(like), 5)], ", "))
}

// between pairs every finish with the last start before it.
func between(from, to []paths.Occurrence) (pairs []paths.Occurrence) {
	starts := slices.Clone(from)
	slices.SortFunc(starts, func(a, b paths.Occurrence) int { return cmp.Compare(a.From, b.From) })
	for _, o := range to {
		i, _ := slices.BinarySearchFunc(starts, o.To, func(s paths.Occurrence, seq int64) int { return cmp.Compare(s.From, seq) })
		if i == 0 {
			continue
		}
		o.From, o.FromNs = starts[i-1].From, starts[i-1].FromNs
		pairs = append(pairs, o)
	}
	return pairs
}

// what is the execution in words.
func (q *pathQuery) what() string {
	if q.flags.metric {
		return "the metric"
	}
	return q.flags.to
}

// since is a time since the start of the run.
func (q *pathQuery) since(ns int64) string {
	if ns == schema.NoValue {
		return ""
	}
	return duration(ns - q.startNs)
}
