package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/comparison"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/changes"
	"github.com/tracelake/tracelake/stages/detect"
	"github.com/tracelake/tracelake/stages/matching"
)

// compareFlags are those of analyze compare.
type compareFlags struct {
	base, cand       []string
	id, method, norm string
	matching         string
	abs, guard       time.Duration
	ratio, p         float64
	failOn, format   string
	top              int
	levels           bool
}

// normalisations are the words of --normalisation.
var normalisations = []string{schema.NormAbsolute, schema.NormRelative, schema.NormStackBased, schema.NormFragmentAbsolute}

// failures are the words of --fail-on with the verdicts that they mean.
var failures = map[string][]string{
	"regressed": {schema.Slower},
	"improved":  {schema.Faster},
	"changed":   {schema.Slower, schema.Faster, schema.Changed, schema.Appeared, schema.Vanished, schema.Moved},
}

func (a *app) compareCommand() *cobra.Command {
	var f compareFlags
	d := detect.Defaults()
	c := &cobra.Command{
		Use:   "compare --base RUN|KEY=VALUE... --cand RUN|KEY=VALUE...",
		Short: "Say what changed between baseline runs and candidate runs",
		Long: `Compares the time samples of every step of every service fragment, and every timing metric, of
candidate runs with those of baseline runs. Each side is one run or several; a selector is a run's
name or key=value for all runs with that label. Runs that are not analyzed yet are analyzed first.

Methods (Hilbig 2023, section 3.5): abs and rel compare the sums of the samples, ks and mwu are the
Kolmogorov-Smirnov and the Mann-Whitney test, shift asks whether all deciles moved one way, and dyn
combines them. They take every sample for an independent one, so they say that two sets of traces
differ; how much runs of one release differ among themselves, only more runs can tell.

Steps are paired by the difference of the automata of a fragment (LTSdiff; Hilbig 2023, section 3.3), so that
they are compared behind a functional change, too. A fragment that one side lacks has moved if exactly one
other of the other side has the same steps: in another component, for another caller, or under another function's
name. --matching walk pairs steps up to a functional change, and looks for nothing that moved.

Critical paths: the column says how much time a run spends in the function of the step on the
critical paths of initial fragments, which no message starts; "never" means that its own time delays
none of them, "unknown" that the trace does not show what they waited for. Then come the parts of these paths that changed; --fail-on does not look at them.

The result is kept in the tables changes and matches under the comparison's name.

Exit code: 0 fine, 1 failed, 2 wrong usage, 3 found what --fail-on names.`,
		Example: `  analyze compare --base fast --cand slow
  analyze compare --base release=8.13 --cand release=8.14 --id nightly --fail-on regressed
  analyze compare --base a --cand b --method ks --p 0.01 --format json`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return a.compare(c.Context(), f) },
	}
	p := c.Flags()
	p.StringArrayVar(&f.base, "base", nil, "a baseline run, or key=value; may be given often")
	p.StringArrayVar(&f.cand, "cand", nil, "a candidate run, or key=value; may be given often")
	p.StringVar(&f.id, "id", "", "name of the comparison (default: BASE-vs-CAND)")
	p.StringVar(&f.method, "method", string(detect.DYN), "what decides: abs, rel, ks, mwu, shift or dyn")
	p.StringVar(&f.norm, "normalisation", schema.NormFragmentAbsolute, "of time samples: "+strings.Join(normalisations, ", "))
	p.StringVar(&f.matching, "matching", string(matching.ByDifference), "how steps are paired: ltsdiff, also behind a functional change, or walk, up to it")
	p.DurationVar(&f.abs, "abs", time.Duration(d.AbsNs), "threshold of abs on the difference of the sums")
	p.DurationVar(&f.guard, "guard", time.Duration(d.GuardNs), "difference of the sums below which dyn does not listen to ks, mwu and shift")
	p.Float64Var(&f.ratio, "rel", d.Rel, "threshold of rel on the ratio of the sums")
	p.Float64Var(&f.p, "p", d.P, "level of significance of ks and mwu")
	p.BoolVar(&f.levels, "levels", false, "also say how the behaviour differs, on six levels; see analyze levels")
	p.StringVar(&f.failOn, "fail-on", "", "exit with code 3 when something is: regressed, improved or changed")
	p.StringVar(&f.format, "format", "text", "text or json")
	p.IntVar(&f.top, "top", 10, "how many changes to print; the table changes has all")
	return c
}

// check checks the flags and makes them options.
func (f *compareFlags) check() (changes.Options, error) {
	var o changes.Options
	method, err := detect.ParseMethod(f.method)
	if err != nil {
		return o, console.Usagef("--method: %w", err)
	}
	switch {
	case len(f.base) == 0 || len(f.cand) == 0:
		return o, console.Usagef("name both sides with --base and --cand; see analyze compare --help")
	case !slices.Contains(normalisations, f.norm):
		return o, console.Usagef("--normalisation %q: one of %s", f.norm, strings.Join(normalisations, ", "))
	case f.failOn != "" && failures[f.failOn] == nil:
		return o, console.Usagef("--fail-on %q: one of regressed, improved, changed", f.failOn)
	case f.format != "text" && f.format != "json":
		return o, console.Usagef("--format %q: text or json", f.format)
	case f.p <= 0 || f.p >= 1 || f.ratio < 1 || f.abs < 0 || f.guard < 0 || f.top < 1:
		return o, console.Usagef("--p lies between 0 and 1, --rel is 1 or more, --top 1 or more, --abs and --guard are not negative")
	}
	return changes.Options{
		Method: method, Normalisation: f.norm,
		Thresholds: detect.Options{AbsNs: int64(f.abs), GuardNs: int64(f.guard), Rel: f.ratio, P: f.p},
	}, nil
}

func (a *app) compare(ctx context.Context, f compareFlags) error {
	opt, err := f.check()
	if err != nil {
		return err
	}
	match, err := matching.ParseMethod(f.matching)
	if err != nil {
		return console.Usagef("--matching: %w", err)
	}
	l, release, err := a.openToWrite()
	if err != nil {
		return err
	}
	defer release()
	j := comparison.Job{Lake: l, ID: f.id, Options: opt, Matching: match, Jobs: a.Jobs}
	if j.Base, err = selectRuns(l, f.base); err != nil {
		return err
	}
	if j.Cand, err = selectRuns(l, f.cand); err != nil {
		return err
	}
	if err := f.name(&j); err != nil {
		return err
	}
	if _, err := a.bringUpToDate(ctx, l, slices.Concat(j.Base, j.Cand), asBefore()); err != nil {
		return err
	}
	var done func()
	j.Progress, done = a.Progress(a.stderr, "compare", false)
	all, fresh, err := comparison.Run(ctx, j)
	done()
	if err != nil {
		return err
	}
	if !fresh {
		if err := a.writeDatabase(ctx, l); err != nil {
			return err
		}
	}
	if err := a.tellChanges(l, j, f, all); err != nil {
		return err
	}
	if f.levels {
		if err := a.levelsOfSides(ctx, j, f); err != nil {
			return err
		}
	}
	if fails(f.failOn, all) {
		return console.Exit(console.Changed)
	}
	return nil
}

// fails says whether there is a change that a word of --fail-on means. Critical paths say where a change arrives,
// not that there is one.
func fails(word string, all []schema.Change) bool {
	others, _ := apart(all)
	return slices.ContainsFunc(others, func(c schema.Change) bool { return slices.Contains(failures[word], c.Verdict) })
}

// name names the comparison and sees that no run is on both sides.
func (f *compareFlags) name(j *comparison.Job) error {
	for _, run := range j.Base {
		if slices.Contains(j.Cand, run) {
			return console.Usagef("run %s is on both sides", run)
		}
	}
	if j.ID == "" {
		j.ID = label(f.base) + "-vs-" + label(f.cand)
	}
	if err := lake.CheckName(j.ID); err != nil {
		return console.Usagef("name the comparison with --id: %w", err)
	}
	return nil
}

// label makes a name of selectors: release=1 becomes 1, several are joined. What a name cannot hold
// becomes a hyphen.
func label(selectors []string) string {
	var parts []string
	for _, s := range selectors {
		value := s[strings.LastIndexByte(s, '=')+1:]
		parts = append(parts, strings.Map(func(r rune) rune {
			if lake.CheckName("x"+string(r)) != nil {
				return '-'
			}
			return r
		}, value))
	}
	if len(parts) > 3 {
		parts = append(parts[:2], "and-more")
	}
	return strings.Join(parts, "+")
}

func (a *app) tellChanges(l *lake.Lake, j comparison.Job, f compareFlags, all []schema.Change) error {
	if f.format == "json" {
		return json.NewEncoder(a.stdout).Encode(newReport(j, all, f.top))
	}
	runs, _, err := readRuns(l)
	if err != nil {
		return err
	}
	return writeReport(a.stdout, j, runs, all, f.top)
}
