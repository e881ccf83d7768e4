package strata

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Group is some runs whose times or automata an analysis takes together, such as those of a release.
type Group struct {
	Name string
	Runs []Run
}

// Pooled says which labels differ within groups, though nothing chose them: such runs are pooled, and their difference shows as noise.
// Kind is the word for a group, as release.
//
// A label that gives every run a value of its own is a number or a date, and says nothing of conditions.
func Pooled(kind string, groups []Group, chosen []string) (warnings []string) {
	for _, label := range labelsOf(allOf(groups)) {
		at := slices.IndexFunc(groups, func(g Group) bool { return len(distinctIn(g.Runs, label)) > 1 })
		runs := allOf(groups)
		if at < 0 || slices.Contains(chosen, label) || len(distinctIn(runs, label)) == len(runs) && len(runs) > 2 {
			continue
		}
		of := groups[at].Runs
		warnings = append(warnings, fmt.Sprintf("Runs of %s that differ in the label %s are pooled: %s. Choose some of them, as with %s=%s.",
			strings.TrimSpace(kind+" "+groups[at].Name), label, listed(of, label), label, word(slices.Max(distinctIn(of, label)))))
	}
	return warnings
}

// Confounded says which labels have one value in some groups and another one in others, though nothing chose them: what they do looks
// like a change of what the groups are of. A label that differs in every group names groups.
func Confounded(kind string, groups []Group, chosen []string) (warnings []string) {
	for _, label := range labelsOf(allOf(groups)) {
		of := make(map[string][]string) // groups by value
		for _, g := range groups {
			if values := distinctIn(g.Runs, label); len(values) == 1 {
				of[values[0]] = append(of[values[0]], g.Name)
			}
		}
		if len(of) < 2 || slices.Contains(chosen, label) || len(of) == len(groups) && len(groups) > 2 {
			continue
		}
		var parts []string
		for _, value := range slices.Sorted(maps.Keys(of)) {
			parts = append(parts, fmt.Sprintf("%s (%s)", word(value), firstOf(of[value])))
		}
		warnings = append(warnings, fmt.Sprintf("The label %s differs between %ss: %s. What it does looks like a change of the %s.",
			label, kind, strings.Join(parts, ", "), kind))
	}
	return warnings
}

// allOf returns the runs of all groups.
func allOf(groups []Group) (runs []Run) {
	for _, g := range groups {
		runs = append(runs, g.Runs...)
	}
	return runs
}

// distinctIn returns the values that runs have of a label, each once and sorted. A run without the label has the value "".
func distinctIn(runs []Run, label string) (values []string) {
	for _, r := range runs {
		values = append(values, r.Labels[label])
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// firstOf names the first few names of a list, and how many more there are.
func firstOf(names []string) string {
	text := strings.Join(names[:min(firstRuns, len(names))], ", ")
	if more := len(names) - firstRuns; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
