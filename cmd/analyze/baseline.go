package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// baselineCommand groups the commands on baselines; by itself it prints its help.
func (a *app) baselineCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "baseline",
		Short: "Store runs under a name, to compare others with",
		Long: `Stores runs under a name. Wherever runs are selected, @NAME then stands for these runs, in this order, whatever
is ingested later.

A baseline is a list of names: it does not keep the runs. One that names a run that was dropped is refused until the run
is ingested again, or the baseline is set anew. Baselines are the table baselines.`,
		Example: `  analyze baseline set nightly release=8.14.1
  analyze compare --base @nightly --cand release=8.15.0
  analyze baseline list
  analyze baseline drop nightly`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return console.Usagef("no command %q; see analyze baseline --help", args[0])
			}
			return c.Help()
		},
		Args: cobra.ArbitraryArgs,
	}
	c.AddCommand(a.baselineSetCommand(), a.baselineListCommand(), a.baselineDropCommand())
	return c
}

// baselineSetCommand stores a baseline.
// The baseline is replaced as a whole: it has no command that adds a run.
func (a *app) baselineSetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "set NAME RUN|KEY=VALUE|@BASELINE...", Short: "Store runs under a name, replacing those stored before",
		Example: `  analyze baseline set nightly release=8.14.1
  analyze baseline set lab run-01 run-02 run-03`,
		Args: atLeast(2, "name the baseline, then its runs"),
		RunE: func(c *cobra.Command, args []string) error { return a.setBaseline(c.Context(), args[0], args[1:]) },
	}
}

// setBaseline resolves the selectors now: a label that more runs have later does not change the baseline.
func (a *app) setBaseline(ctx context.Context, name string, selectors []string) error {
	if err := runs.CheckBaselineName(name); err != nil { // the name becomes a folder
		return err
	}
	l, err := a.openToWrite()
	if err != nil {
		return err
	}
	names, err := runs.Select(l, selectors) // in the order of the selectors
	if err != nil {
		return err
	}
	if err := runs.StoreBaseline(ctx, a.engine(l), name, names); err != nil { // as a whole, in one commit
		return err
	}
	a.Logger(a.stderr).Info("baseline " + name + ": " + texttab.Plural(len(names), "run"))
	return views.Follow(ctx, l)
}

// baselineListCommand lists all baselines.
func (a *app) baselineListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the baselines with their runs", Example: "  analyze baseline list", Args: noArguments,
		RunE: a.reading(nil, a.listBaselines),
	}
}

// listBaselines also names the runs of a baseline that were dropped since, as comparisons with it are refused.
// Baselines are listed by name, and their runs in stored order.
func (a *app) listBaselines(_ context.Context, l *lake.Lake, _ []string) error {
	all, err := runs.Names(l) // those that the lake has now
	if err != nil {
		return err
	}
	partitions, err := l.Partitions("baseline")
	if err != nil {
		return err
	}
	g := texttab.New("lr")
	g.Row("baseline", "runs", "names", "dropped since")
	for _, p := range partitions {
		names, err := runs.ReadBaseline(l, p.Name)
		if err != nil {
			return err
		}
		g.Row(p.Name, texttab.Count(len(names)), strings.Join(names, " "), strings.Join(runs.Dropped(names, all), " "))
	}
	return g.Write(a.stdout)
}

// baselineDropCommand forgets baselines.
func (a *app) baselineDropCommand() *cobra.Command {
	return &cobra.Command{
		Use: "drop NAME...", Short: "Forget baselines; their runs stay", Example: "  analyze baseline drop nightly",
		Args: atLeast(1, "name the baselines to drop"),
		RunE: a.writing(nil, a.dropBaselines),
	}
}

// dropBaselines drops all of the baselines or, where one does not exist, none.
// It reads all of them first, so that a mistyped name drops nothing.
func (a *app) dropBaselines(ctx context.Context, l *lake.Lake, names []string) error {
	for _, name := range names {
		if err := baselineExists(l, name); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := l.Drop(ctx, runs.BaselinePartition(name)); err != nil { // the runs stay
			return err
		}
		a.Logger(a.stderr).Info("baseline " + name + ": dropped")
	}
	return views.Follow(ctx, l)
}
