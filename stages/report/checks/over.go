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
	*Requirements
	Label    string
	Releases []string
	Release  []int // of each of Runs, as a position in Releases
	Checks   []margins.Check
	Steps    []margins.Step
	Trends   []margins.Trend
}

// Regressed reports whether the answers of a check are shown to come later in the last release than in the one before, or ever later.
func (o *Over) Regressed() bool {
	return len(o.Trends) > 0 || slices.ContainsFunc(o.Steps, func(s margins.Step) bool {
		return s.To == len(o.Releases)-1 && s.Verdict == schema.Regressed
	})
}

// WriteText writes a matrix of checks by releases, the changes from one release to the next, and margins that shrink release by release.
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
	if err := o.writeSteps(out); err != nil {
		return err
	}
	for i := range o.Trends {
		t := &o.Trends[i]
		var times []string
		for _, ns := range t.MedianNs {
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

// cell says what became of a check in a release.
func (o *Over) cell(c *overRuns, release int) string {
	var worst *group
	alike, runs := 0, 0
	var margin []int64
	for i := range c.groups {
		g := &c.groups[i]
		if o.releaseOf(g.run) != release {
			continue
		}
		runs++
		switch {
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
	if n := len(margin); n > 0 {
		slices.Sort(margin)
		text += " " + texttab.Duration((margin[n/2]+margin[(n-1)/2])/2)
	}
	return text
}

// releaseOf is the position of the release of a run.
func (o *Over) releaseOf(run *RunOutcomes) int {
	return o.Release[slices.IndexFunc(o.Runs, func(r RunOutcomes) bool { return r.Run == run.Run })]
}

// writeSteps writes the changes that are decided, and how many are not.
func (o *Over) writeSteps(out io.Writer) error {
	t := texttab.New("lllrrrrl")
	t.Row("verdict", "check", "time of", "typical run", "effect", "95 % interval", "q", o.Label)
	rows, open := 0, 0
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
	Check    string    `json:"check"`
	Quantity string    `json:"quantity"`
	From     string    `json:"from"`
	To       string    `json:"to"`
	Verdict  string    `json:"verdict"`
	BoundNs  int64     `json:"bound_ns"`
	BaseNs   float64   `json:"base_ns"`
	CandNs   float64   `json:"cand_ns"`
	EffectNs *float64  `json:"effect_ns,omitempty"`
	LoNs     *float64  `json:"lo_ns,omitempty"`
	HiNs     *float64  `json:"hi_ns,omitempty"`
	Q        *float64  `json:"q,omitempty"`
	Needed   int       `json:"runs_needed,omitempty"`
	MedianNs []float64 `json:"median_ns,omitempty"` // of a trend, by release
}

func (o *Over) stepJSON(s *margins.Step) stepJSON {
	return stepJSON{
		Check: o.Checks[s.Check].Name, Quantity: string(s.Quantity), From: o.Releases[s.From], To: o.Releases[s.To], Verdict: s.Verdict,
		BoundNs: o.Checks[s.Check].BoundNs, BaseNs: s.BaseNs, CandNs: s.CandNs, EffectNs: finite(s.EffectNs), LoNs: finite(s.LoNs), HiNs: finite(s.HiNs),
		Q: finite(s.Q), Needed: s.RunsNeeded,
	}
}

// WriteJSON writes an object a line for each check, value and run, and then one for each step and each trend.
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

// qText is a rate of false discoveries.
func qText(q float64) string {
	if q < .001 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", q)
}

// Answers lists the checks with a bound on the time of answers, with those of each run, whose release is a position in their order.
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
