// Package program holds what the programs of this folder share: the frame around their work, and what work costs.
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// Main runs a program with the arguments and streams of the process. An interrupt cancels its context. An error is printed and
// ends the process with exit code 1; a request for help is no error, since package flag has answered it.
func Main(name string, run func(ctx context.Context, stdout, stderr io.Writer, args []string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Cost is what a process cost, as the system counted it when the process ended: nothing is sampled.
type Cost struct {
	CPU, Wall time.Duration // user and system of all threads; elapsed
	PeakBytes int64         // of resident memory
}

// Spend runs another program to its end. A program that fails has no cost.
// Wall time includes the start of the process, as a user would see it.
func Spend(c *exec.Cmd) (Cost, error) {
	start := time.Now()
	if err := c.Run(); err != nil {
		return Cost{}, fmt.Errorf("%s: %w", c.Args[0], err)
	}
	cost := Cost{CPU: c.ProcessState.UserTime() + c.ProcessState.SystemTime(), Wall: time.Since(start)}
	u, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return Cost{}, errors.New("this system does not report what a process cost")
	}
	cost.PeakBytes = u.Maxrss << 10 // kilobytes, on Linux
	return cost, nil
}

// CPU is the time that all threads of this process have computed so far, for themselves and in the kernel. Unlike elapsed time
// it hardly depends on what else the machine does.
func CPU() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// PeakBytes is the maximum of memory that this process has had resident so far.
func PeakBytes() int64 {
	u := usage()
	return u.Maxrss << 10 // kilobytes, on Linux
}

// usage asks the kernel. It cannot fail: the process asks about itself, into memory of its own.
func usage() (u syscall.Rusage) {
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return u
}
