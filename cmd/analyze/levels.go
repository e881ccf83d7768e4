package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/tasks"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/modelsets"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
	levelsreport "github.com/tracelake/tracelake/stages/report/levels"
)

// levelsFlags are the flags of analyze levels.
type levelsFlags struct {
	id         string // the name of the comparison; empty: made of the model sets
	completion string // a word of completions
	level      string // what is compared: fragments or components
	format     string // text or json
	top        int    // rows of a list that are printed
	plan       bool   // publish the plan instead of comparing
	elsewhere  *tasks.Elsewhere
}

// completions are the words of --completion. The position of a word is the constant of package levels that it stands for.
var completions = []string{"none", "partial", "full"}

// levelsCommand compares the behaviour of model sets, whatever time it takes.
func (a *app) levelsCommand() *cobra.Command {
	var f levelsFlags
	c := &cobra.Command{
		Use:   "levels RUN[,RUN]...|KEY=VALUE...",
		Short: "Say how the behaviour of releases differs, on six levels",
		Long: `Compares what several releases can do, whatever time they take: model sets, each of one run or several.
Every argument is a model set: a run's name, several with commas between, or key=value for all runs
with that label, key=value,key=value for those with both. The models are the automata of the service fragments, of all runs of a set together.
Runs that are not analyzed yet are analyzed first.

The levels (Hendriks et al. 2022; Hilbig 2023, section 2.3.2):

  1  which model sets have the same behaviour: they are one variant and have one letter
  2  which variants extend which: in A -> B every fragment of A has in B the same behaviour or more
  3  how many fragments differ between any two
  4  which variant of a fragment a model set has; - where it does not have the fragment
  5  which variants of a fragment extend which
  6  how many transitions were added and removed between two variants

Then: what became of every fragment from one model set to the next. A fragment has moved where its name is gone and a new one has
exactly its behaviour. analyze compare counts more as moved: there a name may be new inside of the steps, too, and functions that
are alike in name, callers and callees are the same function.

With --completion the lattices also get the unions and intersections of variants that are unrelated:
partial computes variants, full makes model sets of them too.

The result is kept in the tables variants, lattice, differences and entity_changes under the
comparison's name. The table lattice has an example of each pair of variants: a shortest sequence of
steps that only one of the two allows.`,
		Example: `  analyze levels release=7.88.0 release=7.88.1 release=8.14.1
  analyze levels fast-1,fast-2 slow-1,slow-2 --id nightly --level components
  analyze levels a b --completion full --format json`,
		Args: atLeast(2, "name two model sets or more"),
		RunE: func(c *cobra.Command, args []string) error { return a.levels(c.Context(), args, f) },
	}
	p := c.Flags()
	p.StringVar(&f.id, "id", "", "name of the comparison (default: FIRST-vs-SECOND-vs-...)")
	p.StringVar(&f.completion, "completion", completions[levels.None], "which variants are computed in addition to those of the input: "+strings.Join(completions, ", "))
	a.Choice(p, &f.level, "level", string(modelsets.Fragments), "what is compared: fragments, or components, each with all its fragments",
		string(modelsets.Fragments), string(modelsets.Components))
	a.Choice(p, &f.format, "format", "text", "text or json", "text", "json")
	f.elsewhere = a.addWorkers(c, &f.plan)
	p.IntVar(&f.top, "top", 10, "how many fragments to print on levels 4 to 6 and of every change; the tables have all")
	return c
}

// check turns the flags into options.
// Words that the program does not know are wrong usage, and the message lists those it knows.
func (f *levelsFlags) check() (levels.Options, error) {
	o := levels.Defaults
	completion := slices.Index(completions, f.completion) // its position is the constant
	switch {
	case completion < 0:
		return o, console.Usagef("--completion %q: one of %s", f.completion, strings.Join(completions, ", "))
	case f.top < 1:
		return o, console.Usagef("--top is 1 or more")
	}
	o.Completion = levels.Completion(completion)
	return o, f.elsewhere.Check()
}

// levels resolves the model sets and names the comparison.
func (a *app) levels(ctx context.Context, selectors []string, f levelsFlags) error {
	o, err := f.check()
	if err != nil {
		return err
	}
	l, err := a.openToWrite()
	if err != nil {
		return err
	}
	j := modelsets.Job{Engine: a.engine(l), ID: f.id, Spec: modelsets.Spec{Of: modelsets.Of(f.level), Options: o}}
	// The sets are resolved under the lock, so that no run is dropped between its choice and its analysis.
	if j.Sets, err = modelSets(l, selectors); err != nil { // each of one run or several
		return err
	}
	if err := warnPooled(a, l, "set", j.Sets, runs.LabelKeys(selectors)); err != nil {
		return err
	}
	j.ID = cmp.Or(j.ID, runs.Versus(j.Sets, func(s modelsets.Set) string { return s.Name })) // the lake keeps the result under it
	if err := lake.CheckName(j.ID); err != nil {
		return console.Usagef("name the comparison with --id: %w", err)
	}
	return a.compareLevels(ctx, j, f)
}

// compareLevels brings the automata of the runs up to date, compares them and prints the result.
func (a *app) compareLevels(ctx context.Context, j modelsets.Job, f levelsFlags) error {
	var names []string
	for _, set := range j.Sets {
		names = append(names, set.Runs...)
	}
	slices.Sort(names) // a run may be in several sets, and is analyzed once
	stages := keepStoredOptions()
	// Behaviour needs only the automata: the other stages of new runs are left for later.
	stages.stages = []string{"automata"}
	if f.plan {
		return a.planComparison(ctx, j.Engine, slices.Compact(names), stages, j.ID, modelsets.Stage(j.Spec), f.format)
	}
	if did, err := a.goElsewhere(ctx, j.Engine, f.elsewhere); did || err != nil {
		return err
	}
	t, err := runJob(ctx, a, j.Lake, slices.Compact(names), stages, "levels", func(meter *pipeline.Meter) (*modelsets.Tables, bool, error) {
		j.Progress = meter
		return modelsets.Run(ctx, j)
	})
	if err != nil {
		return err
	}
	report := levelsReport(j, t) // from the tables that are in the lake now
	if f.format == "json" {
		return report.WriteJSON(a.stdout)
	}
	return report.WriteText(a.stdout, f.top)
}

// levelsReport makes a report of the tables of a comparison.
// The report knows neither job nor lake.
func levelsReport(j modelsets.Job, t *modelsets.Tables) *levelsreport.Report {
	r := &levelsreport.Report{
		Comparison: j.ID, Entities: string(j.Of), Completed: j.Options.Completion != levels.None,
		Variants: t.Variants, Lattice: t.Lattice, Differences: t.Differences, Changes: t.Changes,
	}
	for _, set := range j.Sets {
		r.Sets = append(r.Sets, levelsreport.Set(set))
	}
	return r
}

// levelsOfSides compares the behaviour of the two sides of a comparison of times. It keeps the result under the same name.
// Its two model sets are the sides, named by their labels unless these are equal.
func (a *app) levelsOfSides(ctx context.Context, j compare.Job, c compareFlags) error {
	f := levelsFlags{format: c.format, top: c.top}
	base, cand := runs.Label(c.base), runs.Label(c.cand) // of the sides, as their selectors name them
	if base == cand {                                    // equal labels: the selectors themselves
		base, cand = strings.Join(c.base, ","), strings.Join(c.cand, ",")
	}
	if f.format == "text" { // a blank line between both reports
		fmt.Fprintln(a.stdout)
	}
	return a.compareLevels(ctx, modelsets.Job{
		Engine: a.engine(j.Lake), ID: j.ID, Spec: modelsets.Spec{
			Of: modelsets.Fragments, Options: levels.Options{Completion: levels.None},
			Sets: []modelsets.Set{{Name: base, Runs: j.Base}, {Name: cand, Runs: j.Cand}},
		},
	}, f)
}

// modelSets returns the sets that the arguments of analyze levels name. A set takes its name from its runs or from the value
// of its label. Where two sets would have the same name, each is named by its whole argument.
// The order is that of the arguments, which the report keeps. One argument given twice is refused.
func modelSets(l *lake.Lake, selectors []string) (sets []modelsets.Set, err error) {
	var short []string
	for _, s := range selectors {
		parts := []string{s}
		if len(runs.LabelKeys(parts)) == 0 { // names; a run with several labels has all of them, as everywhere
			parts = strings.Split(s, ",")
		}
		names, err := runs.Select(l, parts)
		if err != nil {
			return nil, err
		}
		sets = append(sets, modelsets.Set{Name: s, Runs: names})
		short = append(short, runs.Label(parts)) // short for release=1 is 1
	}
	for i, s := range selectors {
		if slices.Contains(selectors[:i], s) {
			return nil, console.Usagef("model set %s is named twice", s)
		}
	}
	// The short names serve only if all of them differ.
	if len(slices.Compact(slices.Sorted(slices.Values(short)))) == len(short) { // all short names differ
		for i := range sets {
			sets[i].Name = short[i]
		}
	}
	return sets, nil
}
