package check

import (
	"slices"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/change/margins"
	"github.com/tracelake/tracelake/stages/report/checks"
)

// order orders the releases of runs, before any of them is read.
func (f *command) order(names []string, described map[string]schema.Run) error {
	f.releases, f.release = nil, nil
	for _, name := range names {
		value := described[name].Labels[f.over]
		if value == "" {
			return console.Usagef("--over %s: run %s has no such label; analyze runs lists the labels", f.over, name)
		}
		f.releases = append(f.releases, value)
	}
	values := slices.Clone(f.releases)
	slices.SortFunc(f.releases, changepoint.CompareReleases)
	f.releases = slices.Compact(f.releases)
	if len(f.releases) < 2 {
		return console.Usagef("--over %s: all runs have the value %s; choose runs of two values at least", f.over, f.releases[0])
	}
	for _, v := range values {
		f.release = append(f.release, slices.Index(f.releases, v))
	}
	return nil
}

// reportOver compares the releases, and writes the reports. Markdown and JUnit have the checks of each run, as without releases.
func (f *command) reportOver(r *checks.Requirements) error {
	o := &checks.Over{Requirements: r, Label: f.over, Releases: f.releases, Release: f.release, Checks: checks.Answers(r.Runs, f.release)}
	o.Steps = margins.Compare(o.Checks, len(o.Releases))
	o.Trends = margins.Trends(o.Checks, len(o.Releases))
	if err := f.report(r, o.Writer); err != nil {
		return err
	}
	if r.Gate.Regressed && o.Regressed() {
		return console.Exit(console.Changed)
	}
	return nil
}
