package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/modelsets"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
)

// levelsFlags are those of analyze levels.
type levelsFlags struct {
	id, completion, level, format string
	top                           int
}

// completions are the words of --completion, in the order of the constants that they mean.
var completions = []string{"none", "partial", "full"}

func (a *app) levelsCommand() *cobra.Command {
	var f levelsFlags
	c := &cobra.Command{
		Use:   "levels RUN[,RUN]...|KEY=VALUE...",
		Short: "Say how the behaviour of releases differs, on six levels",
		Long: `Compares what several releases can do, whatever time they take: model sets, each of one run or several.
Every argument is a model set: a run's name, several with commas between, or key=value for all runs
with that label. The models are the automata of the service fragments, of all runs of a set together.
Runs that are not analyzed yet are analyzed first.

The levels (Hendriks et al. 2022; Hilbig 2023, section 2.3.2):

  1  which model sets have the same behaviour: they are one variant and have one letter
  2  which variants extend which: in A -> B every fragment of A has in B the same behaviour or more
  3  how many fragments differ between any two
  4  which variant of a fragment a model set has; - where it does not have the fragment
  5  which variants of a fragment extend which
  6  how many transitions were added and removed between two variants

Then: what became of every fragment from one model set to the next.

With --completion the lattices also get the unions and intersections of variants that are unrelated:
partial computes variants, full makes model sets of them too.

The result is kept in the tables variants, lattice, differences and entity_changes under the
comparison's name.`,
		Example: `  analyze levels release=7.88.0 release=7.88.1 release=8.14.1
  analyze levels fast-1,fast-2 slow-1,slow-2 --id nightly --level components
  analyze levels a b --completion full --format json`,
		Args: atLeast(2, "name two model sets or more"),
		RunE: func(c *cobra.Command, args []string) error { return a.levels(c.Context(), args, f) },
	}
	p := c.Flags()
	p.StringVar(&f.id, "id", "", "name of the comparison (default: FIRST-vs-SECOND-vs-...)")
	p.StringVar(&f.completion, "completion", completions[levels.None], "what is computed beside the variants that there are: "+strings.Join(completions, ", "))
	p.StringVar(&f.level, "level", string(modelsets.Fragments), "what is compared: fragments, or components, which are all fragments of one")
	p.StringVar(&f.format, "format", "text", "text or json")
	p.IntVar(&f.top, "top", 10, "how many fragments to print on levels 4 to 6 and of every change; the tables have all")
	return c
}

// check checks the flags and makes them options.
func (f *levelsFlags) check() (levels.Options, error) {
	o := levels.Defaults
	completion := slices.Index(completions, f.completion)
	switch {
	case completion < 0:
		return o, console.Usagef("--completion %q: one of %s", f.completion, strings.Join(completions, ", "))
	case f.level != string(modelsets.Fragments) && f.level != string(modelsets.Components):
		return o, console.Usagef("--level %q: fragments or components", f.level)
	case f.format != "text" && f.format != "json":
		return o, console.Usagef("--format %q: text or json", f.format)
	case f.top < 1:
		return o, console.Usagef("--top is 1 or more")
	}
	o.Completion = levels.Completion(completion)
	return o, nil
}

func (a *app) levels(ctx context.Context, selectors []string, f levelsFlags) error {
	o, err := f.check()
	if err != nil {
		return err
	}
	l, release, err := a.openToWrite()
	if err != nil {
		return err
	}
	defer release()
	j := modelsets.Job{Lake: l, ID: f.id, Of: modelsets.Of(f.level), Options: o, Jobs: a.Jobs}
	if j.Sets, err = modelSets(l, selectors); err != nil {
		return err
	}
	if j.ID == "" {
		j.ID = levelsName(j.Sets)
	}
	if err := lake.CheckName(j.ID); err != nil {
		return console.Usagef("name the comparison with --id: %w", err)
	}
	return a.compareLevels(ctx, j, f)
}

// compareLevels brings the automata of the runs up to date, compares them and prints the result.
func (a *app) compareLevels(ctx context.Context, j modelsets.Job, f levelsFlags) error {
	var runs []string
	for _, set := range j.Sets {
		runs = append(runs, set.Runs...)
	}
	slices.Sort(runs)
	stages := asBefore()
	stages.stages = []string{"automata"}
	if _, err := a.bringUpToDate(ctx, j.Lake, slices.Compact(runs), stages); err != nil {
		return err
	}
	var done func()
	j.Progress, done = a.Progress(a.stderr, "levels", false)
	t, fresh, err := modelsets.Run(ctx, j)
	done()
	if err != nil {
		return err
	}
	if !fresh {
		if err := a.writeDatabase(ctx, j.Lake); err != nil {
			return err
		}
	}
	if f.format == "json" {
		return a.levelsJSON(j, t)
	}
	return writeLevels(a.stdout, j, t, f.top)
}

// levelsOfSides compares the behaviour of the two sides of a comparison, under its name, beside the times.
func (a *app) levelsOfSides(ctx context.Context, j compare.Job, c compareFlags) error {
	f := levelsFlags{format: c.format, top: c.top}
	base, cand := label(c.base), label(c.cand)
	if base == cand {
		base, cand = strings.Join(c.base, ","), strings.Join(c.cand, ",")
	}
	if f.format == "text" {
		fmt.Fprintln(a.stdout)
	}
	return a.compareLevels(ctx, modelsets.Job{
		Lake: j.Lake, ID: j.ID, Of: modelsets.Fragments, Options: levels.Options{Completion: levels.None}, Jobs: a.Jobs,
		Sets: []modelsets.Set{{Name: base, Runs: j.Base}, {Name: cand, Runs: j.Cand}},
	}, f)
}
