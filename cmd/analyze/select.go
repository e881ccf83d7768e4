package main

import (
	"slices"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
)

// readRuns reads the descriptions of all runs, by name, and the names in order.
func readRuns(l *lake.Lake) (map[string]schema.Run, []string, error) {
	partitions, err := l.Partitions("runs")
	if err != nil {
		return nil, nil, err
	}
	runs := make(map[string]schema.Run)
	var names []string
	for _, p := range partitions {
		m, err := l.Manifest("runs", p)
		if err != nil {
			return nil, nil, err
		}
		rows, err := parquet.ReadRows[schema.Run](l.Path(m.Files[0]))
		if err != nil {
			return nil, nil, err
		}
		runs[p.Name] = rows[0]
		names = append(names, p.Name)
	}
	return runs, names, nil
}

// selectRuns finds the runs that selectors name: a run's name, key=value for all runs with that label, or @name for
// the runs of a baseline; no selector, all runs. The order is that of the selectors, then of the names, without repetition.
func selectRuns(l *lake.Lake, selectors []string) ([]string, error) {
	runs, names, err := readRuns(l)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, console.Usagef("the lake %s has no runs: ingest a trace first", l.Dir)
	}
	if len(selectors) == 0 {
		return names, nil
	}
	var out []string
	for _, s := range selectors {
		found := selected(s, runs, names)
		if name, is := strings.CutPrefix(s, "@"); is {
			if found, err = baselineRuns(l, name, runs); err != nil {
				return nil, err
			}
		}
		if len(found) == 0 {
			return nil, console.Usagef("no run is named or labelled %s; the lake has %s", s, shorten(names))
		}
		for _, name := range found {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out, nil
}

func selected(selector string, runs map[string]schema.Run, names []string) (found []string) {
	if _, is := runs[selector]; is {
		return []string{selector}
	}
	key, value, isLabel := strings.Cut(selector, "=")
	for _, name := range names {
		if have, has := runs[name].Labels[key]; isLabel && has && have == value {
			found = append(found, name)
		}
	}
	return found
}

func shorten(names []string) string {
	const most = 8
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}
