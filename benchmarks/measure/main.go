// Command measure runs a program and prints what it cost on one line: CPU seconds of all its threads, wall
// seconds, peak memory, and how many lines of a trace that is a second. The program's own output goes to
// standard error.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	f := flag.NewFlagSet("measure", flag.ContinueOnError)
	name := f.String("name", "", "what is measured")
	lines := f.Float64("lines", 0, "lines that the program goes through")
	header := f.Bool("header", false, "print the names of the columns and nothing else")
	f.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: measure [-name NAME] [-lines N] PROGRAM [ARGUMENT]...")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err != nil {
		return err
	}
	const columns = "%-16s %8s %8s %10s %14s %21s\n"
	if *header {
		fmt.Printf(columns, "program", "cpu s", "wall s", "peak MB", "M lines/s", "M lines/s per core")
		return nil
	}
	if f.NArg() == 0 {
		return errors.New("name a program to run")
	}
	c, err := cost(f.Args())
	if err != nil {
		return err
	}
	rate := func(of time.Duration) string { return fmt.Sprintf("%.2f", *lines/1e6/of.Seconds()) }
	fmt.Printf(columns, *name, fmt.Sprintf("%.2f", c.cpu.Seconds()), fmt.Sprintf("%.2f", c.wall.Seconds()),
		fmt.Sprintf("%.0f", float64(c.peakBytes)/1e6), rate(c.wall), rate(c.cpu))
	return nil
}

// expense is what a program cost.
type expense struct {
	cpu, wall time.Duration
	peakBytes int64
}

func cost(command []string) (expense, error) {
	c := exec.Command(command[0], command[1:]...)
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
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
