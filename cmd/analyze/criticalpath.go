package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/named"
	"github.com/tracelake/tracelake/cmd/internal/sides"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	criticalpathreport "github.com/tracelake/tracelake/stages/report/criticalpath"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// pathFlags are the flags of analyze critical-path.
type pathFlags struct {
	to, from    string        // where paths lead and begin, in the words of the command line
	metric      bool          // both are where the trace marks instances of its metric
	instance    string        // the only instance of the metric; empty for all
	deadline    time.Duration // 0: none was given
	failOn      string        // "missed" or empty
	format      string        // text or json
	top         int           // rows of a table that text has; 0 for all
	steps       bool          // text has every step of a path
	constraints bool          // text has the critical constraints of all paths
	flame       sides.Flags
}

// criticalPathCommand answers what held up executions.
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
@SEQ is the event with that number (seq in the table events). The path begins at the start of the same execution, or
where --from says: at the start of another execution, at an event, or, with "trace", as far back as constraints lead.

--deadline lists the occurrences that took longer and says why: the fewest steps that took longer than in occurrences in
time and that, had they been as usual, would have let the occurrence be in time. A step is unusual beyond the upper
quartile plus three times the distance of the quartiles. With #I it explains that one, all others tell what is usual.
--metric takes its occurrences, and without --deadline or --instance its budget, from the trace itself (.tmsct).

--comparison asks all runs of a comparison how often functions are critical: in which share of the occurrences they execute on
the path, also of those that took longer than --deadline, or than all but the slowest 5 % of the baseline. Verdicts compare runs.

Times are counted from the start of the run, those of JSON are the trace's own in nanoseconds. The table compositions has
the sums for all root executions.

Exit code: 0 fine, 1 failed, 2 wrong usage, 3 an occurrence missed the deadline and --fail-on is missed.`,
		Example: `  analyze critical-path nightly --to control.expose
  analyze critical-path nightly --to control.expose#17
  analyze critical-path nightly --to control.expose --deadline 150ms --fail-on missed
  analyze critical-path nightly --to control.finish#1 --from sensor.read#1 --format json
  analyze critical-path nightly --to control.expose --flame slowest.svg --slowest 1
  analyze critical-path --comparison 1-vs-2 --to control.expose
  analyze critical-path --comparison 1-vs-2 --to control.expose --flame release.svg
  analyze critical-path example --metric`,
		Args: func(c *cobra.Command, args []string) error {
			if f.flame.Comparison != "" {
				return exactly(0, "--comparison names the runs: leave the run out")(c, args)
			}
			return exactly(1, "name one run")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			return a.criticalPath(c.Context(), strings.Join(args, ""), f)
		},
	}
	f.add(a, c)
	return c
}

// add declares the flags.
func (f *pathFlags) add(a *app, c *cobra.Command) {
	p := c.Flags()
	p.StringVar(&f.to, "to", "", "towards the finish of COMPONENT.FUNCTION[#I], or @SEQ")
	p.StringVar(&f.from, "from", "", "from the start of COMPONENT.FUNCTION[#I], @SEQ, or trace (default: the start of the same execution)")
	p.BoolVar(&f.metric, "metric", false, "from and to where the trace marks instances of its metric")
	p.StringVar(&f.instance, "instance", "", "of the metric, the path of this instance alone")
	p.DurationVar(&f.deadline, "deadline", 0, "explain the occurrences that took longer")
	a.Choice(p, &f.failOn, "fail-on", "", "exit with code 3 when an occurrence did not make the deadline: missed", "", "missed")
	a.Choice(p, &f.format, "format", "text", "text or json", "text", "json")
	p.IntVar(&f.top, "top", 20, "how many parts, stretches of the path or occurrences to print; 0 for all; JSON has all")
	p.BoolVar(&f.steps, "steps", false, "print every step of the path, where the text would put short ones together")
	p.BoolVar(&f.constraints, "constraints", false, "print the critical constraints of all paths as well")
	p.StringVar(&f.flame.File, "flame", "", "write the paths by call path to FILE.svg, FILE.folded or FILE.speedscope.json; - prints folded text")
	p.Float64Var(&f.flame.Slowest, "slowest", 100, "of --flame: only so many percent of the occurrences, those that took longest")
	p.StringVar(&f.flame.Against, "against", "", "of --flame: a run with whose paths these are compared")
	p.StringVar(&f.flame.Comparison, "comparison", "", "without a run: which functions became more critical in all its runs, or with --flame its candidate's paths, coloured by its verdicts")
}

// check refuses flags that contradict each other, before anything is read.
func (f *pathFlags) check() error {
	switch {
	case f.to == "" && !f.metric:
		return console.Usagef("name the execution that paths lead to with --to COMPONENT.FUNCTION, such as one of analyze query longest-executions, or take --metric")
	case f.to != "" && f.metric:
		return console.Usagef("--metric says itself where paths lead: leave --to out")
	case f.metric && f.from != "":
		return console.Usagef("--metric says itself where paths begin: leave --from out")
	case f.flame.Comparison != "" && (f.metric || f.from != "" || f.failOn != "" || f.steps || f.constraints):
		return console.Usagef("--comparison goes through executions of several runs: it takes --to, --deadline, --top, --format and --flame")
	case f.instance != "" && !f.metric:
		return console.Usagef("--instance is one of the metric's: take --metric, or name an execution with --to COMPONENT.FUNCTION#I")
	case f.deadline < 0:
		return console.Usagef("--deadline %s: not negative", texttab.Flag(f.deadline))
	case f.deadline > 0 && f.from == criticalpathreport.FromTrace:
		return console.Usagef("--deadline asks how long occurrences took: name where they begin, not --from trace")
	case f.failOn != "" && f.deadline == 0 && !f.metric:
		return console.Usagef("--fail-on missed: say with --deadline what may not be missed")
	case f.top < 0:
		return console.Usagef("--top %d: not negative", f.top)
	}
	return f.flame.Check()
}

// criticalPath finds the occurrences and chooses the question: why some missed a deadline, the path towards the only one, or what
// the paths towards all of them consist of.
// A deadline asks why; otherwise one occurrence has its path printed, and several have their paths summed up.
func (a *app) criticalPath(ctx context.Context, run string, f pathFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.flame.Comparison != "" {
		return a.comparePaths(ctx, f)
	}
	events, done, err := named.Open(&a.Globals, a.stderr, run, "critical path")
	if err != nil {
		return err
	}
	defer done()
	q := &pathQuery{Events: events, app: a, flags: f}
	// (1) Which occurrences are asked about?
	if err := q.find(ctx); err != nil {
		return err
	}
	early, err := events.Job.EarlyReceipts()
	if err != nil {
		return err
	}
	// (2) What the report shows of any answer.
	q.report = &criticalpathreport.Report{
		Run: events.Job.Run, StartNs: events.StartNs, To: f.to, From: f.from, Metric: f.metric, LeftOut: q.leftOut, Occurrences: q.occurrences,
		Picked: q.picked, DeadlineNs: q.flags.deadline.Nanoseconds(), EarlyReceipts: early, Top: f.top, EveryStep: f.steps, Constraints: f.constraints,
	}
	// (3) Which question is it? The budget of a metric is a deadline, too, and is known only now.
	answer := q.compose
	switch {
	case f.flame.File != "":
		answer = q.writeFlame
	case q.flags.deadline > 0:
		answer = q.explain
	case q.flags.failOn != "":
		return console.Usagef("run %s names no budget for its metric: say with --deadline what may not be missed", run)
	case len(q.occurrences) == 1:
		answer = q.trace
	}
	return answer(ctx, done)
}

// pathQuery is one question about the critical paths of a run.
type pathQuery struct {
	*named.Events
	app         *app
	flags       pathFlags
	occurrences []findings.Occurrence
	picked      *findings.Occurrence // the only one to explain; nil for all
	leftOut     int                  // instances of the metric without an end behind their start
	report      *criticalpathreport.Report
}

// explain reports which occurrences missed the deadline, and why. Like trace and compose it calls done, which ends the
// progress bar, before it prints.
func (q *pathQuery) explain(ctx context.Context, done func()) error {
	for _, o := range q.occurrences {
		if o.From == criticalpath.Start {
			return console.Usagef("--deadline asks how long occurrences took: name with --from where %s begins", q.flags.to)
		}
	}
	v, err := q.Job.Explain(ctx, q.toExplain(), deadlines.Defaults(q.flags.deadline.Nanoseconds()))
	done()
	if err != nil {
		return err
	}
	if err := inFormat(q.flags.format, q.report.WriteMissed, q.report.WriteMissedJSON)(q.app.stdout, v); err != nil {
		return err
	}
	if q.flags.failOn != "" && len(v.Missed) > 0 {
		return console.Exit(console.Changed)
	}
	return nil
}

// toExplain returns the occurrences to explain. Where one was picked, the others that missed the deadline are left out; those
// in time stay, as they define usual times.
func (q *pathQuery) toExplain() []findings.Occurrence {
	if q.picked == nil {
		return q.occurrences
	}
	return slices.DeleteFunc(slices.Clone(q.occurrences), func(o findings.Occurrence) bool {
		return o.SpanNs() > q.flags.deadline.Nanoseconds() && o.Number != q.picked.Number
	})
}

// trace reports the path towards the only occurrence.
// JSON has the constraints of all paths, text only where --constraints asks for them.
func (q *pathQuery) trace(ctx context.Context, done func()) error {
	p, err := q.Job.Trace(ctx, q.occurrences[0], criticalpaths.Ask{
		Through: q.flags.from != "" && q.flags.from != criticalpathreport.FromTrace, Constraints: q.flags.constraints || q.flags.format == "json",
	})
	done()
	if err != nil {
		return err
	}
	return inFormat(q.flags.format, q.report.WritePath, q.report.WritePathJSON)(q.app.stdout, p)
}

// compose reports what the paths towards many occurrences consist of.
// It keeps sums, not paths, so its memory does not grow with the number of occurrences.
func (q *pathQuery) compose(ctx context.Context, done func()) error {
	c, err := q.Job.Compose(ctx, q.occurrences)
	done()
	if err != nil {
		return err
	}
	return inFormat(q.flags.format, q.report.WriteComposed, q.report.WriteComposedJSON)(q.app.stdout, c)
}

// find finds the occurrences that --to, --from or --metric name.
// With a deadline and #I, the others stay as the measure of what is usual.
func (q *pathQuery) find(ctx context.Context) error {
	if q.flags.metric {
		m, err := q.Metric(ctx, q.flags.instance, q.flags.deadline)
		q.occurrences, q.leftOut, q.picked, q.flags.deadline = m.Occurrences, m.LeftOut, m.Picked, m.Deadline
		return err
	}
	to, err := q.Executions(ctx, "--to", q.flags.to)
	if err != nil {
		return err
	}
	if q.flags.deadline > 0 && !strings.HasPrefix(q.flags.to, "@") {
		one, err := q.Cut(ctx, "--to", q.flags.to)
		if err != nil {
			return err
		}
		if one.Picked {
			q.picked, to = &to[0], one.All
		}
	}
	switch q.flags.from {
	case "":
	// Paths begin wherever constraints lead back to, which may be the start of the trace.
	case criticalpathreport.FromTrace:
		for i := range to {
			to[i].From, to[i].FromNs = criticalpath.Start, q.StartNs
		}
	default:
		from, err := q.Executions(ctx, "--from", q.flags.from)
		if err != nil {
			return err
		}
		if to = named.Between(from, to); len(to) == 0 {
			return console.Usagef("no occurrence of %s comes before %s", q.flags.from, q.flags.to)
		}
	}
	q.occurrences = to
	return nil
}
