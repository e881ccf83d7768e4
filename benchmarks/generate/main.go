// Command generate writes the trace of a simulated lithography scanner (see package machine).
package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/benchmarks/machine"
	"github.com/tracelake/tracelake/benchmarks/program"
)

// The trace goes to a file or to the standard output; what was made is reported on standard error.
func main() { program.Main("generate", run) }

// command is what the flags say.
type command struct {
	dialect, out, truth string         // format and file of the trace; file of the planted delays
	components          int            // of the machine
	machineSeed         uint64         // draws its structure
	run                 machine.Run    // seed, length and delays of the run
	slow                []machine.Slow // planted regressions
}

// run builds the machine, runs it into the output, and says on standard error what came out.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	c, err := parse(stderr, args)
	if err != nil {
		return err
	}
	// The structure follows from one seed, the run from another: the same machine can run twice.
	m, err := machine.Build(c.components, c.machineSeed, c.slow...)
	if err != nil {
		return err
	}
	stats, delays, err := c.write(ctx, stdout, m)
	if err != nil {
		return err
	}
	// The numbers let a test or a person see what a trace of this size contains.
	fmt.Fprintf(stderr, "%d events, %d executions, %d messages, %d components, %d fragments, %d words, "+
		"%d exposures, %d of them delayed, %.3f s of machine time\n"+
		"fragments that ran 1-9, 10-99, 100-999, 1000-9999 and more times: %v\n", stats.Events, stats.Executions,
		stats.Messages, stats.Components, stats.Fragments, stats.Words, stats.Exposures, len(delays),
		float64(stats.EndNs)/1e9, stats.Decades)
	// The truth is written last: a trace that could not be written has none.
	return c.writeTruth(delays)
}

// parse reads the flags. Numbers of events may be written as 48.7e6.
func parse(stderr io.Writer, args []string) (*command, error) {
	c := new(command)
	f := flag.NewFlagSet("generate", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&c.dialect, "dialect", "thesis", "format: "+strings.Join(machine.Dialects, ", "))
	f.StringVar(&c.out, "o", "-", "output file, - for standard output")
	f.StringVar(&c.truth, "ground-truth", "", "write the planted delays to this CSV file")
	// Two seeds, since a comparison needs several runs of one machine.
	f.IntVar(&c.components, "components", 396, "number of components")
	f.Uint64Var(&c.machineSeed, "machine", 1, "seed of the machine: another one, another structure")
	f.Uint64Var(&c.run.Seed, "seed", 1, "seed of the run: another one, another run of the same machine")
	f.IntVar(&c.run.Contention, "contention", 20, "delay one exposure in so many; 0: none")
	// Flags that take more than a number are parsed here, so that a mistake is reported with the flag's name.
	// A trace ends with a whole exposure, so that it may have more events than asked for.
	f.Func("events", "stop with the exposure that completes so many events, like 48.7e6 (default 1e6)", func(s string) error {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil || !(n >= 1 && n < 1e15) {
			return fmt.Errorf("%q is not a number of events", s)
		}
		c.run.Events = int64(n)
		return nil
	})
	f.Func("slow", "plant a regression: [COMPONENT.]FUNCTION=FACTOR or [COMPONENT.]FUNCTION=+DURATION; may be repeated", func(s string) error {
		slow, err := machine.ParseSlow(s)
		c.slow = append(c.slow, slow)
		return err
	})
	// Flags stop at the first argument, of which there must be none.
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	c.run.Events = cmp.Or(c.run.Events, 1e6) // where -events was not given
	return c, nil
}

// write runs the machine into the output.
// Events go out in blocks, so memory does not grow with the trace. An interrupt ends it between two blocks.
func (c *command) write(ctx context.Context, stdout io.Writer, m *machine.Machine) (machine.Stats, []machine.Delay, error) {
	// The standard output is not closed here: it belongs to the process.
	out := stdout
	if c.out != "-" {
		file, err := os.Create(c.out)
		if err != nil {
			return machine.Stats{}, nil, err
		}
		defer file.Close()
		out = file
	}
	w, err := machine.NewWriter(out, m, c.dialect)
	if err != nil {
		return machine.Stats{}, nil, err
	}
	stats, delays, err := m.Run(c.run, func(events []machine.Event) error {
		return errors.Join(w.Write(events), ctx.Err())
	})
	// Only a close reports that a disk was full. The deferred one then closes a closed file, which does nothing.
	err = errors.Join(err, w.Flush())
	if file, ok := out.(*os.File); ok && c.out != "-" {
		err = errors.Join(err, file.Close())
	}
	return stats, delays, err
}

// writeTruth writes the planted delays as CSV.
// A row is an exposure, counted from 1, with the execution that took longer and by how many nanoseconds.
// Without -ground-truth the delays are only counted.
func (c *command) writeTruth(delays []machine.Delay) error {
	if c.truth == "" {
		return nil
	}
	rows := [][]string{{"exposure", "component", "function", "start_ns", "extra_ns"}}
	for _, d := range delays {
		// The start counts from the start of the trace; extra is how much longer the execution took.
		rows = append(rows, []string{strconv.FormatInt(d.Exposure, 10), d.Component, d.Function,
			strconv.FormatInt(d.StartNs, 10), strconv.FormatInt(d.ExtraNs, 10)})
	}
	file, err := os.Create(c.truth)
	if err != nil {
		return err
	}
	return errors.Join(csv.NewWriter(file).WriteAll(rows), file.Close())
}
