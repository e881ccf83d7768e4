package checks

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// WriteText writes a line for each check, the failing states, and how many checks have which verdict. Of several runs the line is that
// of the worst one, with how many runs have its verdict.
// 1. One line for each check; its failing states are collected for a table of their own.
func (r *Requirements) WriteText(out io.Writer) error {
	counts := make(map[string]int)
	failing := r.failingTable()
	all := r.checksOverRuns()
	rows := 0
	for i := range all {
		c := &all[i]
		word := r.Semantics.Word(c.worst.worst.Verdict)
		counts[word]++
		fmt.Fprintf(out, "%-*s  %s\n", r.wordWidth(), word, r.lineOverRuns(c))
		rows += r.addFailing(failing, c)
	}
	if rows > 0 {
		fmt.Fprintln(out)
		if err := failing.Write(out); err != nil {
			return err
		}
	}
	// 2. The sums, worst verdict first. With three words both open verdicts have the same one, which is counted once.
	var sums []string
	for _, v := range []mtl.Verdict{mtl.Bad, mtl.StillFalse, mtl.StillTrue, mtl.Good, mtl.Undefined} {
		if w := r.Semantics.Word(v); counts[w] > 0 {
			sums = append(sums, fmt.Sprintf("%d %s", counts[w], w))
			delete(counts, w)
		}
	}
	of := ""
	if len(r.Runs) > 1 {
		of = fmt.Sprintf(" on %d runs, each by its worst", len(r.Runs))
	}
	_, err := fmt.Fprintf(out, "%s%s: %s\n", texttab.Plural(len(all), "check"), of, strings.Join(sums, ", "))
	return err
}

// wordWidth is the width of the longest verdict.
func (r *Requirements) wordWidth() int {
	if r.Semantics == requirements.Three {
		return len("NON-INFORMATIVE")
	}
	return len("STILL_FALSE")
}

// lineOverRuns says what became of a check on all runs, on one line that fits a log. A single run needs no count of runs.
func (r *Requirements) lineOverRuns(c *overRuns) string {
	if len(r.Runs) == 1 {
		return r.line(c.worst)
	}
	line := fmt.Sprintf("%s: %d of %s", c.worst.worst.Check, c.alike, texttab.Plural(len(c.groups), "run"))
	if parts := r.outcomeWords(c.worst); len(parts) > 0 {
		line += "; worst " + c.worst.run.Run + ": " + strings.Join(parts, ", ")
	}
	return line + stopsGate(c.breaks, "; ")
}

// line says what became of a check on a run.
func (r *Requirements) line(g *group) string {
	name := g.worst.Check
	parts := r.outcomeWords(g)
	if len(parts) == 0 {
		return name + stopsGate(g.breaks, ": ")
	}
	return name + ": " + strings.Join(parts, ", ") + stopsGate(g.breaks, ", ")
}

// stopsGate says which words of the gate a check breaks, after what separates it from the rest; "" if none.
func stopsGate(breaks []string, after string) string {
	if len(breaks) == 0 {
		return ""
	}
	return after + "stops the gate: " + strings.Join(breaks, ", ")
}

// outcomeWords says what became of a check on a run, in parts: values, counts, margin, robustness and the first failing state,
// as far as the check has them. Times are in the unit that fits, counted from the start of the run.
func (r *Requirements) outcomeWords(g *group) (parts []string) {
	// With several values of foralls the outcome that is described is the worst one's.
	o := g.worst
	if n := len(g.outcomes); n > 1 || o.Value != "" {
		same := 0
		for i := range g.outcomes {
			if g.outcomes[i].Verdict == o.Verdict {
				same++
			}
		}
		parts = append(parts, fmt.Sprintf("%s of %s", texttab.Count(same), texttab.Plural(n, "value")), "worst "+o.Value)
	}
	parts = append(parts, r.counts(o)...)
	if o.MarginNs != schema.NoValue {
		margin := fmt.Sprintf("margin %s at bound %s", texttab.Duration(o.MarginNs), texttab.Duration(o.BoundNs))
		if o.Failures > 0 && o.MarginNs >= 0 { // what failed had no answer, and the run ends before the bound is over
			margin += " of the answers that came"
		}
		parts = append(parts, margin)
	}
	if !math.IsNaN(o.Robustness) {
		parts = append(parts, fmt.Sprintf("robustness %.4g", o.Robustness))
	}
	// At robustness 0 both answers are as near; the comparison itself (< or <=) decided, which a reader should know.
	if o.Threshold {
		parts = append(parts, "exactly at the threshold")
	}
	// A formula of signals is asked at states only, and may miss what happens between them: the gap bounds how much.
	if o.LargestGapNs != schema.NoValue {
		parts = append(parts, "states at most "+texttab.Duration(o.LargestGapNs)+" apart")
	}
	if len(o.Failing) > 0 {
		f := &o.Failing[0]
		first := "first at " + texttab.Exact(f.TimeNs-g.run.StartNs)
		if where := where(f); where != between {
			first += " in " + where
		} else {
			first += " " + where
		}
		parts = append(parts, first)
	}
	return parts
}

// counts says how often a check was asked, and how often it failed, or that it was never asked. A check that is not of the form
// "globally if A then F" has no number of questions; nothing is said unless it failed at states.
func (r *Requirements) counts(o *requirements.Outcome) []string {
	switch {
	case o.Verdict == mtl.Undefined:
		return []string{requirements.WhyUndefined(o.Formula)}
	// NoValue: the formula has no trigger to count.
	case o.Triggers == schema.NoValue && o.Failures > 0 && o.Formula.Op == spec.Globally:
		return []string{"failed at " + texttab.Plural(o.Failures, "state")}
	case o.Triggers == schema.NoValue:
		return nil
	case o.Vacuous():
		return []string{"vacuous, never asked"}
	}
	parts := []string{"asked " + texttab.Plural(o.Triggers, "time")}
	if o.Failures > 0 {
		parts = append(parts, "failed "+texttab.Count(o.Failures))
	}
	if o.Open > 0 {
		parts = append(parts, "open "+texttab.Count(o.Open))
	}
	return parts
}

// failingTable is the empty table of failing states, with the run where there are several.
func (r *Requirements) failingTable() *texttab.Table {
	header, columns := []string{"failing", "value", "time", "where", "event", "delay", "outside by"}, "llllrrr"
	if len(r.Runs) > 1 {
		header, columns = slices.Insert(header, 1, "run"), "l"+columns
	}
	t := texttab.New(columns)
	t.Row(header...)
	return t
}

// addFailing adds the first failing states of a check to a table, run by run as long as there is room, and returns how many.
func (r *Requirements) addFailing(t *texttab.Table, c *overRuns) (rows int) {
	// r.Top bounds the rows of each check, over all its runs.
	for i := range c.groups {
		g := &c.groups[i]
		for k := range g.outcomes {
			o := &g.outcomes[k]
			for j := range o.Failing {
				if rows == r.Top {
					return rows
				}
				row := failingRow(g, o, &o.Failing[j])
				if len(r.Runs) > 1 {
					row = slices.Insert(row, 1, g.run.Run)
				}
				t.Row(row...)
				rows++
			}
		}
	}
	return rows
}

// failingRow is a failing state in the columns of failingTable, without the run.
func failingRow(g *group, o *requirements.Outcome, f *requirements.Failing) []string {
	// Without a bound both stay empty. An answer that never came is outside by at least the rest of the run, if the bound is over by its end.
	delay, excess := "", ""
	if f.ExcessNs != schema.NoValue {
		if delay, excess = "none came", "at least "+texttab.Duration(f.ExcessNs); f.DelayNs != schema.NoValue {
			delay, excess = texttab.Duration(f.DelayNs), texttab.Duration(f.ExcessNs)
		} else if f.ExcessNs <= 0 {
			excess = "the run ends first"
		}
	}
	return []string{o.Check, o.Value, texttab.Exact(f.TimeNs - g.run.StartNs), where(f), fmt.Sprint(f.Seq), delay, excess}
}

// between stands in the place of a function for states between events.
const between = "between events"

// where names the function of a failing state.
func where(f *requirements.Failing) string {
	if f.Component == "" && f.Function == "" {
		return between
	}
	return f.Component + "." + f.Function
}
