// Command measure runs a program and prints what it cost on one line: CPU seconds of all its threads, wall
// seconds, peak memory, and how many lines of a trace that is a second. The program's own output goes to
// standard error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"

	"github.com/tracelake/tracelake/benchmarks/program"
)

func main() { program.Main("measure", run) }

// run measures one program, or prints the heading under which several measurements stand.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	f := flag.NewFlagSet("measure", flag.ContinueOnError)
	name := f.String("name", "", "what is measured")
	lines := f.Float64("lines", 0, "lines that the program goes through")
	header := f.Bool("header", false, "print the names of the columns and nothing else")
	f.Usage = func() {
		fmt.Fprintln(stderr, "usage: measure [-name NAME] [-lines N] PROGRAM [ARGUMENT]...")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return err
	}
	// Heading and rows share their widths, so that rows of separate calls stand under one another.
	const columns = "%-16s %8s %8s %10s %14s %21s\n"
	if *header {
		fmt.Fprintf(stdout, columns, "program", "cpu s", "wall s", "peak MB", "M lines/s", "M lines/s per core")
		return nil
	}
	if f.NArg() == 0 { // -name and -lines alone measure nothing
		return errors.New("name a program to run")
	}
	c, err := cost(ctx, stderr, f.Args())
	if err != nil {
		return err
	}
	rate := func(of time.Duration) string { return fmt.Sprintf("%.2f", *lines/1e6/of.Seconds()) }
	fmt.Fprintf(stdout, columns, *name, fmt.Sprintf("%.2f", c.cpu.Seconds()), fmt.Sprintf("%.2f", c.wall.Seconds()),
		fmt.Sprintf("%.0f", float64(c.peakBytes)/1e6), rate(c.wall), rate(c.cpu))
	return nil
}

// expense is what a program cost.
type expense struct {
	cpu, wall time.Duration
	peakBytes int64
}

// cost runs a program to its end and asks the kernel what it took. A program that fails has no cost.
func cost(ctx context.Context, stderr io.Writer, command []string) (expense, error) {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stdout, c.Stderr = stderr, stderr
	start := time.Now()
	if err := c.Run(); err != nil {
		return expense{}, fmt.Errorf("%s: %w", command[0], err)
	}
	e := expense{cpu: c.ProcessState.UserTime() + c.ProcessState.SystemTime(), wall: time.Since(start)}
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		e.peakBytes = usage.Maxrss << 10 // kilobytes, on Linux
	}
	return e, nil
}
