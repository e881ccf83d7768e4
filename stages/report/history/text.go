package history

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// WriteText writes the report for people.
func (r *Report) WriteText(out io.Writer) error {
	r.writeHead(out)
	if err := r.writePoints(out); err != nil {
		return err
	}
	return r.writeValues(out)
}

// writeHead writes how many releases, runs and subjects there are, and warns where they are too few for change points. There is
// one release at least.
func (r *Report) writeHead(out io.Writer) {
	runs := 0 // of all releases
	for _, of := range r.Releases {
		runs += len(of.Runs)
	}
	n := len(r.Releases)
	newest := r.Releases[n-1].Name
	fmt.Fprintf(out, "%s: %s by %s, from %s to %s, %s, %s\n", r.Comparison, texttab.Plural(n, "release"), r.By, r.Releases[0].Name, newest,
		texttab.Plural(runs, "run"), texttab.Plural(len(r.subjects), "subject"))
	if n < changepoint.MinReleases { // the comparison of the newest is all that is possible
		fmt.Fprintf(out, "Change points need %d releases: only the newest, %s, is compared with all before it.\n", changepoint.MinReleases, newest)
		if n == 2 {
			fmt.Fprintf(out, "Of two releases, analyze compare says more: it pairs what moved or was renamed, and its parts add up.\n")
		}
	}
}

// whereText names the subject of a change point, with its component where the name lacks it.
func (p changePoint) whereText() string {
	if text := p.subjectText(); strings.Contains(text, p.Component+".") {
		return text
	}
	return p.Component + ": " + p.subjectText()
}

// writePoints writes the change points by rank.
func (r *Report) writePoints(out io.Writer) error {
	printed := r.printedPoints()
	if len(printed) == 0 {
		fmt.Fprintln(out, "\nNo change point"+r.othersText()+".")
		return nil
	}
	// Bars and columns are cut to the width of a terminal, which the heading says.
	wide := ""
	if k := r.releasesPerBar(); k > 1 {
		wide = fmt.Sprintf("; a bar of the history is %d releases, the highest of them", k)
	}
	if len(r.follow) > 0 {
		wide += "; what follows from one is counted with it"
	}
	fmt.Fprintln(out, "\nChange points, where to look first: steps by their own time, then what has them in it; times are per root execution"+wide)
	table := texttab.New("rllrlrrllr")
	table.Row("  #", "first seen in", "verdict", "from", "to", "change", "times", "how sure", "history", "follow", "where")
	for i := range printed {
		p := changePoint{&printed[i]}
		table.Row(fmt.Sprintf("  %d", p.Rank), p.Release, p.verdictText(), costText(p.BeforeNs), "-> "+costText(p.AfterNs), p.effectText(),
			p.ratioText(), p.confidenceText(), r.sparkLine(p.Series), r.followText(p.Rank), p.whereText())
	}
	table.DropEmptyColumns()
	if err := table.Write(out); err != nil {
		return err
	}
	// What was not printed is counted: the report accounts for every change point of the selection.
	if more := len(r.points) - len(printed); more > 0 || r.others > 0 { // both are 0 where all are printed
		fmt.Fprintf(out, "%s not printed%s\n", texttab.Plural(more, "change point"), r.othersText())
	}
	return nil
}

// followText says how many change points follow from one; "" for none.
func (r *Report) followText(rank int64) string {
	if r.follow[rank] == 0 {
		return ""
	}
	return texttab.Count(r.follow[rank])
}

// othersText counts the change points that are not printed because their size is too small or too uncertain.
func (r *Report) othersText() string {
	if r.others == 0 {
		return ""
	}
	return fmt.Sprintf("; %s within the margin of %.0f %% or of a size that the runs do not show", texttab.Plural(r.others, "other"), 100*r.Margin)
}

// changePoint is a change point with its cells for people. Its costs are ns per root execution.
type changePoint struct{ *schema.ChangePoint }

// effectText writes the change of the cost, with its 95 % interval where it is known and bounded.
func (p changePoint) effectText() string {
	switch {
	case p.EffectNs == nil && (p.AfterNs == schema.NoValue || p.BeforeNs == schema.NoValue): // a difference from an unknown cost means nothing
		return unknownCost
	case p.EffectNs == nil:
		return texttab.Change(p.AfterNs - p.BeforeNs)
	}
	text := texttab.Change(*p.EffectNs)
	// A bound of the greatest number stands for no bound.
	if p.EffectLoNs != nil && p.EffectHiNs != nil && *p.EffectHiNs < math.MaxInt64 {
		text += " (" + texttab.Interval(*p.EffectLoNs, *p.EffectHiNs) + ")"
	}
	return text
}

// verdictText writes the verdict, and of a trend until when it goes on.
func (p changePoint) verdictText() string {
	if p.Kind == schema.KindTrend {
		return p.Verdict + " steadily to " + p.Last
	}
	return p.Verdict
}

// unknownCost stands for a cost that no run shows, such as the latency of a message that none receives.
const unknownCost = "unknown"

// costText writes a cost per root execution.
func costText(ns int64) string {
	if ns == schema.NoValue {
		return unknownCost
	}
	return texttab.Duration(ns)
}

// ratioText writes the factor by which the cost changed, x1.20 for a fifth more; "-" where one side lacks the subject.
func (p changePoint) ratioText() string {
	if p.Ratio == nil || p.Verdict == schema.Appeared || p.Verdict == schema.Vanished {
		return "-"
	}
	return fmt.Sprintf("x%.2f", *p.Ratio)
}

// confidenceText says whether later releases confirm a change point, and its false discovery rate.
func (p changePoint) confidenceText() string {
	text := "unconfirmed"
	if p.Confirmed {
		text = "confirmed"
	}
	switch {
	case p.Q == nil: // it was not tested
		return text
	case *p.Q < 1e-4: // four decimals would show 0
		return text + ", q < 0.0001"
	}
	return fmt.Sprintf("%s, q %.4f", text, *p.Q)
}

// subjectText names the subject and, where its time is a wait, what it waits for.
func (p changePoint) subjectText() string {
	text := withFragment(p.Fragment, p.Subject)
	if p.WaitsFor != "" {
		text += ", waits for " + p.WaitsFor
	}
	return text
}

// withFragment names a subject together with its fragment, unless the subject's name contains it.
func withFragment(fragment, subject string) string {
	if fragment != "" && !strings.Contains(subject, fragment) {
		subject += " in " + fragment
	}
	// What moved has its names of both sides.
	sides := strings.Split(subject, " -> ")
	for i := range sides {
		sides[i] = texttab.Happening(sides[i])
	}
	return strings.Join(sides, " -> ")
}
