package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// text writes a history for people.
func (r *historyReport) text(out io.Writer) error {
	r.head(out)
	if err := r.pointsText(out); err != nil {
		return err
	}
	return r.valuesText(out)
}

func (r *historyReport) head(out io.Writer) {
	releases, runs := r.job.Releases, 0
	for _, of := range releases {
		runs += len(of.Runs)
	}
	n := len(releases)
	fmt.Fprintf(out, "%s: %d releases by %s, from %s to %s, %s, %s\n", r.job.ID, n, r.flags.by, releases[0].Name, releases[n-1].Name,
		texttab.Plural(runs, "run"), texttab.Plural(len(r.subjects), "subject"))
	if n < changepoint.MinReleases {
		fmt.Fprintf(out, "Change points take %d releases: only the newest, %s, is compared with all before it.\n", changepoint.MinReleases, releases[n-1].Name)
	}
}

// pointsText writes the change points, the greatest effect first.
func (r *historyReport) pointsText(out io.Writer) error {
	shown := r.points[:min(len(r.points), r.flags.top)]
	if len(shown) == 0 {
		fmt.Fprintln(out, "\nNo change point"+r.besides()+".")
		return nil
	}
	fmt.Fprintln(out, "\nChange points, where to look first: steps by their own time, then what has them in it; times are per root execution")
	g := texttab.New("rllrlrr")
	g.Row("  #", "first seen in", "verdict", "from", "to", "change", "times", "how sure", "history", "component", "where")
	for i := range shown {
		p := changePoint{&shown[i]}
		g.Row(fmt.Sprintf("  %d", p.Rank), p.Release, p.Verdict, texttab.Duration(p.BeforeNs), "-> "+texttab.Duration(p.AfterNs), p.effect(), p.ratio(), p.sure(),
			r.spark(p.Series), p.Component, p.where())
	}
	if err := g.Write(out); err != nil {
		return err
	}
	if more := len(r.points) - len(shown); more > 0 || r.others > 0 {
		fmt.Fprintf(out, "%s not printed%s\n", texttab.Plural(more, "change point"), r.besides())
	}
	return nil
}

// besides says what is not told in full.
func (r *historyReport) besides() string {
	if r.others == 0 {
		return ""
	}
	return fmt.Sprintf("; %s within the margin of %.0f %% or of a size that the runs do not tell", texttab.Plural(r.others, "other"), 100*r.job.Verdicts.Margin)
}

// changePoint is a change point in words.
type changePoint struct{ *schema.ChangePoint }

// effect is the change with its interval.
func (p changePoint) effect() string {
	if p.EffectNs == nil {
		return texttab.Change(p.AfterNs - p.BeforeNs)
	}
	text := texttab.Change(*p.EffectNs)
	if p.EffectLoNs != nil && p.EffectHiNs != nil && *p.EffectHiNs < math.MaxInt64 {
		text += " (" + texttab.Change(*p.EffectLoNs) + " to " + texttab.Change(*p.EffectHiNs) + ")"
	}
	return text
}

func (p changePoint) ratio() string {
	if p.Ratio == nil || p.Verdict == schema.Appeared || p.Verdict == schema.Vanished {
		return "-"
	}
	return fmt.Sprintf("x%.2f", *p.Ratio)
}

// sure says how sure a change point is.
func (p changePoint) sure() string {
	text := "unconfirmed"
	if p.Confirmed {
		text = "confirmed"
	}
	switch {
	case p.Q == nil:
		return text
	case *p.Q < 1e-4:
		return text + ", q < 0.0001"
	}
	return fmt.Sprintf("%s, q %.4f", text, *p.Q)
}

func (p changePoint) where() string {
	text := inFragment(p.Fragment, p.Subject)
	if p.WaitsFor != "" {
		text += ", waits for " + p.WaitsFor
	}
	return text
}

// inFragment is a subject in words, with its fragment where it does not name it.
func inFragment(fragment, subject string) string {
	if fragment == "" || strings.Contains(subject, fragment) {
		return subject
	}
	return subject + " in " + fragment
}

// bars are the heights of a spark line.
var bars = []rune("▁▂▃▄▅▆▇█")

// spark draws the values of a subject, one bar for a release, from 0 or the least, if that is more than half of the greatest.
func (r *historyReport) spark(k int64) string {
	lo, hi := int64(math.MaxInt64), int64(0)
	for _, v := range r.values[k] {
		lo, hi = min(lo, v.ValueNs), max(hi, v.ValueNs)
	}
	if lo <= hi/2 {
		lo = 0
	}
	var line strings.Builder
	for _, v := range r.values[k] {
		at := 0
		if hi > lo {
			at = int(float64(v.ValueNs-lo) / float64(hi-lo) * float64(len(bars)-1))
		}
		line.WriteRune(bars[at])
	}
	return line.String()
}

// valuesText writes the values of subjects, a column for a release.
func (r *historyReport) valuesText(out io.Writer) error {
	list := r.tabled()
	if len(list) == 0 {
		return nil
	}
	fmt.Fprintln(out, "\nCost per root execution, median of the runs of a release; | where the level changes")
	g := texttab.New(strings.Repeat("r", len(r.job.Releases)))
	var head []string
	for _, of := range r.job.Releases {
		head = append(head, "  "+of.Name)
	}
	g.Row(append(head, "component", "where")...)
	for _, k := range list {
		values := r.values[k]
		var cells []string
		for i, v := range values {
			mark := ""
			if i > 0 && v.Segment != values[i-1].Segment {
				mark = "| "
			}
			cells = append(cells, mark+texttab.Duration(v.ValueNs))
		}
		g.Row(append(cells, values[0].Component, inFragment(values[0].Fragment, values[0].Subject))...)
	}
	if err := g.Write(out); err != nil {
		return err
	}
	if more := len(r.subjects) - len(list); r.flags.subject != "" && more > 0 {
		fmt.Fprintf(out, "%s with this name not printed\n", texttab.Plural(more, "subject"))
	}
	return nil
}
