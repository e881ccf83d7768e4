package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/modelsets"
)

// modelSets are the sets that the arguments of analyze levels name. A set is named after its runs or its label's value;
// where two have the same name so, all are named as they were asked for.
func modelSets(l *lake.Lake, selectors []string) (sets []modelsets.Set, err error) {
	var short []string
	for _, s := range selectors {
		parts := strings.Split(s, ",")
		runs, err := selectRuns(l, parts)
		if err != nil {
			return nil, err
		}
		sets = append(sets, modelsets.Set{Name: s, Runs: runs})
		short = append(short, label(parts))
	}
	for i, s := range selectors {
		if slices.Contains(selectors[:i], s) {
			return nil, console.Usagef("model set %s is named twice", s)
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(short)))) == len(short) {
		for i := range sets {
			sets[i].Name = short[i]
		}
	}
	return sets, nil
}

// levelsName is the name of a comparison that was given none: of its model sets, or the first and last of many.
func levelsName(sets []modelsets.Set) string {
	var names []string
	for _, s := range sets {
		names = append(names, label([]string{s.Name}))
	}
	if n := len(names); n > 4 {
		return fmt.Sprintf("%s-to-%s-of-%d", names[0], names[n-1], n)
	}
	return strings.Join(names, "-vs-")
}
