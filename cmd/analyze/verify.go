package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/live"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// verifyCommand checks the lake for damage.
func (a *app) verifyCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "verify [RUN|KEY=VALUE|@NAME...]", Short: "Check the files of the lake for damage",
		Long: `Checks that the files of the lake are as they were written: the manifests, which list the files of every
table, and of every file its size, its CRC-32C checksum and its number of rows. Names each damage.
Without arguments it checks all tables of all runs, comparisons and baselines, and the recordings of traces that
are still followed; with arguments, the tables of these runs. It writes nothing, and reads every byte once.

A damaged table that an analysis made is made again by analyze run, once analyze drop --table has removed it. A run
whose events, messages, annotations or description are damaged must be ingested again.

Exit code: 0 no damage, 1 damage found or failed, 2 wrong usage.`,
		Example: `  analyze verify
  analyze verify --format json release=8.14`,
		Args: cobra.ArbitraryArgs,
		RunE: a.reading(nil, func(ctx context.Context, l *lake.Lake, args []string) error { return a.verify(ctx, l, args, format) }),
	}
	a.Choice(c.Flags(), &format, "format", "text", "text or json", "text", "json")
	return c
}

// verify reads every byte of the wanted partitions and prints the damages. It takes no lock, so it can check a
// lake that cannot be written. Damage is exit code 1.
func (a *app) verify(ctx context.Context, l *lake.Lake, selectors []string, format string) error {
	wanted, err := wantedPartitions(l, selectors) // nil: the whole lake
	if err != nil {
		return err
	}
	meter, done := a.Progress(a.stderr, "verify", true)
	v, err := l.Verify(ctx, wanted, meter) // every byte is read once
	if err == nil {
		err = live.Verify(ctx, l, wanted, v, meter)
	}
	done()
	if err != nil {
		return err
	}
	err = inFormat(format, a.writeVerification, func(v *lake.Verification) error { return json.NewEncoder(a.stdout).Encode(v) })(v)
	if err == nil && len(v.Damages) > 0 { // exit code 1, as damage is a failure
		return console.Exit(console.Failed)
	}
	return err
}

// wantedPartitions returns a test for the runs that selectors mean, or nil for the whole lake. A run is found by its name
// even where its description, which has its labels, is damaged.
func wantedPartitions(l *lake.Lake, selectors []string) (func(lake.Partition) bool, error) {
	if len(selectors) == 0 {
		return nil, nil // all partitions
	}
	all, err := l.Partitions("run")
	if err != nil {
		return nil, err
	}
	chosen := make(map[string]bool)
	for _, s := range selectors {
		names := []string{s}
		if !slices.Contains(all, lake.Run(s)) { // not the name of a run: a label or a baseline
			if names, err = runs.Select(l, names); err != nil {
				return nil, err
			}
		}
		for _, name := range names {
			chosen[name] = true
		}
	}
	return func(p lake.Partition) bool { return p == lake.Run(p.Name) && chosen[p.Name] }, nil // comparisons have partitions of their own
}

// writeVerification prints a table of the damages, and what was checked.
func (a *app) writeVerification(v *lake.Verification) error {
	checked := fmt.Sprintf("%s and %s of %s", texttab.Plural(v.Manifests, "manifest"), texttab.Plural(v.Files, "file"), texttab.Plural(v.Bytes, "byte"))
	if len(v.Damages) == 0 {
		_, err := fmt.Fprintf(a.stdout, "no damage in %s\n", checked)
		return err
	}
	g := texttab.New("ll")
	g.Row("file", "damage")
	for _, d := range v.Damages {
		g.Row(d.File, d.Problem)
	}
	if err := g.Write(a.stdout); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.stdout, "\n%s in %s\n", texttab.Plural(len(v.Damages), "damage"), checked)
	return err
}
