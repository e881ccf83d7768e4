// Package nightly is the command analyze nightly, which does all that one file says for the traces of a night: it ingests and analyzes what is
// new, compares and checks, writes a summary, and drops what is old.
//
// It has no analysis of its own. Every step is a command line of ingest or analyze that a user could give, in a process of its own, so that
// a step that fails or runs out of memory takes no other one with it. All of them may be repeated: what is done is found in the lake. Beside
// that a night is remembered in night.json of its folder of reports (stages/report/nightly), written after every trace, so that a night that
// was killed goes on, and a trace that comes after the summary is known to be late.
//
// The files: config.go reads the file; traces.go finds traces; night.go goes through a night; steps.go does comparisons, checks and
// histories; record.go remembers nights and writes their pages; keep.go drops what is old.
package nightly

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	report "github.com/tracelake/tracelake/stages/report/nightly"
)

// command is analyze nightly with its flags.
type command struct {
	*console.Globals
	stdout *console.Plain
	stderr io.Writer

	dry   bool   // only say what would be done
	night string // which must have traces
}

// Command returns the command.
func Command(g *console.Globals, stdout *console.Plain, stderr io.Writer) *cobra.Command {
	f := &command{Globals: g, stdout: stdout, stderr: stderr}
	c := &cobra.Command{
		Use: "nightly CONFIG", Short: "Do for the traces of a night all that a file says, and write a summary",
		Long: help,
		Example: `  analyze nightly --dry-run nightly.yaml
  analyze nightly nightly.yaml
  analyze nightly --night $(date +%F) nightly.yaml`,
		Args: console.Exactly(1, "name the file that says what a night is"),
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c.Context(), args[0], c.Flags().Changed("lake"))
		},
	}
	c.Flags().BoolVar(&f.dry, "dry-run", false, "say what would be done, as command lines, and do nothing")
	c.Flags().StringVar(&f.night, "night", "", "a night that must have traces: without any it is reported, and the exit code is 1")
	return c
}

// help is the page of the command.
const help = `Ingests the traces that have appeared, analyzes, compares and checks them, writes a summary of every night as a page and as Markdown, and
drops what is old. One file in YAML says how, for example:

  lake: lake
  reports: reports                 # reports/NIGHT/index.html and summary.md, and reports/index.html with all nights
  traces:
  - glob: traces/*/*/*.txt.zst
    label: '(?P<night>[0-9-]{10})/(?P<release>[^/]+)/'   # named groups on the path are labels
  expect: 10                       # traces a night at least
  compare:
  - name: previous
    base: night={good}             # the last night that passed this comparison; {previous} is the night before
    cand: night={night}
    fail-on: regressed
  check:
  - {name: deadlines, spec: requirements.etl, runs: 'night={night}', fail-on: 'bad,still_false'}
  history:
  - {name: nights, by: night}
  keep:
    nights: 14                     # of older ones only summaries, which histories read (analyze drop --keep-summaries)
    except: release=8.13           # runs that are kept whole
    comparisons: 60                # nights whose comparisons stay in the lake
    reports: 365                   # nights whose reports stay; their summaries always do

Of traces there are also run (a name such as '{night}-{release}-{file}'), labels (of all of them), ingest (further flags), and settle: how
long a trace must have been left alone, such as 1m. A path without a group night belongs to the day of UTC on which the trace changed last.
Comparisons, checks and histories take further flags of their commands with options, analyses of runs with analyze. executor, nodes, pod and
array are those of analyze run. Paths are relative to the file. A comparison is called NAME-NIGHT in the lake.

It may be started as often as one likes, also at once: what is done is not done again, and a night that was interrupted goes on. A trace that
cannot be read is reported, and tried again by the next call. A trace that comes after the summary of its night joins it: its comparisons, and
those with this night as the baseline, are made anew, and the summary of the newest night says so, too.

The summary of the newest night is also printed.

Exit code: 0 every gate passed, 1 something failed or is missing, 2 wrong usage, 3 a gate was stopped (also where something failed). It is
that of the newest night and of those for which something was done.`

// The ways in which a step can end.
const (
	compareKind = "compare"
	checkKind   = "check"
	historyKind = "history"
)

// run reads the file and goes through the nights.
func (f *command) run(ctx context.Context, name string, lakeGiven bool) error {
	c, err := readConfig(name)
	if err != nil {
		return err
	}
	if c.Lake == "" || lakeGiven {
		c.Lake = f.Lake
	}
	n := &nights{command: f, config: c, analyze: "analyze", ingest: "ingest"}
	if !f.dry {
		console.Linger(ctx) // its commands end first
		if n.analyze, err = os.Executable(); err != nil {
			return err
		}
		if n.ingest, err = console.Sibling("ingest"); err != nil {
			return err
		}
		release, err := n.alone(ctx)
		if err != nil {
			return err
		}
		defer release()
	}
	verdict, err := n.all(ctx)
	switch {
	case err != nil:
		return err
	case verdict == report.Stopped:
		return console.Exit(console.Changed)
	case verdict == report.Failed:
		return console.Exit(console.Failed)
	}
	return nil
}

// outcome is how a command ended.
type outcome struct {
	exit   int
	stdout string
	says   string // the last line that it printed to standard error
}

// patienceOfEnd is how long a command may take to end when it is asked to.
const patienceOfEnd = 10 * time.Second

// do runs a command with the global flags of this one, and shows what it prints to standard error. Where nothing is to be done it only says the command.
// Only an interrupt and a program that cannot be started are errors.
func (n *nights) do(ctx context.Context, program string, args ...string) (outcome, error) {
	if n.dry {
		_, err := fmt.Fprintln(n.stdout, line(append([]string{program}, args...)))
		return outcome{}, err
	}
	globals := []string{"--lake", n.Lake(), "--memory", n.Memory.String(), "--jobs", fmt.Sprint(n.Jobs), "--log-format", n.LogFormat}
	if n.Quiet {
		globals = append(globals, "--quiet")
	}
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, program, append(globals, args...)...)
	c.Stdout, c.Stderr = &stdout, io.MultiWriter(&stderr, n.stderr)
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = patienceOfEnd
	err := c.Run()
	if ctx.Err() != nil {
		return outcome{}, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return outcome{}, err
	}
	out := outcome{stdout: stdout.String()}
	if exit != nil {
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		out.exit, out.says = cmp.Or(exit.ExitCode(), 1), cmp.Or(lines[len(lines)-1], exit.Error())
	}
	return out, nil
}

// line is a command line as a shell reads it.
func line(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = arg
		if arg == "" || strings.ContainsAny(arg, " \t\n'\"\\$`*?[](){}<>|&;~#!") {
			quoted[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}
