package runs

import (
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Select returns the names of the runs that selectors mean: a run's name means that run, key=value all runs with that
// label, and @name the runs of a baseline. Without selectors it returns all runs. The runs stand in the order of the
// selectors, those of one label in the order of their names, each run once.
// A selector that means no run is an error rather than an empty list: a comparison with fewer runs than the user
// named would be another one.
func Select(l *lake.Lake, selectors []string) ([]string, error) {
	described, names, err := Described(l)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, nameErrorf("the lake %s has no runs: ingest a trace first", l.Dir)
	}
	if len(selectors) == 0 {
		return names, nil
	}
	var out []string
	for _, s := range selectors {
		// A run whose name begins with @ does not exist: names of runs begin with a letter or digit.
		found := selected(s, described, names)
		if name, is := strings.CutPrefix(s, "@"); is {
			if found, err = baselineRuns(l, name, described); err != nil {
				return nil, err
			}
		}
		if len(found) == 0 {
			return nil, nameErrorf("no run is named or labelled %s; the lake has %s", s, FirstNames(names))
		}
		for _, name := range found {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out, nil
}

// selected returns the run with the name, or the runs with the label. A name comes first, as it may contain =.
// An empty value selects runs whose label is empty, not those without the label.
func selected(selector string, described map[string]schema.Run, names []string) (found []string) {
	if _, is := described[selector]; is {
		return []string{selector}
	}
	key, value, isLabel := strings.Cut(selector, "=")
	for _, name := range names {
		if have, has := described[name].Labels[key]; isLabel && has && have == value {
			found = append(found, name)
		}
	}
	return found
}
