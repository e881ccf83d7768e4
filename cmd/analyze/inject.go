package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/inject"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/report/evaluation"
)

// injectFlags are the flags of analyze inject.
type injectFlags struct {
	fault  string        // a kind of package faults
	delta  time.Duration // of noise, spikes and chain
	events int           // of spikes and chain
	factor float64       // of delay and alternate
	of     string        // pattern of components or functions
	seed   uint64        // of all random choices
	slack  float64       // share of the time between events of a lifeline
	labels []string      // KEY=VALUE
	format string        // text or json
	given  func(flag string) bool
}

const injectLong = `Makes a run, NAME, that has the events of another one with a timing fault in them, after Hilbig 2023, section 4.2. Compared
with each other, both runs show what a detector makes of a change that is known.

  noise      every event moves by a random time: normally distributed, with the standard deviation --delta
  spikes     --events single events, chosen at random, move by --delta; a negative one is earlier
  chain      the same for --events events in a row
  delay      all calls of one function take longer, by --factor
  alternate  every second call of one function takes longer by --factor, and every other one shorter by it

--of COMPONENT or --of COMPONENT.FUNCTION, with * for any characters, says whose events may get the fault; of several
functions delay and alternate take one. --seed decides what is chosen at random: the same seed gives the same run.

Events keep their order. A message takes as long as before or longer. Between two events of a lifeline a delay may use up
the share --slack of the time that lies there: by default all of it, as in the paper, so that idle time absorbs a delay; with
--slack 0 none, so that everything that follows is late.

The run is complete in itself: analyze run, compare and all else take it like any other. What the trace says beyond its
events (annotations) is left out. The events of the run must fit into --memory.`

// injectCommand makes a run of another one by injecting a timing fault.
func (a *app) injectCommand() *cobra.Command {
	var f injectFlags
	c := &cobra.Command{
		Use: "inject RUN NAME --fault KIND", Short: "Make a run of another one by injecting a timing fault", Long: injectLong,
		Example: `  analyze inject fast-1 late-1 --fault delay --factor 1.2 --of lib_transfer_c.Curl_readwrite
  analyze inject fast-1 spiky-1 --fault spikes --delta 2ms --events 10 --seed 7
  analyze inject fast-1 noisy-1 --fault noise --delta 50us --label fault=noise
  analyze compare --base fast-1 --cand late-1 --method thesis`,
		Args: exactly(2, "name a run, and the run to make of it"),
		RunE: func(c *cobra.Command, args []string) error {
			f.given = c.Flags().Changed
			return a.inject(c.Context(), args[0], args[1], f)
		},
	}
	p := c.Flags()
	p.StringVar(&f.fault, "fault", "", "noise, spikes, chain, delay or alternate")
	p.DurationVar(&f.delta, "delta", time.Millisecond, "noise: the standard deviation; spikes, chain: how far events move")
	p.IntVar(&f.events, "events", 10, "spikes, chain: how many events")
	p.Float64Var(&f.factor, "factor", 1.5, "delay, alternate: how many times as long the calls take; above 1")
	p.StringVar(&f.of, "of", "", "whose events may get the fault: COMPONENT or COMPONENT.FUNCTION, with * for any characters (default: all)")
	p.Uint64Var(&f.seed, "seed", 1, "decides what is chosen at random")
	p.Float64Var(&f.slack, "slack", 1, "share of the time between two events of a lifeline that a delay may use up, 0 to 1")
	p.StringArrayVar(&f.labels, "label", nil, "a label of the run as key=value; may be given often")
	a.Choice(p, &f.format, "format", "text", "text or json", "text", "json")
	return c
}

// faultFlags are the flags of each kind of fault.
var faultFlags = map[faults.Kind][]string{
	faults.Noise: {"delta"}, faults.Spikes: {"delta", "events"}, faults.Chain: {"delta", "events"},
	faults.Delay: {"factor"}, faults.Alternate: {"factor"},
}

// options turns the flags into a fault. A flag that the kind does not use is refused, since whoever gave it expects it to matter.
func (f *injectFlags) options(run, name string) (o inject.Options, err error) {
	o = inject.Options{Name: name, Run: run, Fault: faults.Fault{Kind: faults.Kind(f.fault)}, Of: f.of, Seed: f.seed, Slack: f.slack}
	uses, known := faultFlags[o.Fault.Kind] // the flags of the kind
	if !known {
		return o, console.Usagef("--fault %q: one of noise, spikes, chain, delay, alternate", f.fault)
	}
	takes := strings.Join(uses, " ")
	for _, flag := range []string{"delta", "events", "factor"} {
		switch used := strings.Contains(takes, flag); {
		case !used && f.given(flag): // given, and without effect
			return o, console.Usagef("--%s says nothing about --fault %s, which takes --%s", flag, f.fault, strings.Join(uses, " and --"))
		case !used: // not given: nothing to do
		case flag == "delta":
			o.Fault.DeltaNs = int64(f.delta)
		case flag == "events":
			o.Fault.Events = f.events
		default:
			o.Fault.Factor = f.factor
		}
	}
	if err := o.Validate(); err != nil {
		return o, console.Usagef("%w", err)
	}
	o.Labels, err = console.Labels(f.labels)
	return o, err
}

// inject makes the run, unless the lake has it, and reports what was injected.
func (a *app) inject(ctx context.Context, run, name string, f injectFlags) error {
	o, err := f.options(run, name)
	if err != nil {
		return err
	}
	l, err := a.openToWrite()
	if err != nil {
		return err
	}
	if _, err := runs.Named(l, run); err != nil { // the run must be in the lake
		return err
	}
	job := inject.Job{Engine: a.engine(l), Options: o}
	var done func()
	job.Progress, done = a.Progress(a.stderr, name, false)
	out, err := inject.Run(ctx, job)
	done()
	if err != nil {
		return err
	}
	if err := followMade(ctx, l, name); err != nil {
		return err
	}
	if out == nil { // the lake has the same run already
		a.Logger(a.stderr).Info(fmt.Sprintf("run %s: nothing to do, the lake has it", name))
		return nil
	}
	report := evaluation.Injection{Injection: out}
	return inFormat(f.format, report.WriteText, report.WriteJSON)(a.stdout)
}
