// Command measure runs a program and prints what it cost on one line: CPU seconds of all its threads, wall
// seconds, peak memory, and how many lines of a trace that is a second. The program's own output goes to
// standard error.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/tracelake/tracelake/benchmarks/program"
)

func main() { program.Main("measure", run) }

// run measures one program, or prints the heading under which several measurements stand.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	f := program.NewFlags("measure", "[-name NAME] [-lines N] PROGRAM [ARGUMENT]...", stderr)
	name := f.String("name", "", "what is measured")
	lines := f.Float64("lines", 0, "lines that the program goes through")
	header := f.Bool("header", false, "print the names of the columns and nothing else")
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
	// The program's streams go to standard error, so that standard output has only the row.
	command := exec.CommandContext(ctx, f.Arg(0), f.Args()[1:]...)
	command.Stdout, command.Stderr = stderr, stderr
	c, err := program.Spend(command)
	if err != nil {
		return err
	}
	// -lines is given by the caller, as the program itself may not say how many it went through.
	rate := func(of time.Duration) string { return fmt.Sprintf("%.2f", *lines/1e6/of.Seconds()) }
	fmt.Fprintf(stdout, columns, *name, fmt.Sprintf("%.2f", c.CPU.Seconds()), fmt.Sprintf("%.2f", c.Wall.Seconds()),
		fmt.Sprintf("%.0f", float64(c.PeakBytes)/1e6), rate(c.Wall), rate(c.CPU))
	return nil
}
