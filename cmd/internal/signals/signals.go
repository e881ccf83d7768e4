// Package signals is the command analyze signals, which computes quantities over time of a run.
package signals

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/pipeline/runs"
	signalsjob "github.com/tracelake/tracelake/pipeline/signals"
	report "github.com/tracelake/tracelake/stages/report/signals"
	"github.com/tracelake/tracelake/stages/timing/signals"
)

// command is analyze signals with its flags.
type command struct {
	*console.Globals
	stdout *console.Plain

	of, by, per, format string
	then, filter        []string
	combine             string
	window              time.Duration
	histogram           bool
	top, bins           int
}

// units are the words of --per, in ns.
var units = map[string]int64{"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "hr": 3600e9}

// Command returns the command, which writes to this stream.
func Command(g *console.Globals, stdout *console.Plain) *cobra.Command {
	f := &command{Globals: g, stdout: stdout}
	c := &cobra.Command{
		Use: "signals RUN", Short: "Compute quantities over time: usage, work in progress, throughput, latency",
		Long: `Computes signals of a run, exactly and without sampling (Hendriks et al. 2024, section 3):

  usage       of every resource: the sum of the amounts that claims take of it at a time
  clients     of every resource: how many claims there are
  wip         work in progress: how many items are under way
  throughput  how much work is done per unit of time: each item spreads over its duration
  latency     work in progress by throughput: how long the items under way take
  work        what is done so far: each item grows from 0 to 1 over its duration
  trace       the signals that the trace has itself

Runs that declare no resources claim 1 of their lifeline with every execution. An item is a root execution, a message, or, with
--by ATTRIBUTE, what has the same value of an attribute: from its earliest event to its latest. --window averages over the last
time units. Items of no length have no throughput without a window; they are counted. --then makes further signals of these:
derivative (per second), shift=10ms, scale=0.5, plus=3, in the order in which they are given; --combine makes one signal of all.

analyze run --stage signals keeps usage, clients and the work in progress of root executions in the tables derived_signals and
fragments_of_derived_signals; the macro usage(run) of SQL computes the usage of resources.

Text has a row a signal, and the pieces of one that is alone. JSON has an object a line for every piece c + b x + a x^2, x in
seconds since its beginning.`,
		Example: `  analyze signals nightly
  analyze signals pipeline --of throughput --by id --window 20ms --per s
  analyze signals pipeline --of clients --histogram
  analyze signals pipeline --combine max --window 1s`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return console.Usagef("name one run")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), args[0]) },
	}
	p := c.Flags()
	f.Choice(p, &f.of, "of", signalsjob.Usage, "usage, clients, wip, throughput, latency, work or trace",
		signalsjob.Usage, signalsjob.Clients, signalsjob.WIP, signalsjob.Throughput, signalsjob.Latency, signalsjob.Work, signalsjob.Traced)
	p.StringVar(&f.by, "by", signalsjob.ByRoot, "what an item is: root, message, or an attribute")
	f.Choice(p, &f.per, "per", "s", "unit of time of throughput and latency: ns, us, ms, s, min or hr", "ns", "us", "ms", "s", "min", "hr")
	p.DurationVar(&f.window, "window", 0, "average over the last so much time")
	p.StringArrayVar(&f.filter, "filter", nil, "count only executions, claims and events with these attributes, as name=A,type=x; given again, also those with others")
	p.StringSliceVar(&f.then, "then", nil, "what to do with every signal, in order: derivative, shift=10ms, scale=0.5, plus=3")
	f.Choice(p, &f.combine, "combine", "", "make one signal of all: sum, product, min or max", "", "sum", "product", "min", "max")
	p.BoolVar(&f.histogram, "histogram", false, "say how long each signal has which value")
	p.IntVar(&f.bins, "bins", 20, "bars of a histogram of a signal that has more values, or slopes")
	p.IntVar(&f.top, "top", 20, "how many pieces to print; 0 for all; JSON has all")
	f.Choice(p, &f.format, "format", "text", "text, or json with an object a line", "text", "json")
	return c
}

// run computes and reports.
func (f *command) run(ctx context.Context, run string) error {
	if f.window < 0 || f.top < 0 || f.bins < 1 {
		return console.Usagef("--window and --top are not negative, and --bins is at least 1")
	}
	l, err := stores.Open(f.Lake, false)
	if err != nil {
		return err
	}
	described, err := runs.Named(l, run)
	if err != nil {
		return err
	}
	var then []signals.Operation
	for _, text := range f.then {
		operation, err := signals.ParseOperation(text)
		if err != nil {
			return console.Usagef("--then: %w", err)
		}
		then = append(then, operation)
	}
	filter, err := runs.ParseFilter(f.filter)
	if err != nil {
		return console.Usagef("--filter %w", err)
	}
	if filter != nil && f.of == signalsjob.Traced {
		return console.Usagef("--filter selects what is counted, and --of trace counts nothing: leave one of them out")
	}
	j := signalsjob.Job{Lake: l, Run: run, Of: f.of, By: f.by, WindowNs: f.window.Nanoseconds(), PerNs: units[f.per], Per: f.per, Then: then, Combine: f.combine, Filter: filter, Memory: f.TaskMemory()}
	r := &report.Report{Run: run, StartNs: described.StartNs, Top: f.top, Bins: f.bins,
		Each: func(visit func(*signals.Stream) error) (int64, error) { return j.Each(ctx, visit) }}
	write := map[string]func(io.Writer) error{
		"text": r.WriteText, "json": r.WriteJSON, "text histogram": r.WriteHistogram, "json histogram": r.WriteHistogramJSON,
	}
	if f.histogram {
		f.format += " histogram"
	}
	return write[f.format](f.stdout)
}
