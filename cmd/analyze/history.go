package main

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/tasks"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/history"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/change/definitions"
	"github.com/tracelake/tracelake/stages/change/strata"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	historyreport "github.com/tracelake/tracelake/stages/report/history"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// historyFlags are the flags of analyze history.
type historyFlags struct {
	by        string   // the label whose values are the releases
	order     []string // of the releases; empty: as versions
	id        string   // the name of the history; empty: made of the label
	component string   // report only this component
	subject   string   // report only subjects with this text in a name
	format    string   // text or json
	out       string   // the file of the picture; - for the standard output, empty for none
	file      string   // of definitions; empty for none
	top       int      // change points that are printed
	plan      bool     // publish the plan instead of comparing
	elsewhere *tasks.Elsewhere
}

// historyCommand finds change points in a series of releases.
func (a *app) historyCommand() *cobra.Command {
	var f historyFlags
	c := &cobra.Command{
		Use:   "history [RUN|KEY=VALUE|@BASELINE]...",
		Short: "Say in which release of a series a change is first seen",
		Long: `Looks at a series of releases, each of one run or several: those runs of the selected ones, all without
arguments, that have the same value of a label. Releases are in the order of their versions, so that 8.9
comes before 8.14 and 8.14.0-rc1 before 8.14.0; --order names them in another order, and leaves out those
that it does not name. Runs without the label are left out. Runs that are not analyzed yet are analyzed
first.

Every step, fragment, metric, message and part of critical paths has one value in a release: the median
of its runs' cost per root execution, on a logarithmic scale. A change point is a release where the means of
the releases before and after differ by more than chance explains, over all positions and all subjects
(moderated t, releases as the unit, false discovery rate 5 %; rank_p in the table is the p-value of a rank
scan). The size of a change is estimated from the runs on both sides, as in analyze compare, with a margin
of 5 %.

A release that stands alone is an outlier, in parentheses: it moves no change point. Where a line describes
20 releases or more better than levels do, they are a trend, which rises or falls steadily and is not cut.
Releases that resemble their neighbours count as fewer than they are. Changes within the margin are none.

What all functions of a run have in common, such as a slower night of the machine, is a series of its own,
"all functions alike", and is taken out of everything that follows it but the run times of root executions.

Change points need 8 releases, at least two of them on either side. The newest release is compared with those
since the last change point, and below 8 releases with all others. A change that only the newest release
shows is unconfirmed: only a later release can distinguish it from something that the runs of one release share.

The result is kept in the tables history and change_points under the comparison's name.

` + definitions.Help,
		Example: `  analyze history
  analyze history --by version scenario=http --component lib_poll
  analyze history --order 1.0,1.1,2.0-rc1,2.0 --format json
  analyze history --subject Curl_poll -o poll.svg`,
		RunE: a.writing(f.check, func(ctx context.Context, l *lake.Lake, args []string) error { return a.history(ctx, l, args, f) }),
	}
	p := c.Flags()
	p.StringVar(&f.by, "by", "release", "the label whose values are the releases")
	p.StringSliceVar(&f.order, "order", nil, "the releases in their order, with commas between (default: as versions)")
	p.StringVar(&f.id, "id", "", "name of the comparison (default: history-by-LABEL)")
	p.StringVar(&f.file, "definitions", "", "a file of own metrics and of thresholds of components; see above")
	p.StringVar(&f.component, "component", "", "print only what is of this component")
	p.StringVar(&f.subject, "subject", "", "print only what has this text in its name, its function or its fragment, and its values")
	p.IntVar(&f.top, "top", 10, "how many change points to print; the table change_points has all")
	a.Choice(p, &f.format, "format", "text", "text or json", "text", "json")
	f.elsewhere = a.addWorkers(c, &f.plan)
	p.StringVarP(&f.out, "output", "o", "", "also draw the first subject that is printed as an SVG picture; - is the standard output, in the place of all else")
	return c
}

// check refuses flags that contradict each other.
// It runs before the lake is opened, so that a mistake does not wait for a lock.
func (f *historyFlags) check() error {
	switch {
	case f.by == "":
		return console.Usagef("--by names a label, such as release")
	case f.top < 1:
		return console.Usagef("--top is 1 or more")
	}
	return f.elsewhere.Check()
}

// history divides the selected runs into releases and names the history.
func (a *app) history(ctx context.Context, l *lake.Lake, selectors []string, f historyFlags) (err error) {
	// The rules of single comparisons hold for histories, too, but no flag changes them.
	j := history.Job{Engine: a.engine(l), ID: f.id, Spec: history.Spec{
		Series: changepoint.Defaults(), Verdicts: verdicts.Defaults(), Matching: matching.ByDifference,
	}}
	j.ID = cmp.Or(j.ID, "history-by-"+runs.Label([]string{f.by})) // as history-by-release
	if err := lake.CheckName(j.ID); err != nil {
		return console.Usagef("name the comparison with --id: %w", err)
	}
	if j.Definitions, err = readDefinitions(f.file); err != nil {
		return err
	}
	if j.Releases, err = releasesBy(l, selectors, f); err != nil { // in their order
		return err
	}
	if err := warnPooled(a, l, f.by, j.Releases, append(runs.LabelKeys(selectors), f.by), strata.Confounded); err != nil {
		return err
	}
	return a.reportHistory(ctx, j, f)
}

// reportHistory brings the runs up to date, compares the releases, and prints and draws the change points.
func (a *app) reportHistory(ctx context.Context, j history.Job, f historyFlags) error {
	whole, err := runs.Whole(j.Lake, j.Runs()) // the others have what a history reads, and nothing else
	if err != nil {
		return err
	}
	if f.plan {
		return a.planComparison(ctx, j.Engine, whole, keepStoredOptions(), j.ID, history.Stage(j.Spec), f.format)
	}
	if did, err := a.goElsewhere(ctx, j.Engine, f.elsewhere); did || err != nil {
		return err
	}
	t, err := runJob(ctx, a, j.Lake, whole, keepStoredOptions(), "history", func(meter *pipeline.Meter) (*history.Tables, bool, error) {
		j.Progress = meter
		return history.Run(ctx, j)
	})
	if err != nil {
		return asUsage(f.file, err) // an error in definitions is one of the user's file
	}
	// The picture comes first: with -o - it is all that the standard output gets.
	report, err := historyReport(j, f, t)
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := a.drawHistory(ctx, j, f, report); err != nil || f.out == "-" { // nothing else may follow a picture on the standard output
			return err
		}
	}
	return inFormat(f.format, report.WriteText, report.WriteJSON)(a.stdout)
}

// historyReport makes a report of the tables of a history.
// The flags choose what is printed; the tables have everything.
func historyReport(j history.Job, f historyFlags, t *history.Tables) (*historyreport.Report, error) {
	o := historyreport.Options{
		Comparison: j.ID, By: f.by, Margin: j.Verdicts.Margin, Component: f.component, Subject: f.subject, Top: f.top,
	}
	for _, r := range j.Releases {
		o.Releases = append(o.Releases, historyreport.Release(r)) // the same fields under the name of the report
	}
	return historyreport.New(o, t.Points, t.Values)
}

// drawHistory draws the history of one subject.
// It reads the costs of all runs of the subject, which the tables sum up by release.
func (a *app) drawHistory(ctx context.Context, j history.Job, f historyFlags, report *historyreport.Report) error {
	series, found := report.PictureSubject() // the first change point, or the subject asked for
	if !found {
		return console.Usagef("-o: there is no change point to draw; --subject and --component name a subject")
	}
	costsNs, err := history.Costs(ctx, j, series)
	if err != nil {
		return err
	}
	return a.writeOutput(f.out, report.Picture(series, costsNs).WriteSVG)
}

// releasesBy groups the selected runs by the label of --by into releases, in order.
// The order of releases is that of their versions, of the runs in a release that of their names. Fewer than two
// releases are wrong usage.
func releasesBy(l *lake.Lake, selectors []string, f historyFlags) ([]history.Release, error) {
	names, err := runs.Select(l, selectors)
	if err != nil {
		return nil, err
	}
	described, err := runs.Described(l, names)
	if err != nil {
		return nil, err
	}
	of := make(map[string][]string) // runs by release
	for _, run := range names {
		if value, has := described[run].Labels[f.by]; has { // others are left out
			of[value] = append(of[value], run)
		}
	}
	order, err := f.inOrder(slices.SortedFunc(maps.Keys(of), changepoint.CompareReleases)) // 8.9 before 8.14
	if err != nil {
		return nil, err
	}
	if len(of) == 0 {
		keys := make(map[string]bool)
		for _, run := range described {
			for key := range run.Labels {
				keys[key] = true
			}
		}
		return nil, console.Usagef("no selected run has the label %s: name another one with --by; they have %s", f.by, cmp.Or(strings.Join(slices.Sorted(maps.Keys(keys)), ", "), "no label"))
	}
	if len(order) < 2 {
		return nil, console.Usagef("a history needs two releases or more, and the selected runs have %s of the label %s; --by names another label",
			texttab.Plural(len(order), "value"), f.by)
	}
	releases := make([]history.Release, len(order))
	for i, name := range order {
		releases[i] = history.Release{Name: name, Runs: slices.Sorted(slices.Values(of[name]))} // by name, so that the order of ingest does not count
	}
	return releases, nil
}

// inOrder returns the releases in the order of --order, which may leave some out, or else as they are.
// Every name of --order must be a release that some selected run has, and only once.
func (f *historyFlags) inOrder(have []string) ([]string, error) {
	if len(f.order) == 0 {
		return have, nil
	}
	for i, name := range f.order {
		if !slices.Contains(have, name) {
			return nil, console.Usagef("--order %s: no selected run has %s=%s; they have %s", strings.Join(f.order, ","), f.by, name, runs.FirstNames(have))
		}
		if slices.Contains(f.order[:i], name) {
			return nil, console.Usagef("--order %s: %s stands twice", strings.Join(f.order, ","), name)
		}
	}
	return f.order, nil
}
