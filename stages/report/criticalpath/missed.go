package criticalpath

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// WriteMissed writes which occurrences missed the deadline, and why.
func (r *Report) WriteMissed(out io.Writer, v *findings.Verdicts) error {
	return (&textReport{r, out}).writeMissed(v)
}

// writeMissed writes the causes over all late occurrences, the time that only late ones have, and then each late occurrence.
// Without an occurrence in time nothing is known to be usual, so that only the last part is left.
func (r *textReport) writeMissed(v *findings.Verdicts) error {
	// How many are late is known without any explanation, so it comes first.
	fmt.Fprintf(r.out, "%s the deadline of %s%s\n", r.missedText(v), texttab.Exact(r.DeadlineNs), r.fromText())
	r.writeLeftOut()
	r.writeClocks()
	switch {
	case len(v.Missed) == 0:
		return nil
	case v.Reference == 0:
		fmt.Fprint(r.out, "all missed: no occurrence in time shows what is usual; choose a later --deadline that some meet to see what the others have more of\n\n")
		return r.writeOccurrences(v)
	}
	fmt.Fprintf(r.out, "usual times are those of %s in time\n\n", texttab.Plural(v.Reference, "occurrence"))
	if err := r.writeCauses(v); err != nil {
		return err
	}
	if err := r.writeSurpluses(v); err != nil {
		return err
	}
	fmt.Fprintln(r.out)
	return r.writeOccurrences(v)
}

// missedText says how many occurrences missed, or whether the one that was asked for did.
func (r *textReport) missedText(v *findings.Verdicts) string {
	if r.Picked == nil {
		return fmt.Sprintf("%s of %s occurrences of %s in run %s missed", texttab.Count(len(v.Missed)), texttab.Count(len(r.Occurrences)), r.targetText(), r.Run)
	}
	one := r.targetText()
	if r.Metric {
		one = fmt.Sprintf("instance #%d of the metric", r.Picked.Number)
	}
	if len(v.Missed) == 0 {
		return fmt.Sprintf("%s in run %s meets", one, r.Run)
	}
	return fmt.Sprintf("%s in run %s missed", one, r.Run)
}

// causeText names the place of a cause.
func causeText(v *findings.Verdicts, c deadlines.Cause) string {
	return placeText(v.Names, v.Parts, keyOf(c.Edge.Key))
}

// writeCauses writes the causes, summed up over the occurrences that they made late.
func (r *textReport) writeCauses(v *findings.Verdicts) error {
	g := texttab.New("rrrr")
	g.Row("missed", "too long", "most", "usually", "", "because of")
	all := blames(v)
	n := r.printed(len(all))
	for _, b := range all[:n] {
		usual := "never"
		if b.known {
			usual = "up to " + texttab.Duration(b.usualNs)
		}
		g.Row(texttab.Count(b.occurrences), texttab.Duration(b.excessNs), texttab.Duration(b.mostNs), usual, string(b.label), b.place)
	}
	// Late occurrences in which every step was usual have no cause, but they count: the rows must cover all late ones.
	unexplained := 0
	for _, m := range v.Missed {
		if len(m.Causes) == 0 {
			unexplained++
		}
	}
	if unexplained > 0 {
		g.Row(texttab.Count(unexplained), "", "", "", "", noCauseText)
	}
	return writeCut(r.out, g, len(all)-n, texttab.Plural(len(all)-n, "rarer cause"))
}

// noCauseText stands for an occurrence in which every step took as long as it usually may.
const noCauseText = "no step was unusual"

// writeSurpluses writes time that only the critical paths of occurrences beyond the deadline have. It leaves out what adds
// less than a hundredth to the time beyond the deadline.
func (r *textReport) writeSurpluses(v *findings.Verdicts) error {
	// The time beyond the deadline, of all late occurrences together: what is to be explained.
	overNs := int64(0)
	for _, m := range v.Missed {
		overNs += m.SpanNs() - r.DeadlineNs
	}
	// The surpluses descend, so that those worth a line are the first ones.
	n := 0
	for n < len(v.Surpluses) && v.Surpluses[n].ExcessNs > overNs/100 {
		n++
	}
	if n == 0 {
		return nil
	}
	fmt.Fprint(r.out, "\nmore on their critical paths than on any in time\n")
	g := texttab.New("rrrrr")
	g.Row("missed", "more", "most", "in time", "at most", "where")
	for _, s := range v.Surpluses[:r.printed(n)] {
		g.Row(texttab.Count(s.Missed), texttab.Duration(s.ExcessNs), texttab.Duration(s.MostNs), texttab.Duration(s.MedianNs), texttab.Duration(s.MaxNs),
			placeText(v.Names, v.Parts, keyOf(s.Key)))
	}
	rest := n - r.printed(n)
	return writeCut(r.out, g, rest, texttab.Count(rest)+" more")
}

// writeOccurrences writes the occurrences that missed the deadline, in time order: when, for how long, by how much too long, and
// because of which steps.
func (r *textReport) writeOccurrences(v *findings.Verdicts) error {
	g := texttab.New("rrrr")
	g.Row("occurrence", "at", "took", "over", "because of")
	n := r.printed(len(v.Missed))
	for _, m := range v.Missed[:n] {
		why := "nothing to compare it with"
		if v.Reference > 0 {
			why = r.causesText(v, m)
		}
		g.Row(fmt.Sprintf("#%d", m.Number), r.sinceStart(m.FromNs), texttab.Duration(m.SpanNs()), texttab.Change(m.SpanNs()-r.DeadlineNs), why)
	}
	rest := len(v.Missed) - n
	return writeCut(r.out, g, rest, texttab.Plural(rest, "more occurrence"))
}

// mostCausesPerLine bounds the causes in the line of an occurrence, unless all rows were asked for.
const mostCausesPerLine = 3

// causesText names the causes of one occurrence, and how far they explain it.
func (r *textReport) causesText(v *findings.Verdicts, m findings.Missed) string {
	var causes []string
	for i, c := range m.Causes {
		// A line that ends in "1 more" would be no shorter than the cause itself.
		if i == mostCausesPerLine && r.Top > 0 && len(m.Causes) > mostCausesPerLine+1 {
			causes = append(causes, fmt.Sprintf("%d more", len(m.Causes)-i))
			break
		}
		causes = append(causes, causeText(v, c)+" "+texttab.Change(c.ExcessNs))
	}
	text := strings.Join(causes, "; ")
	switch {
	case len(causes) == 0:
		// The deadline would be missed even if all causes had been as usual.
		text = noCauseText
	case !m.Sufficient:
		text += fmt.Sprintf("; without, it still takes %s", texttab.Duration(m.MakespanNs))
	}
	// Then it is in time only if work of others, for which it waited, moves along.
	if m.Along {
		text += "; what others did meanwhile moved along"
	}
	if m.Exhausted {
		text += "; the search was cut short"
	}
	return text
}

// blame is a cause, summed up over the occurrences that it made late.
type blame struct {
	place       string
	label       deadlines.Label
	occurrences int   // in which it is a cause at least once
	excessNs    int64 // beyond the usual time, summed up
	mostNs      int64 // the maximum time of one step
	usualNs     int64 // up to which such a step is usual
	known       bool  // occurrences in time have such steps
}

// blames sums up the causes by place and label, the most frequent first. The reader acts on a place, so that causes at parts of
// the chart with the same words are one.
func blames(v *findings.Verdicts) (list []*blame) {
	byWhat := make(map[string]*blame)
	// The key is text and label, since parts of the chart with the same words cannot be told apart by the reader.
	for _, m := range v.Missed {
		seen := make(map[*blame]bool)
		for _, c := range m.Causes {
			place := causeText(v, c)
			key := place + "\x00" + string(c.Label)
			b := byWhat[key]
			if b == nil {
				b = &blame{place: place, label: c.Label}
				byWhat[key] = b
				list = append(list, b)
			}
			// An occurrence counts once, however many of its steps were too long at this place; their times add up.
			if !seen[b] {
				b.occurrences++
				seen[b] = true
			}
			b.excessNs += c.ExcessNs
			b.mostNs = max(b.mostNs, c.BoundNs)
			b.usualNs, b.known = max(b.usualNs, c.ThresholdNs), b.known || c.Known
		}
	}
	// Ties are decided by the place, so that the order does not depend on that of the occurrences.
	slices.SortStableFunc(list, func(a, b *blame) int {
		return cmp.Or(b.occurrences-a.occurrences, cmp.Compare(b.excessNs, a.excessNs), strings.Compare(a.place, b.place))
	})
	return list
}
