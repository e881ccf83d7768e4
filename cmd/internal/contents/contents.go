// Package contents has the commands that say what is in a lake and what it is made of: analyze runs, tables, describe and stages.
package contents

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/claims"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Runs returns the command that lists the runs, which writes to this stream.
// It reads one row of every run and no events.
func Runs(a *console.Globals, stdout *console.Plain) *cobra.Command {
	var groupBy []string
	c := &cobra.Command{
		Use: "runs", Short: "List the runs of the lake, or how many there are of every kind",
		Example: "  analyze runs --lake lake\n  analyze runs --group-by release,scenario", Args: console.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			l, err := stores.Open(a.Lake, false)
			if err != nil {
				return err
			}
			names, err := runs.Names(l) // of all runs
			if err != nil {
				return err
			}
			described, err := runs.Described(l, names)
			failed, fault := runs.Failures(l, names) // executions that failed as the trace says
			if err = cmp.Or(err, fault); err != nil {
				return err
			}
			if c.Flags().Changed("group-by") {
				return countRuns(stdout, described, groupBy)
			}
			g, columns := texttab.New("llrrrrrlr"), 8+min(len(failed), 1) // most traces know of no errors
			g.Row([]string{"run", "format", "events", "executions", "messages", "components", "duration", "labels", "errors"}[:columns]...)
			for _, name := range names {
				r := described[name]
				g.Row([]string{name, r.Format, texttab.Count(r.Events), texttab.Count(r.Executions), texttab.Count(r.Messages),
					texttab.Count(r.Components), texttab.Duration(r.DurationNs), labels(r.Labels), texttab.Count(failed[name])}[:columns]...)
			}
			return g.Write(stdout)
		},
	}
	c.Flags().StringSliceVar(&groupBy, "group-by", nil, "labels, with commas between: count the runs of every combination of their values")
	return c
}

// countRuns counts the runs of every combination of values of some labels: the cells of an experiment. Selector is what selects them.
func countRuns(stdout *console.Plain, described map[string]schema.Run, labels []string) error {
	counts := make(map[string]int)
	cells := make(map[string][]string)
	known := make(map[string]bool)
	for _, r := range described {
		var values []string
		for _, label := range labels {
			value, has := r.Labels[label]
			known[label] = known[label] || has // a mistyped label is on no run
			values = append(values, value)
		}
		key := strings.Join(values, "\x00") // values hold no NUL
		counts[key]++
		cells[key] = values
	}
	for _, label := range labels {
		if !known[label] {
			return console.Usagef("--group-by %s: no run has such a label", label)
		}
	}
	g := texttab.New(strings.Repeat("l", len(labels)) + "rl")
	g.Row(append(slices.Clone(labels), "runs", "selector")...)
	for _, key := range slices.Sorted(maps.Keys(counts)) { // by their values
		var parts []string
		for i, value := range cells[key] {
			parts = append(parts, labels[i]+"="+value)
		}
		g.Row(append(slices.Clone(cells[key]), texttab.Count(counts[key]), strings.Join(parts, ","))...)
	}
	return g.Write(stdout)
}

// labels writes labels as key=value, in the order of the keys.
// The form is that of selectors, so that a label can be copied from the list.
func labels(of map[string]string) string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(of)) {
		pairs = append(pairs, key+"="+of[key])
	}
	return strings.Join(pairs, " ")
}

// Tables returns the command that lists the tables with their sizes on disk.
// Also tables without rows are listed, since the list documents the lake.
func Tables(a *console.Globals, stdout *console.Plain) *cobra.Command {
	return &cobra.Command{
		Use: "tables", Short: "List the tables of the lake with their sizes", Example: "  analyze tables --lake lake", Args: console.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			l, err := stores.Open(a.Lake, false)
			if err != nil {
				return err
			}
			g := texttab.New("lrrrrl")
			g.Row("table", "partitions", "files", "rows", "MB", "what it holds")
			all, err := l.Inventories()
			if err != nil {
				return err
			}
			for _, doc := range schema.Tables() {
				if err := tableRow(g, l, all, doc); err != nil {
					return err
				}
			}
			return g.Write(stdout)
		},
	}
}

// tableRow adds up the partitions of a table, by the manifests. Rows are those that queries show.
func tableRow(g *texttab.Table, l *lake.Lake, all []*lake.Inventory, doc schema.TableDoc) error {
	var partitions, files, rows, bytes int64
	for _, partition := range all {
		m := partition.Table(doc.Name)
		if m == nil {
			continue
		}
		partitions, files, rows = partitions+1, files+int64(len(m.Files)), rows+m.Rows()
		for _, f := range m.Files {
			bytes += f.Bytes
		}
	}
	hidden, err := claims.HiddenRows(l, doc.Name, all)
	if err != nil {
		return err
	}
	g.Row(doc.Name, texttab.Count(partitions), texttab.Count(files), texttab.Count(rows-hidden), fmt.Sprintf("%.1f", float64(bytes)/1e6), doc.Doc)
	return nil
}

// Describe returns the command that documents a table. It needs no lake.
// The documentation is that of package schema, which the tables are made from.
func Describe(stdout *console.Plain) *cobra.Command {
	return &cobra.Command{
		Use: "describe TABLE", Short: "Describe a table and its columns", Example: "  analyze describe samples",
		Args: console.Exactly(1, "name one table, such as samples"),
		RunE: func(_ *cobra.Command, args []string) error {
			doc, known := schema.Table(args[0]) // tables are documented also where the lake has none
			if !known {
				return console.Usagef("no table %q; analyze tables lists them", args[0])
			}
			fmt.Fprintf(stdout, "%s: %s\nOne row is %s; partitioned by %s.\n\n", doc.Name, doc.Doc, doc.Grain, doc.Partition)
			g := texttab.New("") // all columns are text
			g.Row("column", "type", "unit", "null", "meaning")
			for _, c := range doc.Columns {
				null, meaning := "", c.Doc
				if c.Nullable {
					null = "yes"
				}
				if c.Key {
					meaning += " (key)"
				}
				g.Row(c.Name, c.Type, c.Unit, null, meaning)
			}
			return g.Write(stdout)
		},
	}
}

// Stages returns the command that lists the plan, with the stages that are there only where they are asked for.
func Stages(stdout *console.Plain) *cobra.Command {
	return &cobra.Command{
		Use: "stages", Short: "List the stages of an analysis and the tables that tie them", Example: "  analyze stages", Args: console.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			g := texttab.New("")
			g.Row("stage", "reads", "writes", "what it does")
			for _, s := range plan.Stages(plan.Options{Models: new(plan.Models), Gains: true, Steps: true, Signals: true}) { // also the stages that run only on demand
				g.Row(s.Name, strings.Join(s.Reads, " "), strings.Join(s.Writes, " "), s.Doc)
			}
			return g.Write(stdout)
		},
	}
}
