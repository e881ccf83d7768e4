package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/tracelake/tracelake/benchmarks/program"
)

// spend runs a program. Its output goes to stdout, or nowhere.
// The error of a program that fails has the first line that it wrote to its standard error.
func spend(ctx context.Context, stdout io.Writer, command []string) (program.Cost, error) {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	var said bytes.Buffer
	c.Stdout, c.Stderr = stdout, &said
	cost, err := program.Spend(c)
	// A program that fails says why on its standard error; the first line is enough for a table.
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		err = fmt.Errorf("%w: %s", err, first)
	}
	return cost, err
}

// enough is how long the runs of one program may take together before no further one is started.
const enough = 15 * time.Second

// contest is a program that is run some times, in turns with others, so that all share the moods of the machine.
// After a failure it takes no further turns.
type contest struct {
	command []string
	keep    bool          // the output is wanted
	best    program.Cost  // of time and of memory, which may be of different runs
	output  string        // of the last run
	runs    int           // turns taken
	spent   time.Duration // CPU time of all turns
	failed  error         // the first error; nil while it runs
}

// turn runs the program once more, unless it has failed or taken long enough.
// The output of a program is thrown away by the system where it is not wanted, so a peer does not wait for a reader of
// its pipe.
func (c *contest) turn(ctx context.Context) {
	if c.failed != nil || c.spent > enough {
		return
	}
	var out strings.Builder
	var to io.Writer // none is the null device
	if c.keep {
		to = &out
	}
	// A failed turn has no cost, and ends the contest of this program.
	e, err := spend(ctx, to, c.command)
	c.output, c.failed = out.String(), err
	if c.runs == 0 {
		c.best = e
	}
	c.best.CPU, c.best.PeakBytes = min(c.best.CPU, e.CPU), min(c.best.PeakBytes, e.PeakBytes)
	c.spent, c.runs = c.spent+e.CPU, c.runs+1
}

// filled is the command of a peer for a trace.
// The words of the peer itself stay as they are.
func (p peer) filled(trace string) []string {
	out := make([]string, len(p.command))
	for i, word := range p.command {
		out[i] = strings.ReplaceAll(word, "TRACE", trace)
	}
	return out
}

// there says whether the program of a peer is installed.
// It looks for the name on PATH, as running it would.
func (p peer) there() bool {
	_, err := exec.LookPath(p.command[0])
	return err == nil
}
