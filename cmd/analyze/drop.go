package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// dropFlags say what goes beside runs, or of them.
type dropFlags struct {
	comparisons, baselines []string // names
	tables                 []string // only these; none: all
	summaries              bool     // of runs, what histories read stays
}

// dropCommand removes runs, comparisons and baselines.
// Baselines that name a dropped run report it.
func (a *app) dropCommand() *cobra.Command {
	var f dropFlags
	c := &cobra.Command{
		Use: "drop [RUN|KEY=VALUE|@BASELINE]...", Short: "Remove runs and all that was derived from them, and comparisons",
		Long: `Removes runs with all their tables. Comparisons that used them stay, since they stand for themselves: --comparison
removes one, whether analyze compare, levels, history or evaluate made it; analyze comparisons lists them. --baseline
forgets a baseline, as analyze baseline drop does.

--table removes only some tables: those that are damaged, for instance. The command that made them makes them again: analyze
run, the same comparison, or analyze critical-path and distance for answers about claims.

--keep-summaries leaves of runs what analyze history reads: their summaries and automata, a small part of their size. Such a
run stays in analyze runs and in histories; nothing else can be asked about it.`,
		Example: `  analyze drop nightly-2026-11-01
  analyze drop --comparison history-by-release --comparison base-vs-cand
  analyze drop --keep-summaries night=2026-11-01
  analyze drop --table samples --table metrics nightly-2026-11-02`,
		RunE: func(c *cobra.Command, args []string) error { return a.drop(c.Context(), args, f) },
	}
	p := c.Flags()
	p.StringArrayVar(&f.comparisons, "comparison", nil, "remove the comparison of this name; may be given often")
	p.StringArrayVar(&f.baselines, "baseline", nil, "forget the baseline of this name; may be given often")
	p.StringArrayVar(&f.tables, "table", nil, "remove only this table, of what is named; may be given often")
	p.BoolVar(&f.summaries, "keep-summaries", false, "of runs, keep what histories read")
	return c
}

// drop removes all that is named or, where something does not exist, nothing. A drop that is interrupted can be repeated:
// what lists a partition goes before its files, so that it is there or gone for readers, and never half.
func (a *app) drop(ctx context.Context, selectors []string, f dropFlags) error {
	if len(selectors)+len(f.comparisons)+len(f.baselines) == 0 { // nothing named would mean everything
		return console.Usagef("name the runs to drop, or comparisons with --comparison; see analyze drop --help")
	}
	if f.summaries && len(f.comparisons)+len(f.baselines)+len(f.tables) > 0 {
		return console.Usagef("--keep-summaries is for runs alone, without --comparison, --baseline and --table")
	}
	for _, table := range f.tables {
		if table == "runs" || slices.Contains(plan.Given, table) { // tables of the trace itself
			return console.Usagef("--table %s: it holds the trace, which no analysis makes again: drop the run", table)
		}
	}
	l, err := a.openToWrite()
	if err != nil {
		return err
	}
	partitions, err := f.partitions(l, selectors) // all names are checked before anything goes
	if err != nil {
		return err
	}
	for _, p := range partitions {
		what := p.Key + " " + p.Name
		if f.summaries {
			what, err = what+": all but its summaries", runs.Reduce(ctx, l, p.Name)
		} else if len(f.tables) > 0 {
			what, err = what+": "+strings.Join(f.tables, ", "), l.DropTables(ctx, p, f.tables...) // only some tables
		} else {
			err = l.Drop(ctx, p) // the whole partition
		}
		if err != nil {
			return err
		}
		a.Logger(a.stderr).Info(what + ": dropped")
	}
	return views.Follow(ctx, l) // views of what is gone go with it
}

// partitions are what the arguments and flags name. A name that the lake lacks is wrong usage.
func (f *dropFlags) partitions(l *lake.Lake, selectors []string) (all []lake.Partition, err error) {
	for _, selector := range selectors {
		names, unknown := runs.Select(l, []string{selector})
		if unknown != nil {
			if err := remains(l, lake.Run(selector), unknown); err != nil {
				return nil, err
			}
			names = []string{selector}
		}
		for _, name := range names {
			if p := lake.Run(name); !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	for _, name := range f.comparisons {
		p := lake.Comparison(name)
		if unknown := exists(l, p); unknown != nil {
			if err := remains(l, p, unknown); err != nil {
				return nil, err
			}
		}
		all = append(all, p)
	}
	for _, name := range f.baselines {
		if err := baselineExists(l, name); err != nil {
			return nil, err
		}
		all = append(all, runs.BaselinePartition(name))
	}
	return all, nil
}

// remains returns the error for a name that the lake does not have, unless an interrupted drop left files of it, which go now.
func remains(l *lake.Lake, p lake.Partition, unknown error) error {
	if left, err := l.Remains(p); err == nil && left {
		return nil
	}
	return unknown
}

// baselineExists returns the error for a baseline that the lake does not have, unless an interrupted drop left files of it.
func baselineExists(l *lake.Lake, name string) error {
	if _, unknown := runs.ReadBaseline(l, name); unknown != nil {
		return remains(l, runs.BaselinePartition(name), unknown)
	}
	return nil
}

// exists returns the error for a comparison that the lake does not have, with the names of some that it has.
func exists(l *lake.Lake, p lake.Partition) error {
	have, err := l.Partitions(p.Key)
	if err != nil || slices.Contains(have, p) { // it is there
		return err
	}
	if len(have) == 0 { // no name to suggest
		return console.Usagef("no %s is named %s; the lake has none", p.Key, p.Name)
	}
	names := make([]string, len(have))
	for i := range have {
		names[i] = have[i].Name
	}
	return console.Usagef("no %s is named %s; the lake has %s", p.Key, p.Name, runs.FirstNames(names))
}

// comparisonsCommand lists what was made of several runs.
func (a *app) comparisonsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "comparisons", Short: "List the comparisons, levels, histories and evaluations of the lake with their sizes",
		Example: "  analyze comparisons --lake lake", Args: noArguments,
		RunE: a.reading(nil, func(_ context.Context, l *lake.Lake, _ []string) error {
			partitions, err := l.Partitions("comparison")
			if err != nil {
				return err
			}
			g := texttab.New("llrrr")
			g.Row("comparison", "made by", "tables", "rows", "MB")
			for _, p := range partitions {
				if err := comparisonRow(g, l, p); err != nil {
					return err
				}
			}
			return g.Write(a.stdout)
		}),
	}
}

// comparisonRow adds up the tables of a comparison. Several commands may have left tables under one name.
func comparisonRow(g *texttab.Table, l *lake.Lake, p lake.Partition) error {
	v, err := l.Inventory(p)
	if err != nil {
		return err
	}
	var stages []string
	var rows, bytes int64
	for _, m := range v.Tables {
		if !slices.Contains(stages, m.Stage) {
			stages = append(stages, m.Stage)
		}
		rows += m.Rows()
		for _, f := range m.Files {
			bytes += f.Bytes
		}
	}
	slices.Sort(stages)
	g.Row(p.Name, strings.Join(stages, " "), texttab.Count(len(v.Tables)), texttab.Count(rows), fmt.Sprintf("%.1f", float64(bytes)/1e6))
	return nil
}
