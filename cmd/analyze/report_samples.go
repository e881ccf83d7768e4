package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// sampleReport is the result of a test on pooled samples for machines.
type sampleReport struct {
	Comparison string           `json:"comparison"`
	Base       []string         `json:"base"`
	Cand       []string         `json:"cand"`
	Method     string           `json:"method"`
	Compared   int              `json:"compared"` // beside messages and the parts of critical paths
	Counts     map[string]int   `json:"verdicts"`
	Changes    []map[string]any `json:"changes"` // by rank, at most as many as asked for
	Paths      []*pathChange    `json:"critical_paths"`
}

func newSampleReport(j compare.Job, all []schema.Change, top int) sampleReport {
	counts := make(map[string]int)
	changed := []map[string]any{} // none is [] in JSON, not null
	others, parts := apart(all)
	for _, c := range others {
		counts[c.Verdict]++
		if c.Verdict != schema.Unchanged && len(changed) < top {
			changed = append(changed, columnsOf(c))
		}
	}
	return sampleReport{j.ID, j.Base, j.Cand, string(j.Options.Method), len(others), counts, changed, pathsForMachines(parts, top)}
}

// sorted are the changes of a comparison by what a reader does with them.
type sorted struct {
	own, inherited, metrics, oneSided, behind, appeared, vanished, moved []schema.Change
	compared                                                             int
}

func sortChanges(all []schema.Change) (s sorted) {
	for _, c := range all {
		if c.Level == schema.LevelTransition {
			s.compared++
		}
		switch {
		case c.Verdict == schema.Unchanged:
		case c.Verdict == schema.Appeared && c.Level == schema.LevelFragment:
			s.appeared = append(s.appeared, c)
		case c.Verdict == schema.Vanished && c.Level == schema.LevelFragment:
			s.vanished = append(s.vanished, c)
		case c.Verdict == schema.Moved:
			s.moved = append(s.moved, c)
		case c.Verdict == schema.Appeared || c.Verdict == schema.Vanished:
			s.oneSided = append(s.oneSided, c)
		case c.Level == schema.LevelMetric:
			s.metrics = append(s.metrics, c)
		case c.RootCause == samplechanges.OwnTime:
			s.own = append(s.own, c)
		case c.RootCause == samplechanges.OtherSteps:
			s.behind = append(s.behind, c)
		case c.RootCause != "":
			s.inherited = append(s.inherited, c)
		}
	}
	return s
}

// writeSamples tells a person what tests on pooled samples found.
func writeSamples(out io.Writer, j compare.Job, runs map[string]schema.Run, all []schema.Change, top int) error {
	others, parts := apart(all)
	s := sortChanges(others)
	writeSides(out, j, runs)
	fmt.Fprintln(out)
	if err := writeOwn(out, s.own, top); err != nil {
		return err
	}
	if err := writePaths(out, parts, top); err != nil {
		return err
	}
	writeInherited(out, s)
	writeOneSided(out, s)
	writeMoved(out, s.moved)
	writeFragments(out, "only in the candidate", s.appeared, func(c schema.Change) int64 { return c.TotalCandNs / max(c.RunsCand, 1) })
	writeFragments(out, "only in the baseline", s.vanished, func(c schema.Change) int64 { return c.TotalBaseNs / max(c.RunsBase, 1) })
	if len(j.Base) == 1 || len(j.Cand) == 1 {
		fmt.Fprintf(out, "One run a side cannot tell a release from a run: repeat the recording to be sure of small changes.\n")
	}
	return nil
}

// sideText describes one side: its runs, events and span.
func sideText(names []string, runs map[string]schema.Run) string {
	var events, span int64
	for _, name := range names {
		events += runs[name].Events
		span += runs[name].DurationNs
	}
	n := int64(len(names))
	what := names[0]
	if n > 1 {
		what = fmt.Sprintf("%d runs (%s)", n, ends(names))
	}
	return fmt.Sprintf("%s: %s events and %s a run", what, texttab.Count(events/n), texttab.Duration(span/n))
}

// ends are a few names, or the first and the last of many.
func ends(names []string) string {
	if len(names) <= 3 {
		return strings.Join(names, ", ")
	}
	return names[0] + " ... " + names[len(names)-1]
}

// writeOwn prints the steps that changed by themselves.
func writeOwn(out io.Writer, own []schema.Change, top int) error {
	if len(own) == 0 {
		fmt.Fprintf(out, "No step of any service fragment changed its own time.\n\n")
		return nil
	}
	if len(own) == 1 {
		fmt.Fprintf(out, "Where time was gained or lost: one step changed its own time\n")
	} else {
		fmt.Fprintf(out, "Where time was gained or lost: %s steps changed their own time, the greatest change first\n", texttab.Count(len(own)))
	}
	g := texttab.New("rrrrllrl")
	g.Row("", "change", "time a run", "critical path", "component", "step", "times", "in service fragment")
	for i, c := range own[:min(top, len(own))] {
		g.Row(fmt.Sprint(i+1), texttab.Change(c.ImpactNs), pair(optional(c.StepBaseNs), optional(c.StepCandNs)), onPaths(c), c.Component, c.Subject,
			pair(times(c.NBase, c.RunsBase), times(c.NCand, c.RunsCand)), caller(c))
	}
	if len(own) > top {
		g.Row("", "...")
	}
	err := g.Write(out)
	fmt.Fprintln(out)
	return err
}

// times is how often a step was taken in a run on average.
func times(n, runs int64) string {
	if runs > 1 && n%runs != 0 {
		return fmt.Sprintf("%.1f", float64(n)/float64(runs))
	}
	return texttab.Count(n / max(runs, 1))
}

// pair writes two values, or one where they are the same.
func pair(base, cand string) string {
	if base == cand {
		return base
	}
	return base + " -> " + cand
}

func optional(ns *int64) string {
	if ns == nil {
		return "-"
	}
	return texttab.Duration(*ns)
}

// caller names a fragment within its component: its function, and who called it.
func caller(c schema.Change) string {
	return strings.TrimPrefix(c.Fragment, c.Component+".")
}

// writeInherited says how much else moved because of the steps above.
func writeInherited(out io.Writer, s sorted) {
	waits, later := 0, 0
	for _, c := range s.inherited {
		if c.RootCause == samplechanges.EarlierStep {
			later++
		} else {
			waits++
		}
	}
	if waits+later == 0 {
		return
	}
	fmt.Fprintf(out, "Of %s steps compared, %d more changed because they wait for another component, and %d because an\nearlier step of their fragment did. The longest waits:\n",
		texttab.Count(s.compared), waits, later)
	waited := slices.DeleteFunc(slices.Clone(s.inherited), func(c schema.Change) bool { return c.RootCause == samplechanges.EarlierStep })
	slices.SortStableFunc(waited, func(x, y schema.Change) int { return cmp.Compare(size(stepChange(y)), size(stepChange(x))) })
	for _, c := range waited[:min(5, len(waited))] {
		fmt.Fprintf(out, "  %s  %s %s\n", texttab.PadLeft(texttab.Change(stepChange(c)), 9), c.Component, c.RootCause)
	}
	fmt.Fprintln(out)
}

// stepChange is how much longer the time before a step was, of a run on average.
func stepChange(c schema.Change) int64 { return value(c.StepCandNs) - value(c.StepBaseNs) }

func value(ns *int64) int64 {
	if ns == nil {
		return 0
	}
	return *ns
}

func size(ns int64) int64 { return max(ns, -ns) }

// writeOneSided prints the steps and metrics that only one side has, of fragments that both have, and the steps right
// behind them whose time they changed, the greatest change first.
func writeOneSided(out io.Writer, s sorted) {
	if len(s.oneSided) == 0 {
		return
	}
	fmt.Fprintf(out, "Steps that only one side takes: %s\n", texttab.Count(len(s.oneSided)))
	list := slices.Concat(s.oneSided, s.behind)
	slices.SortStableFunc(list, func(a, b schema.Change) int { return cmp.Compare(size(b.ImpactNs), size(a.ImpactNs)) })
	const most = 5
	for _, c := range list[:min(most, len(list))] {
		what := c.Verdict
		if c.RootCause == samplechanges.OtherSteps {
			what = "right behind such a step"
		}
		fmt.Fprintf(out, "  %s a run  %s %s (%s)\n", texttab.PadLeft(texttab.Change(c.ImpactNs), 9), c.Component, c.Subject, what)
	}
	if len(list) > most {
		fmt.Fprintf(out, "  ...\n")
	}
	fmt.Fprintln(out)
}

// writeMoved prints the fragments that have another name in the candidate, those whose run time changed most first.
func writeMoved(out io.Writer, list []schema.Change) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "Service fragments that moved, with the same steps under another name: %d\n", len(list))
	for _, c := range list[:min(3, len(list))] {
		fmt.Fprintf(out, "  %s a run  moved: %s\n", pair(texttab.Duration(c.TotalBaseNs/max(c.RunsBase, 1)), texttab.Duration(c.TotalCandNs/max(c.RunsCand, 1))), c.Subject)
	}
	if len(list) > 3 {
		fmt.Fprintf(out, "  ...\n")
	}
	fmt.Fprintln(out)
}

// writeFragments prints the fragments that only one side has, those with the longest run time first.
func writeFragments(out io.Writer, where string, list []schema.Change, total func(schema.Change) int64) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(out, "Service fragments %s: %d\n", where, len(list))
	for i, c := range list[:min(3, len(list))] {
		fmt.Fprintf(out, "  %s a run  %s\n", texttab.PadLeft(texttab.Duration(total(c)), 9), c.Fragment)
		if i == 2 && len(list) > 3 {
			fmt.Fprintf(out, "  ...\n")
		}
	}
	fmt.Fprintln(out)
}
