package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/history"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// historyFlags are those of analyze history.
type historyFlags struct {
	by, id, component, subject, format, out string
	order                                   []string
	top                                     int
}

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
of its runs' cost per root execution, on a logarithmic scale. Change points are where the means of the
releases on both sides differ by more than chance among all places and all subjects leaves (moderated t,
releases as the unit, false discovery rate 5 %; rank_p in the table is that of a rank scan beside). How
much it is, the runs on both sides say, as in analyze compare: verdicts beyond a margin of 5 %.

Change points take 8 releases, and two releases on either side. The newest release is compared with those
since the last change point, and below 8 releases with all others. What only it has is unconfirmed:
a later release tells a change from what the runs of one release share.

The result is kept in the tables history and change_points under the comparison's name.`,
		Example: `  analyze history
  analyze history --by version scenario=http --component lib_poll
  analyze history --order 1.0,1.1,2.0-rc1,2.0 --format json
  analyze history --subject Curl_poll -o poll.svg`,
		RunE: func(c *cobra.Command, args []string) error { return a.history(c.Context(), args, f) },
	}
	p := c.Flags()
	p.StringVar(&f.by, "by", "release", "the label whose values are the releases")
	p.StringSliceVar(&f.order, "order", nil, "the releases in their order, with commas between (default: as versions)")
	p.StringVar(&f.id, "id", "", "name of the comparison (default: history-by-LABEL)")
	p.StringVar(&f.component, "component", "", "print only what is of this component")
	p.StringVar(&f.subject, "subject", "", "print only what has this text in its name, its function or its fragment, and its values")
	p.IntVar(&f.top, "top", 10, "how many change points to print; the table change_points has all")
	p.StringVar(&f.format, "format", "text", "text or json")
	p.StringVarP(&f.out, "output", "o", "", "also draw the first subject that is printed as an SVG picture; - is the standard output, in the place of all else")
	return c
}

func (f *historyFlags) check() error {
	switch {
	case f.by == "":
		return console.Usagef("--by names a label, such as release")
	case f.format != "text" && f.format != "json":
		return console.Usagef("--format %q: text or json", f.format)
	case f.top < 1:
		return console.Usagef("--top is 1 or more")
	}
	return nil
}

func (a *app) history(ctx context.Context, selectors []string, f historyFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	l, release, err := a.openToWrite()
	if err != nil {
		return err
	}
	defer release()
	j := history.Job{
		Lake: l, ID: f.id, Series: changepoint.Defaults(), Verdicts: verdicts.Defaults(), Matching: matching.ByDifference, Jobs: a.Jobs,
	}
	if j.ID == "" {
		j.ID = "history-by-" + label([]string{f.by})
	}
	if err := lake.CheckName(j.ID); err != nil {
		return console.Usagef("name the comparison with --id: %w", err)
	}
	if j.Releases, err = releasesBy(l, selectors, f); err != nil {
		return err
	}
	return a.tellHistory(ctx, j, f)
}

// tellHistory brings the runs up to date, looks at the releases, and prints and draws what it finds.
func (a *app) tellHistory(ctx context.Context, j history.Job, f historyFlags) error {
	var runs []string
	for _, r := range j.Releases {
		runs = append(runs, r.Runs...)
	}
	if _, err := a.bringUpToDate(ctx, j.Lake, runs, asBefore()); err != nil {
		return err
	}
	var done func()
	j.Progress, done = a.Progress(a.stderr, "history", false)
	t, fresh, err := history.Run(ctx, j)
	done()
	if err != nil {
		return err
	}
	if !fresh {
		if err := a.writeDatabase(ctx, j.Lake); err != nil {
			return err
		}
	}
	h := newHistoryReport(j, f, t)
	if f.out != "" {
		if err := a.drawHistory(ctx, j, f, h); err != nil || f.out == "-" {
			return err
		}
	}
	if f.format == "json" {
		return h.json(a.stdout)
	}
	return h.text(a.stdout)
}
