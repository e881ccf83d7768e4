package checks

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/margins"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Over is what the checks of a specification say of releases, the values of a label, in their order.
type Over struct {
	*Requirements                 // the outcomes of all runs
	Label         string          // the key of the label, such as release
	Releases      []string        // its values, in the order of versions: 8.9 before 8.14
	Release       []int           // of each of Runs, as a position in Releases
	Checks        []margins.Check // those with a bound on the time of answers
	Steps         []margins.Step  // from one release to the next, by check and quantity
	Trends        []margins.Trend // answers that come later release by release
}

// Regressed reports whether the answers of a check are shown to come later in the last release than in the one before, or ever later.
// Earlier steps are history and stop no gate.
func (o *Over) Regressed() bool {
	return len(o.Trends) > 0 || slices.ContainsFunc(o.Steps, func(s margins.Step) bool {
		return s.To == len(o.Releases)-1 && s.Verdict == schema.Regressed
	})
}

// WriteText writes a matrix of checks by releases, the changes from one release to the next, and margins that shrink release by release.
// 1. The matrix: a row for each check, in the order of the specification.
func (o *Over) WriteText(out io.Writer) error {
	all := o.checksOverRuns()
	matrix := texttab.New("l" + strings.Repeat("l", len(o.Releases)))
	matrix.Row(append([]string{"check"}, o.Releases...)...)
	for i := range all {
		row := []string{all[i].worst.worst.Check}
		for r := range o.Releases {
			row = append(row, o.cell(&all[i], r))
		}
		matrix.Row(row...)
	}
	if err := matrix.Write(out); err != nil {
		return err
	}
	fmt.Fprintf(out, "Each cell: the worst verdict of the runs, how many have it where not all do, and the smallest margin of a run, median of the runs.\n\n")
	// 2. What changed, with intervals.
	if err := o.writeSteps(out); err != nil {
		return err
	}
	// 3. Trends: changes that are too small from one release to the next, and add up.
	for i := range o.Trends {
		t := &o.Trends[i]
		var times []string
		for _, ns := range t.MedianNs {
			// MedianNs is a mean of two runs' times where their number is even; fractions of a nanosecond are not shown.
			times = append(times, texttab.Duration(int64(ns)))
		}
		if _, err := fmt.Fprintf(out, "%s: the slowest answer comes later with every %s since %s: %s (median of the runs), bound %s\n", o.Checks[t.Check].Name, o.Label,
			o.Releases[t.From], strings.Join(times, " -> "), texttab.Duration(o.Checks[t.Check].BoundNs)); err != nil {
			return err
		}
	}
	return nil
}

// Writer returns what writes the report in a format of Formats.
func (o *Over) Writer(format string) func(io.Writer) error {
	switch format {
	case "json":
		return o.WriteJSON
	case "text":
		return o.WriteText
	}
	return o.Requirements.Writer(format)
}

// cell says what became of a check in a release: the worst verdict, "2/5" where only 2 of 5 runs have it, and the median of the
// smallest margins of the runs. It is empty where no run of the release has the check.
func (o *Over) cell(c *overRuns, release int) string {
	var worst *group
	alike, runs := 0, 0
	var margin []int64
	for i := range c.groups {
		g := &c.groups[i]
		// The runs of all releases stand in one list.
		if o.releaseOf(g.run) != release {
			continue
		}
		runs++
		switch {
		// A smaller margin of the same verdict is no other verdict: only verdicts are counted here.
		case worst == nil || worse(g.worst, worst.worst) && g.worst.Verdict != worst.worst.Verdict:
			worst, alike = g, 1
		case g.worst.Verdict == worst.worst.Verdict:
			alike++
		}
		if g.worst.MarginNs != schema.NoValue {
			margin = append(margin, g.worst.MarginNs)
		}
	}
	if worst == nil {
		return ""
	}
	text := o.Semantics.Word(worst.worst.Verdict)
	if alike < runs {
		text += fmt.Sprintf(" %d/%d", alike, runs)
	}
	// Of an even number of margins the median is the mean of the middle two.
	if n := len(margin); n > 0 {
		slices.Sort(margin)
		text += " " + texttab.Duration((margin[n/2]+margin[(n-1)/2])/2)
	}
	return text
}

// releaseOf is the position of the release of a run. Runs have unique names.
func (o *Over) releaseOf(run *RunOutcomes) int {
	return o.Release[slices.IndexFunc(o.Runs, func(r RunOutcomes) bool { return r.Run == run.Run })]
}

// writeSteps writes a row for each comparison of a check's answers whose verdict is a change, and below it how many of all
// comparisons changed, did not change, or have too few runs to decide.
func (o *Over) writeSteps(out io.Writer) error {
	t := texttab.New("lllrrrrl")
	t.Row("verdict", "check", "time of", "typical run", "effect", "95 % interval", "q", o.Label)
	rows, open := 0, 0
	// Rows are the changes; unchanged and undetermined comparisons are only counted.
	for i := range o.Steps {
		s := &o.Steps[i]
		switch s.Verdict {
		case schema.Unchanged:
			continue
		case schema.Undetermined:
			open++
			continue
		}
		rows++
		t.Row(s.Verdict, o.Checks[s.Check].Name, string(s.Quantity), texttab.Duration(int64(s.BaseNs))+" -> "+texttab.Duration(int64(s.CandNs)),
			texttab.Change(int64(s.EffectNs)), texttab.Interval(int64(s.LoNs), int64(s.HiNs)), qText(s.Q), o.Releases[s.From]+" -> "+o.Releases[s.To])
	}
	if rows > 0 {
		fmt.Fprintf(out, "Answers that come later or earlier, from one %s to the next:\n", o.Label)
		if err := t.Write(out); err != nil {
			return err
		}
	}
	unchanged := len(o.Steps) - rows - open
	_, err := fmt.Fprintf(out, "%s: %d changed, %d unchanged, %d undetermined\n", texttab.Plural(len(o.Steps), "comparison")+" of answers", rows, unchanged, open)
	return err
}

// stepJSON is a change from one release to a later one, as JSON has it. Times are ns of a run.
type stepJSON struct {
	Check    string    `json:"check"`                 // name of the check
	Quantity string    `json:"quantity"`              // the slowest answer, or the time within which 99 % came
	From     string    `json:"from"`                  // a release
	To       string    `json:"to"`                    // a release
	Verdict  string    `json:"verdict"`               // by the rules of analyze compare
	BoundNs  int64     `json:"bound_ns"`              // the check's bound on its answers
	BaseNs   float64   `json:"base_ns"`               // of the typical run
	CandNs   float64   `json:"cand_ns"`               // of the typical run
	EffectNs *float64  `json:"effect_ns,omitempty"`   // candidate less baseline; missing where there are too few runs
	LoNs     *float64  `json:"lo_ns,omitempty"`       // lower end of the 95 % interval
	HiNs     *float64  `json:"hi_ns,omitempty"`       // upper end of it
	Q        *float64  `json:"q,omitempty"`           // rate of false discoveries among all steps
	Needed   int       `json:"runs_needed,omitempty"` // per release, for a verdict; 0 where it is known
	MedianNs []float64 `json:"median_ns,omitempty"`   // of a trend, by release
}

// stepJSON converts a step. Numbers that are NaN, since there are too few runs, are left out.
func (o *Over) stepJSON(s *margins.Step) stepJSON {
	return stepJSON{
		Check: o.Checks[s.Check].Name, Quantity: string(s.Quantity), From: o.Releases[s.From], To: o.Releases[s.To], Verdict: s.Verdict,
		BoundNs: o.Checks[s.Check].BoundNs, BaseNs: s.BaseNs, CandNs: s.CandNs, EffectNs: finite(s.EffectNs), LoNs: finite(s.LoNs), HiNs: finite(s.HiNs),
		Q: finite(s.Q), Needed: s.RunsNeeded,
	}
}

// WriteJSON writes an object a line for each check, value and run, and then one for each step and each trend.
// Requirements come first, as without releases, so that a reader of those lines works on both.
func (o *Over) WriteJSON(out io.Writer) error {
	if err := o.Requirements.WriteJSON(out); err != nil {
		return err
	}
	lines := json.NewEncoder(out)
	for i := range o.Steps {
		if err := lines.Encode(map[string]stepJSON{"step": o.stepJSON(&o.Steps[i])}); err != nil {
			return err
		}
	}
	for i := range o.Trends {
		row := o.stepJSON(&o.Trends[i].Step)
		row.MedianNs = o.Trends[i].MedianNs
		if err := lines.Encode(map[string]stepJSON{"trend": row}); err != nil {
			return err
		}
	}
	return nil
}

// qText writes a rate of false discoveries, from 0 to 1.
func qText(q float64) string {
	if q < .001 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", q)
}

// Answers lists the checks with a bound on the time of answers, in the order of the first run that has them. Each has an entry for
// every run, by position; runs whose answers never came, or were never asked for, have schema.NoValue there. A check with
// several foralls has the slowest answer of all its values.
func Answers(runs []RunOutcomes, release []int) (all []margins.Check) {
	at := make(map[string]int) // by name, in all
	for i := range runs {
		for k := range runs[i].Outcomes {
			x := &runs[i].Outcomes[k]
			ns := x.AnswerNs()
			if ns == schema.NoValue {
				continue
			}
			c, known := at[x.Check]
			if !known {
				c = len(all)
				at[x.Check] = c
				all = append(all, margins.Check{Name: x.Check, BoundNs: x.BoundNs})
				for _, r := range release {
					all[c].Runs = append(all[c].Runs, margins.Run{Release: r, WorstNs: schema.NoValue, Q99Ns: schema.NoValue})
				}
			}
			run := &all[c].Runs[i]
			run.WorstNs, run.Q99Ns = max(run.WorstNs, ns), x.Q99Ns
		}
	}
	return all
}
