package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// pathChange is what changed on the critical paths to the finish of one fragment.
type pathChange struct {
	Fragment string `json:"fragment"`
	BaseNs   int64  `json:"base_ns"` // time of all these paths, of a run on average
	CandNs   int64  `json:"cand_ns"`

	Parts   []schema.Change  `json:"-"`       // that changed, the greatest change first, idle time last
	Changes []map[string]any `json:"changes"` // the first of them by the names of the columns
}

// apart splits changes by rank into parts of critical paths and all else. Messages are left out: tests on samples do
// not judge them.
func apart(all []schema.Change) (others, parts []schema.Change) {
	for _, c := range all {
		switch c.Level {
		case schema.LevelCriticalPath:
			parts = append(parts, c)
		case schema.LevelMessage:
		default:
			others = append(others, c)
		}
	}
	return others, parts
}

// pathChanges are the fragments with a changed part, the one with the greatest change first.
func pathChanges(parts []schema.Change) []*pathChange {
	var changed []*pathChange
	byFragment := make(map[string]*pathChange)
	for _, c := range parts { // by rank: what changed comes before what did not
		p := byFragment[c.Fragment]
		if p == nil {
			p = &pathChange{Fragment: c.Fragment}
			byFragment[c.Fragment] = p
		}
		p.BaseNs, p.CandNs = p.BaseNs+c.TotalBaseNs, p.CandNs+c.TotalCandNs
		if c.Verdict == schema.Unchanged {
			continue
		}
		if p.Parts = append(p.Parts, c); len(p.Parts) == 1 {
			changed = append(changed, p)
		}
	}
	for _, p := range changed {
		slices.SortStableFunc(p.Parts, func(a, b schema.Change) int { return cmp.Compare(idle(a), idle(b)) })
		p.BaseNs, p.CandNs = p.BaseNs/max(p.Parts[0].RunsBase, 1), p.CandNs/max(p.Parts[0].RunsCand, 1)
	}
	return changed
}

// idle is 1 for time in which nothing runs, else 0: where less is done more is idle, so it stands after the rest.
func idle(c schema.Change) int {
	if c.Metric == schema.CategoryWords[schema.Idling] {
		return 1
	}
	return 0
}

// mostPaths is for how many fragments a report has the changes of critical paths.
const mostPaths = 3

// partsToShow is how many parts of each a report has, of so many changes in all.
func partsToShow(top int) int { return max(top/mostPaths, 1) }

// pathsForMachines are the first changes of critical paths with their columns.
func pathsForMachines(parts []schema.Change, top int) []*pathChange {
	changed := pathChanges(parts)
	changed = changed[:min(mostPaths, len(changed))]
	for _, p := range changed {
		for _, c := range p.Parts[:min(partsToShow(top), len(p.Parts))] {
			p.Changes = append(p.Changes, columnsOf(c))
		}
	}
	return append([]*pathChange{}, changed...) // none is [] in JSON, not null
}

// writePaths prints what changed on critical paths.
func writePaths(out io.Writer, parts []schema.Change, top int) error {
	changed := pathChanges(parts)
	for _, p := range changed[:min(mostPaths, len(changed))] {
		fmt.Fprintf(out, "Critical paths: %s: %s a run\n", p.Fragment, pair(texttab.Duration(p.BaseNs), texttab.Duration(p.CandNs)))
		g := texttab.New("rrr")
		g.Row("change", "time a run", "paths")
		for _, c := range p.Parts[:min(partsToShow(top), len(p.Parts))] {
			g.Row(texttab.Change(c.ImpactNs), pair(texttab.Duration(c.TotalBaseNs/c.RunsBase), texttab.Duration(c.TotalCandNs/c.RunsCand)),
				pair(times(c.NBase, c.RunsBase), times(c.NCand, c.RunsCand)), c.Subject)
		}
		if more := len(p.Parts) - partsToShow(top); more > 0 {
			g.Row("...", "", "", fmt.Sprintf("%s more parts changed", texttab.Count(more)))
		}
		if err := g.Write(out); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	if more := len(changed) - mostPaths; more > 0 {
		fmt.Fprintf(out, "The critical paths of %d more initial fragments changed: analyze query critical-path-change\n\n", more)
	}
	return nil
}

// onPaths says how much time a run spends on critical paths in the function that a step belongs to.
func onPaths(c schema.Change) string { return pair(onPath(c.CriticalBaseNs), onPath(c.CriticalCandNs)) }

func onPath(ns *int64) string {
	switch {
	case ns == nil:
		return "unknown"
	case *ns == 0:
		return "never"
	}
	return texttab.Duration(*ns)
}
