package runs

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Select returns the names of the runs that selectors mean: a run's name means that run, key=value all runs with that
// label, @name the runs of a baseline, and 13:00..13:10 those that start in this time of UTC. Parts with commas between mean the runs that all of them mean
// (release=2,scenario=upload), and several selectors the runs that any of them means. Without selectors it returns all runs. The runs stand in the order of the
// selectors, those of one label in the order of their names, each run once.
// A selector that means no run is an error rather than an empty list: a comparison with fewer runs than the user
// named would be another one.
//
// Only labels need the descriptions of all runs. Who names runs opens nothing of the others, however many the lake has.
func Select(l *lake.Lake, selectors []string) ([]string, error) {
	names, err := Names(l)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, nameErrorf("the lake %s has no runs: ingest a trace first", l.Dir)
	}
	if len(selectors) == 0 {
		return names, nil
	}
	labelled := labels{lake: l, names: names}
	var out []string
	for _, s := range selectors {
		found, err := labelled.selected(s)
		if err != nil {
			return nil, err
		}
		for _, name := range found {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out, nil
}

// labels finds runs by selectors. It reads the descriptions of the runs for the first label that is asked for.
type labels struct {
	lake      *lake.Lake
	names     []string // of all runs, sorted
	described map[string]schema.Run
}

// selected returns the runs that a selector means, at least one. A selector with a comma may be the value of a label; only
// where no run has that are its parts taken one by one.
func (o *labels) selected(selector string) (found []string, err error) {
	found, err = o.selectedBy(selector)
	parts := strings.Split(selector, ",")
	if err != nil || len(found) > 0 || len(parts) == 1 {
		if err == nil && len(found) == 0 {
			err = o.unknown(selector, "")
		}
		return found, err
	}
	found = o.names
	for _, part := range parts {
		of, err := o.selectedBy(part)
		switch {
		case err != nil:
			return nil, err
		case len(of) == 0:
			return nil, o.unknown(part, ", which is part of "+selector)
		}
		found = slices.DeleteFunc(slices.Clone(found), func(name string) bool { return !slices.Contains(of, name) })
	}
	if len(found) == 0 {
		keys := LabelKeys([]string{selector})
		if len(keys) == 0 {
			return nil, nameErrorf("no run is all of %s: several runs are named one by one, each as an argument or with a flag of its own", selector)
		}
		return nil, nameErrorf("no run is all of %s; see analyze runs --group-by %s", selector, strings.Join(keys, ","))
	}
	return found, nil
}

// unknown is the error of a selector that means no run: of a label that no run has with the labels that there are, of another value of one
// with its values, and of a name with those that are most like it. Who asks for slices of a run that has none is told how to make them. of says what
// the selector is part of.
func (o *labels) unknown(selector, of string) error {
	key, value, isLabel := strings.Cut(selector, "=")
	if _, is := slices.BinarySearch(o.names, value); is && key == schema.LabelSplit {
		return nameErrorf("run %[1]s was not split, and has no slices that start in windows of time: ingest its trace with --run %[1]s --split 10s first", value)
	}
	if selector == "" {
		return nameErrorf("a selector of runs is empty%s: write the name of a run, key=value, or @baseline", of)
	}
	if err := o.describe(); err != nil {
		return err
	}
	keys, values := make(map[string]bool), make(map[string]bool)
	for _, run := range o.described {
		for k, v := range run.Labels {
			if keys[k] = true; k == key {
				values[v] = true
			}
		}
	}
	switch {
	case !isLabel && len(values) > 0:
		return nameErrorf("no run is named %s%s, which is a label: write %s=%s", selector, of, key, FirstNames(slices.Sorted(maps.Keys(values))))
	case !isLabel:
		return nameErrorf("no run is named or labelled %s%s; the lake has %s%s", selector, of, FirstNames(likest(o.names, selector)), windowHint(selector))
	case len(keys) == 0:
		return nameErrorf("no run is named or labelled %s%s; no run has a label, and the lake has %s", selector, of, FirstNames(likest(o.names, selector)))
	case len(values) == 0:
		return nameErrorf("no run is named or labelled %s%s; runs have the labels %s", selector, of, FirstNames(slices.Sorted(maps.Keys(keys))))
	}
	return nameErrorf("no run is named or labelled %s%s; runs have %s=%s", selector, of, key, FirstNames(slices.Sorted(maps.Keys(values))))
}

// likest returns names with those first that begin like a text, for as long as they do.
func likest(names []string, text string) []string {
	alike := func(name string) (n int) {
		for n < min(len(name), len(text)) && name[n] == text[n] {
			n++
		}
		return n
	}
	return slices.SortedStableFunc(slices.Values(names), func(a, b string) int { return cmp.Compare(alike(b), alike(a)) })
}

// LabelKeys lists the keys of the labels that selectors name, each once, in the order of their names.
func LabelKeys(selectors []string) (keys []string) {
	for _, selector := range selectors {
		for part := range strings.SplitSeq(selector, ",") {
			if key, _, isLabel := strings.Cut(part, "="); isLabel {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// describe reads the descriptions of all runs, once.
func (o *labels) describe() (err error) {
	if o.described == nil {
		o.described, err = Described(o.lake, o.names)
	}
	return err
}

// selectedBy returns the run with the name, the runs of the baseline, or the runs with the label. A name comes first, as it
// may contain =; none begins with @. An empty value selects runs whose label is empty, not those without the label.
func (o *labels) selectedBy(selector string) (found []string, err error) {
	if _, is := slices.BinarySearch(o.names, selector); is {
		return []string{selector}, nil
	}
	if name, is := strings.CutPrefix(selector, "@"); is {
		return baselineRuns(o.lake, name, o.names)
	}
	key, value, isLabel := strings.Cut(selector, "=")
	window, isWindow := parseStarting(selector)
	if !isLabel && !isWindow {
		return nil, nil
	}
	if err := o.describe(); err != nil {
		return nil, err
	}
	for _, name := range o.names {
		if have, has := o.described[name].Labels[key]; isLabel && has && have == value || isWindow && window.has(o.described[name].StartNs) {
			found = append(found, name)
		}
	}
	return found, nil
}
