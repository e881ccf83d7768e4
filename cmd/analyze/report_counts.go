package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// levelRows are the levels in the order of a table, with what their subjects are.
var levelRows = []struct{ level, words string }{
	{schema.LevelFragment, "fragments"}, {schema.LevelTransition, "steps"}, {schema.LevelMetric, "metrics"},
	{schema.LevelMessage, "message parts"}, {schema.LevelCriticalPath, "critical path parts"},
}

// verdictColumns are the verdicts in the order of a table.
var verdictColumns = []string{
	schema.Regressed, schema.Improved, schema.Candidate, schema.ShapeChanged, schema.CountChanged, schema.Appeared, schema.Vanished,
	schema.Moved, schema.Later, schema.Sooner, schema.Undetermined, schema.Unchanged,
}

// countsTable holds the numbers of verdicts by level, without the verdicts that nothing has.
func (o *outcome) countsTable() *texttab.Table {
	var levels []string
	for _, l := range levelRows {
		levels = append(levels, l.level)
	}
	head := []string{""}
	var verdicts []string
	for _, verdict := range verdictColumns {
		if o.tally(verdict, levels...) > 0 {
			head, verdicts = append(head, verdictWords(verdict)), append(verdicts, verdict)
		}
	}
	g := texttab.New("l" + strings.Repeat("r", len(verdicts)))
	g.Row(head...)
	for _, l := range levelRows {
		if o.compared(l.level) == 0 {
			continue
		}
		row := []string{l.words}
		for _, verdict := range verdicts {
			row = append(row, texttab.Count(o.counts[l.level][verdict]))
		}
		g.Row(row...)
	}
	return g
}

// writeCounts prints how many subjects have which verdict, and what more runs would decide.
func (o *outcome) writeCounts(out io.Writer) error {
	if err := o.countsTable().Write(out); err != nil {
		return err
	}
	if text := o.neededText(); text != "" {
		fmt.Fprintf(out, "%s\n", texttab.Wrap(text, reportWidth, ""))
	}
	return nil
}

// neededText says how many runs a side would decide about the undetermined.
func (o *outcome) neededText() string {
	if o.needed.MedianRuns == 0 {
		return ""
	}
	text := fmt.Sprintf("Undetermined steps and fragments: %s; half need at most %s runs a side", texttab.Count(o.needed.Undetermined), texttab.Count(o.needed.MedianRuns))
	for i, d := range o.needed.Decided {
		if i == 0 {
			text += fmt.Sprintf(". %d runs would decide %s", d.Runs, texttab.Count(d.Count))
		} else {
			text += fmt.Sprintf(", %d runs %s", d.Runs, texttab.Count(d.Count))
		}
	}
	return text + "."
}

// functionalRows is how many functional differences a report for people has.
const functionalRows = 3

// functional are the steps and fragments that only one side has, that moved, or that happen more or less often, by
// their own cost. Those that only wait, and those that belong to findings that are explained, are left out.
func (o *outcome) functional() []schema.Change {
	told := make(map[int64]bool) // findings
	for _, f := range o.told[:min(detailed, len(o.told))] {
		told[f.Finding] = true
	}
	var list []schema.Change
	for i := range o.changes {
		c := &o.changes[i]
		explained := c.Finding != nil && told[*c.Finding]
		if changed(c) && !waits(c) && !explained && !(c.Level == schema.LevelFragment && c.Verdict == schema.CountChanged) {
			list = append(list, *c)
		}
	}
	slices.SortStableFunc(list, func(a, b schema.Change) int { return cmp.Compare(size(costChange(&b)), size(costChange(&a))) })
	return list
}

// costChange is by how much more time a root execution spends in a subject.
func costChange(c *schema.Change) int64 { return value(c.CostCandNs) - value(c.CostBaseNs) }

// writeFunctional counts what is done otherwise, and prints the most costly of it.
func (o *outcome) writeFunctional(out io.Writer) error {
	list := o.functional()
	if len(list) == 0 {
		return nil
	}
	fmt.Fprintf(out, "%s\n", texttab.Wrap("Done otherwise: "+o.otherDone()+"; the most costly by their own time:", reportWidth, ""))
	g := texttab.New("rlr")
	for i := range list[:min(functionalRows, len(list))] {
		c := &list[i]
		g.Row("  "+texttab.Change(costChange(c)), verdictWords(c.Verdict), pair(numberOf(number(c.CountBase)), numberOf(number(c.CountCand))), shortSubject(c))
	}
	err := g.Write(out)
	fmt.Fprintln(out)
	return err
}

func number(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}

// writeUntoldPaths prints the parts of critical paths that changed and that no finding tells of.
func (o *outcome) writeUntoldPaths(out io.Writer) error {
	told := make(map[string]bool)
	for i := range o.findings {
		told[suspect(&o.findings[i])] = true
	}
	const most = 3
	g := texttab.New("rlr")
	more := 0
	for i := range o.changes {
		c := &o.changes[i]
		if c.Level != schema.LevelCriticalPath || !samplechanges.Notable(c.Verdict) || told[c.Component+"."+c.Function] || size(costChange(c)) < int64(o.job.Verdicts.FloorNs) {
			continue
		}
		if len(g.Rows()) == most {
			more++
			continue
		}
		g.Row("  "+texttab.Change(costChange(c)), verdictWords(c.Verdict), pair(optional(c.CostBaseNs), optional(c.CostCandNs)), shortSubject(c))
	}
	if len(g.Rows()) == 0 {
		return nil
	}
	fmt.Fprintf(out, "On critical paths, beside these:\n")
	if err := g.Write(out); err != nil {
		return err
	}
	if more > 0 {
		fmt.Fprintf(out, "  ... and %s: %s query critical-path-change --param comparison=%s\n", texttab.Plural(more, "more part"), o.command(), o.job.ID)
	}
	fmt.Fprintln(out)
	return nil
}
