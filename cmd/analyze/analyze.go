package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/sql"
)

// app is the program with its flags and streams.
type app struct {
	console.Globals
	stdin          io.Reader
	stdout, stderr io.Writer
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	c := a.command()
	c.SetArgs(args)
	c.SetOut(stdout)
	c.SetErr(stderr)
	err := c.ExecuteContext(ctx)
	if errors.As(err, new(*runs.NameError)) || errors.As(err, new(*lake.NotAnalyzedError)) {
		return &console.UsageError{Err: err}
	}
	return err
}

func (a *app) command() *cobra.Command {
	c := &cobra.Command{
		Use:   "analyze",
		Short: "Analyze and compare the runs of a lake",
		Long: `Analyzes the runs of a lake, compares releases, and answers questions in SQL.

Exit code: 0 fine, 1 failed, 2 wrong usage, 3 found what --fail-on names, or validated and
found violations.`,
		Example: `  analyze run                                   analyze every run that is not up to date
  analyze compare --base fast --cand slow        what got slower, and where it comes from
  analyze compare --base release=1 --cand release=2 --fail-on regressed
  analyze query --list                           questions that come with the program
  analyze query "SELECT * FROM executions ORDER BY duration_ns DESC LIMIT 10"`,
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.Apply() },
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return console.Usagef("no command %q; see analyze --help", args[0])
			}
			return c.Help()
		},
		Args: cobra.ArbitraryArgs,
	}
	a.AddFlags(c)
	c.AddCommand(a.runCommand(), a.compareCommand(), a.evaluateCommand(), a.levelsCommand(), a.historyCommand(), a.baselineCommand(), a.queryCommand(), a.recoverCommand(), a.criticalPathCommand(), a.causalCommand(), a.validateCommand(), a.timelineCommand(), a.exportCommand(), a.reconcileCommand(), a.assertCommand(), a.automatonCommand(), a.modelsCommand(),
		a.runsCommand(), a.tablesCommand(), a.describeCommand(), a.stagesCommand(), a.dropCommand())
	return c
}

// open opens the lake for reading.
func (a *app) open() (*lake.Lake, error) { return lake.Open(a.Lake, false) }

// openToWrite opens the lake for this process alone and sweeps what killed ones left.
func (a *app) openToWrite() (l *lake.Lake, release func(), err error) {
	if l, err = a.open(); err != nil {
		return nil, nil, err
	}
	if release, err = l.Lock(); err != nil {
		return nil, nil, err
	}
	if err := l.Sweep(); err != nil {
		release()
		return nil, nil, err
	}
	return l, release, nil
}

// engine runs stages over a lake with the jobs and the memory asked for.
func (a *app) engine(l *lake.Lake) *pipeline.Engine {
	return &pipeline.Engine{Lake: l, Jobs: a.Jobs, Memory: a.TaskMemory()}
}

// catalog is what SQL may see of a lake.
func catalog(l *lake.Lake) (sql.Catalog, error) {
	files, err := l.Files()
	return sql.Catalog{Files: files}, err
}

// atLeast, exactly and atMost check the number of arguments with a sentence about what is wrong.
func atLeast(n int, sentence string) cobra.PositionalArgs {
	return counted(func(given int) bool { return given >= n }, sentence)
}

func exactly(n int, sentence string) cobra.PositionalArgs {
	return counted(func(given int) bool { return given == n }, sentence)
}

func atMost(n int, sentence string) cobra.PositionalArgs {
	return counted(func(given int) bool { return given <= n }, sentence)
}

func counted(right func(int) bool, sentence string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if !right(len(args)) {
			return console.Usagef("%s; see %s --help", sentence, c.CommandPath())
		}
		return nil
	}
}

// noArguments is for commands that take flags only.
var noArguments = atMost(0, "flags only, no arguments")
