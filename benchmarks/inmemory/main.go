// Command inmemory does what TNO's PPS does with a trace, the way PPS does it: on one core, all in memory, no table
// written. It parses the text, pairs calls and messages, derives the timing constraints with their bounds, finds the
// slack of every event, and the critical path towards the last. It prints the CPU time of every step.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/tracelake/tracelake/benchmarks/program"
	"github.com/tracelake/tracelake/stages/timing/constraints"
)

func main() { program.Main("inmemory", run) }

// peerNs is what PPS takes for an event of a trace of a million: 24 CPU seconds (TNO/PPS 8edf54e, OpenJDK 17).
const peerNs = 24_000

// run goes through the steps one after the other and prints their CPU time.
func run(_ context.Context, stdout, stderr io.Writer, args []string) error {
	f := program.NewFlags("inmemory", "[-bounds paper|pps] TRACE\n\nTRACE is in the thesis dialect.", stderr)
	bounds := f.String("bounds", string(constraints.PPS), "how time bounds are set: paper or pps")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() != 1 {
		return errors.New("name one trace file")
	}
	// Options are those of analyze run, but for the bounds.
	opt := constraints.Defaults()
	var err error
	if opt.Bounds, err = constraints.ParseBounds(*bounds); err != nil {
		return err
	}
	// The file is read before the clock starts.
	text, err := os.ReadFile(f.Arg(0))
	if err != nil {
		return err
	}
	// PPS works on one core; garbage collection on another core would be left out of its time, too.
	runtime.GOMAXPROCS(1)
	w := &walk{text: text, options: opt, took: make(map[string]time.Duration)}
	// One line for each step, in CPU seconds and in ns for each event of the trace.
	out := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "step\tcpu s\tns an event\t")
	// From here on every CPU second is counted, by step and in all.
	before := program.CPU()
	// The step that reads is reported in two parts, parsing and pairing, which take turns.
	for _, s := range w.steps() {
		var err error
		if w.spend(s.name, func() { err = s.do() }); err != nil {
			return err
		}
	}
	all := program.CPU() - before
	for _, name := range []string{"parse", "pair calls and messages", "constraints", "slack", "critical path"} {
		took := w.took[name]
		fmt.Fprintf(out, "%s\t%.3f\t%.1f\t\n", name, took.Seconds(), float64(took.Nanoseconds())/float64(w.events))
	}
	// The comparison with PPS is by CPU time per event, since traces differ in length.
	perEvent := float64(all.Nanoseconds()) / float64(w.events)
	fmt.Fprintf(out, "all\t%.3f\t%.1f\t\n", all.Seconds(), perEvent)
	if err := out.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%d events, %d messages, %d constraints, %d on critical paths to the last event; PPS takes %d ns an event: %.0f times as long; peak memory %d MB\n",
		w.events, w.exchanged, len(w.window.Edges), w.critical, peerNs, peerNs/perEvent, program.PeakBytes()/1e6)
	return err
}
