package verdict

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// writeNext writes what to do next, one command or advice a line. Nothing is to be done about an unchanged comparison.
func (r *Report) writeNext(out io.Writer) {
	lines := r.nextSteps()
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(out, "\nNext:\n")
	for _, line := range lines {
		fmt.Fprintf(out, "  %s\n", line)
	}
}

// nextSteps returns commands that look closer at the first finding, and how many runs to add.
//
// Two kinds of noise keep a comparison undetermined: few runs, and runs that differ. More runs help against the first,
// an idle machine and pairs of runs, recorded one after the other, against the second.
func (r *Report) nextSteps() (lines []string) {
	if len(r.findings) > 0 {
		lines = r.inspectCommands(&r.ordered[0])
	}
	if !r.enough {
		missing := texttab.Plural(verdicts.MinRuns-r.RunsPerSide(), "more run")
		lines = append(lines, fmt.Sprintf("record %s per side: verdicts need %d", missing, verdicts.MinRuns))
	} else if r.whole == wholeUndetermined { // a whole that is decided needs no more runs, whatever else is open
		lines = append(lines, "record more runs on an otherwise idle machine, alternating both sides (--pair-by), or allow more with --margin")
	}
	return lines
}

// inspectCommands returns commands that look closer at a finding, in a run that has it: the critical path that it delays
// most, its callers, and the changes that follow from it. Names of a trace are quoted, because a reader will paste the
// commands into a shell.
func (r *Report) inspectCommands(f *schema.Finding) (lines []string) {
	run := r.middleRun(r.Cand)
	if f.Verdict == schema.Vanished {
		run = r.middleRun(r.Base)
	}
	command := r.command()
	// The path of a root execution that the finding is on shows where it delays.
	if root := r.mostDelayedRoot(f); root != nil {
		lines = append(lines, fmt.Sprintf("%s critical-path %s --to %s --top 10", command, run, shellWord(root.Component+"."+root.Function)))
	}
	// The finding may be called from many places; whoever calls it decides what to mend. Calls that are gone have their callers in the baseline.
	if f.Function != "" {
		if f.CountCand < f.CountBase && callsMatter(f) {
			run = r.middleRun(r.Base)
		}
		lines = append(lines, fmt.Sprintf("%s query callers-of --param run=%s --param component=%s --param function=%s",
			command, run, shellWord(f.Component), shellWord(f.Function)))
	}
	return append(lines, fmt.Sprintf("%s query \"SELECT level, subject, fragment, verdict, effect_ns FROM changes WHERE comparison = '%s' AND finding = %d ORDER BY abs(effect_ns) DESC\"",
		command, r.ID, f.Finding))
}

// middleRun returns the run of some that is neither short nor long among them, so that no odd one is looked at; the first where all take as long, or where nobody
// knows.
func (r *Report) middleRun(names []string) string {
	if len(names) == 0 {
		return ""
	}
	byTime := slices.Clone(names)
	slices.SortStableFunc(byTime, func(a, b string) int { return cmp.Compare(r.Runs[a].DurationNs, r.Runs[b].DurationNs) })
	middle := byTime[(len(byTime)-1)/2]
	if r.Runs[byTime[0]].DurationNs == r.Runs[byTime[len(byTime)-1]].DurationNs {
		middle = names[0]
	}
	return middle
}
