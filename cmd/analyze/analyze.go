package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/check"
	"github.com/tracelake/tracelake/cmd/internal/claims"
	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/contents"
	"github.com/tracelake/tracelake/cmd/internal/dependence"
	"github.com/tracelake/tracelake/cmd/internal/export"
	"github.com/tracelake/tracelake/cmd/internal/nightly"
	"github.com/tracelake/tracelake/cmd/internal/publish"
	"github.com/tracelake/tracelake/cmd/internal/report"
	"github.com/tracelake/tracelake/cmd/internal/serve"
	"github.com/tracelake/tracelake/cmd/internal/signals"
	"github.com/tracelake/tracelake/cmd/internal/tasks"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/reconcile"
	"github.com/tracelake/tracelake/pipeline/runs"
)

// run executes one command line. The streams are parameters so that tests need no process.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	a := &app{stdin: stdin, stdout: console.NewPlain(stdout), stderr: console.NewPlain(stderr)}
	c := a.command()
	c.SetArgs(args)
	c.SetOut(stdout) // of help texts
	c.SetErr(stderr)
	err := errors.Join(c.ExecuteContext(ctx), a.stdout.Close()) // a full disk may show only at the end
	// Packages below the command know no exit codes. A name that the lake lacks, and a run that was never analyzed, are wrong
	// usage here: exit code 2.
	if errors.As(err, new(*runs.NameError)) || errors.As(err, new(*lake.NotAnalyzedError)) || errors.As(err, new(*reconcile.NothingError)) {
		return &console.UsageError{Err: err}
	}
	return err
}

// command returns the root command with all others. PersistentPreRunE applies the global flags before any of them runs, and
// every error is returned to main, which prints it once and chooses the exit code.
func (a *app) command() *cobra.Command {
	c := &cobra.Command{
		Use:   "analyze",
		Short: "Analyze and compare the runs of a lake",
		Long: `Analyzes the runs of a lake, compares releases, and answers questions in SQL. Runs come from the program ingest: ingest record
says how to record them, ingest TRACE puts them into the lake.

Exit code: 0 fine, 1 failed, 2 wrong usage, 3 found what --fail-on names, or validated and
found violations.`,
		Example: `  analyze run                                   analyze every run that is not up to date
  analyze compare --base fast --cand slow        what got slower, and where it comes from
  analyze compare --base release=1 --cand release=2 --fail-on regressed
  analyze query --list                           questions that come with the program
  analyze query "SELECT * FROM executions ORDER BY duration_ns DESC LIMIT 10"`,
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.Apply() },
		RunE: func(c *cobra.Command, args []string) error { // without a command
			if len(args) > 0 { // a mistyped command, which cobra would take for an argument
				return console.Usagef("no command %q; see analyze --help", args[0])
			}
			return c.Help()
		},
		Args: cobra.ArbitraryArgs,
	}
	a.AddFlags(c) // the flags of all commands
	addGroup(c, "run", "Analyze and look", a.runCommand(), nightly.Command(&a.Globals, a.stdout, a.stderr), contents.Runs(&a.Globals, a.stdout), a.queryCommand(), contents.Tables(&a.Globals, a.stdout), contents.Describe(a.stdout),
		serve.Command(&a.Globals, a.stdout, a.stderr), a.timelineCommand(), a.automatonCommand(), a.modelsCommand(), a.recoverCommand(), export.Command(&a.Globals, a.stdout, a.stderr))
	compare := a.compareCommand()
	addGroup(c, "compare", "Compare releases", compare, a.historyCommand(), a.levelsCommand(), a.baselineCommand(), a.comparisonsCommand(), report.Command(&a.Globals, a.stdout, a.stderr),
		a.detectableCommand(), a.evaluateCommand(), a.injectCommand())
	addGroup(c, "explain", "Explain and check a run", claims.CriticalPaths(&a.Globals, a.stdout, a.criticalPathCommand()), dependence.Causal(&a.Globals, a.stdout, a.stderr), dependence.Slack(&a.Globals, a.stdout, a.stderr), a.whatIfCommand(), a.validateCommand(), check.Command(&a.Globals, a.stdout, a.stderr), check.MineCommand(&a.Globals, a.stdout, a.stderr), signals.Command(&a.Globals, a.stdout), a.assertCommand(), a.reconcileCommand())
	addGroup(c, "claims", "Claims and their order", claims.Commands(&a.Globals, a.stdout)...)
	addGroup(c, "manage", "Manage the lake", a.verifyCommand(), a.tidyCommand(), a.dropCommand(), publish.Command(&a.Globals, a.stdout, a.stderr), contents.Stages(a.stdout))
	addGroup(c, "elsewhere", "Run on many machines", append([]*cobra.Command{a.planCommand()}, tasks.Commands(&a.Globals, a.stderr, a.taskEngine)...)...)
	c.AddCommand(topics(compare)...) // pages of the help
	console.AddHelp(c)
	return c
}

// addGroup adds commands under a title of the help, in their order.
func addGroup(root *cobra.Command, id, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title + ":"})
	for _, c := range commands {
		c.GroupID = id
	}
	root.AddCommand(commands...)
}
