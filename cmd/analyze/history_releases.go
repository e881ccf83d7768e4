package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/history"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// releasesBy are the releases of the selected runs, in order.
func releasesBy(l *lake.Lake, selectors []string, f historyFlags) ([]history.Release, error) {
	described, _, err := readRuns(l)
	if err != nil {
		return nil, err
	}
	runs, err := selectRuns(l, selectors)
	if err != nil {
		return nil, err
	}
	of := make(map[string][]string)
	for _, run := range runs {
		if value, has := described[run].Labels[f.by]; has {
			of[value] = append(of[value], run)
		}
	}
	order, err := f.inOrder(slices.SortedFunc(maps.Keys(of), changepoint.CompareReleases))
	if err != nil {
		return nil, err
	}
	if len(order) < 2 {
		return nil, console.Usagef("a history takes two releases or more, and the selected runs have %s of the label %s; --by names another label",
			texttab.Plural(len(order), "value"), f.by)
	}
	releases := make([]history.Release, len(order))
	for i, name := range order {
		releases[i] = history.Release{Name: name, Runs: slices.Sorted(slices.Values(of[name]))}
	}
	return releases, nil
}

// inOrder puts the releases that there are in the order asked for.
func (f *historyFlags) inOrder(have []string) ([]string, error) {
	if len(f.order) == 0 {
		return have, nil
	}
	for i, name := range f.order {
		if !slices.Contains(have, name) {
			return nil, console.Usagef("--order %s: no selected run has %s=%s; they have %s", strings.Join(f.order, ","), f.by, name, shorten(have))
		}
		if slices.Contains(f.order[:i], name) {
			return nil, console.Usagef("--order %s: %s stands twice", strings.Join(f.order, ","), name)
		}
	}
	return f.order, nil
}
